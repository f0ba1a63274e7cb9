import { fail, ok, type Result } from '../../base/result.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AttemptStarted, PhaseStatics, StoredEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { refHash } from '../../planner/compare.ts';
import { gatherAttempts } from '../observe/attempts.ts';
import { findStepTarget } from '../observe/cell-target.ts';
import type { InspectedAttempt } from '../observe/inspected.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openStore, openWorkspace } from '../open/workspace.ts';
import { type ComparedPart, type ComparedParts, compareParts } from './part-difference.ts';

export interface DiffAttemptsRequest extends Target {
  /** `UNIT/PHASE`. */
  readonly cell: string;
  readonly attempts: readonly [number, number];
}

/** What two attempts at a step were made from and made. */
export interface DiffAttemptsAnswer extends ComparedParts {
  readonly heading: RunHeading;
  readonly unit: string;
  readonly phase: string;
  readonly attempts: readonly [number, number];
}

/** Compares outputs and inputs of two attempts: texts line by line, the rest by size and hash. Changes nothing. */
export async function diffAttempts(
  env: Environment,
  { cell: step, attempts, ...target }: DiffAttemptsRequest,
): Promise<Result<DiffAttemptsAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const found = findStepTarget(placed, step);
  if (!found.ok) return found;
  const [unit, phase] = [found.value.unit.id, found.value.phase.name];
  const events = [...openRunJournal(env, placed.root, opened.value.folder).events()];
  const known = (gatherAttempts(events, false).get(unit) ?? []).filter((one) => one.phase === phase);
  const parts: ComparedPart[][] = [];
  for (const number of attempts) {
    const attempt = known.find((one) => one.attempt === number);
    const valid = known.map((one) => one.attempt);
    if (attempt === undefined)
      return fail({
        reason: 'usage',
        problem: { code: 'unknown-attempt', cell: step, attempt: number, valid },
      });
    parts.push(partsOf(opened.value.ledger, attempt, startOf(events, unit, attempt)));
  }
  const [before = [], after = []] = parts;
  const texts = { store: openStore(placed), loaded: placed.loaded, env };
  const heading = createRunHeading(placed, opened.value);
  return ok({ heading, unit, phase, attempts, ...compareParts(before, after, texts) });
}

function startOf(
  events: readonly StoredEvent[],
  unit: string,
  { phase, attempt }: InspectedAttempt,
): AttemptStarted | undefined {
  return events.find(
    (event): event is StoredEvent & AttemptStarted =>
      event.type === 'attempt_started' &&
      event.unit === unit &&
      event.phase === phase &&
      event.attempt === attempt,
  );
}

function partsOf(
  ledger: Ledger,
  attempt: InspectedAttempt,
  start: AttemptStarted | undefined,
): ComparedPart[] {
  const statics = start && ledger.revisions.get(start.revision)?.phases[attempt.phase];
  const inputs = Object.entries(attempt.inputs).flatMap(([name, ref]) => {
    const hash = refHash(ref);
    return hash === undefined ? [] : [{ name: `input ${name}`, hash, path: ref.split(' ')[0] ?? name }];
  });
  return [
    ...attempt.outputs.map(({ name, path, hash, size }) => ({ name: `output ${name}`, path, hash, size })),
    ...inputs,
    ...(start?.prompt === undefined ? [] : [{ name: 'prompt', hash: start.prompt }]),
    ...(start?.unitData === undefined ? [] : [{ name: 'fields', hash: start.unitData }]),
    ...(start?.unitFile === undefined ? [] : [{ name: 'unit file', ...start.unitFile }]),
    ...(start?.preState === undefined
      ? []
      : [{ name: 'state', hash: start.preState.hash, path: start.preState.path }]),
    ...(statics === undefined ? [] : staticParts(statics)),
  ];
}

/** Definition, templates, declared files and code, as a revision records them. */
export function staticParts({ definition, templates, files, code = {} }: PhaseStatics): ComparedPart[] {
  const named = (kind: string, versions: PhaseStatics['files']) =>
    Object.entries(versions).map(([name, version]) => ({ name: `${kind} ${name}`, ...version }));
  return [
    { name: 'definition', hash: definition },
    ...named('template', templates),
    ...named('file', files),
    ...Object.entries(code).flatMap(([path, hash]) =>
      hash === null ? [] : [{ name: `code ${path}`, path, hash }],
    ),
  ];
}
