import { canonicalJson, isJsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { promotedResult, type Step } from '../../ledger/ledger.ts';
import type { Stage } from '../../model/definition.ts';
import type { OutputRecord } from '../../model/event.ts';
import type { Failure, Finding, FindingCode } from '../../model/failure.ts';
import { changeName } from '../../model/refusal.ts';
import { projectionsOf } from '../../pipeline/projections.ts';
import type { Facts } from '../../planner/facts.ts';
import { planRun } from '../../planner/run.ts';
import { outdatedSteps } from '../../planner/unit-scope.ts';
import { briefOf } from '../../projections/brief/derive.ts';
import type { Brief } from '../../projections/brief/document.ts';
import { isCurrent, readStateOf } from '../../projections/brief-file/state-file.ts';
import { unitLedgerFile } from '../../projections/unit-ledger.ts';
import { proveOutput } from '../../runner/verify-output.ts';
import { countBehindJournal } from '../observe/behind-journal.ts';
import { gatherFacts } from '../observe/facts.ts';
import { namedFiles } from '../observe/named-files.ts';
import { Origins } from '../observe/origins.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, needRun, type RunHeading } from '../open/find-run.ts';
import { lostObjectName, type OpenedRun, openRun, shownFindings } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { isRecordedManifest } from '../open/revision.ts';
import { openStore, openWorkspace, type Workspace } from '../open/workspace.ts';

/** Reads everything that a run has left, believes nothing, and tells what is not as recorded. Changes nothing. */
export async function verifyRun(
  env: Environment,
  request: Target & {
    readonly deep?: boolean | undefined;
    readonly quick?: boolean | undefined;
    readonly strict?: boolean | undefined;
  },
): Promise<Result<VerifyAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = needRun(workspace.value, request, { evenDamaged: true });
  if (!found.ok) return found;
  const placed = await resolvePipelineForRun(workspace.value, found.value);
  const opened = openRun(env, placed.root, found.value, {
    whole: true,
    pipeline: placed.loaded.pipeline,
  });
  const checked = await checkRun(placed, opened, { quick: request.quick === true && request.deep !== true });
  const behind = countBehindJournal(env, placed.root, opened);
  return ok({
    heading: createRunHeading(placed, opened),
    findings: [...shownFindings(opened), ...checked.findings],
    checked: { events: opened.eventsRead, ...checked.counts },
    ...(checked.outdated.length > 0 && { outdated: checked.outdated }),
    ...(request.strict === true && { isStrict: true }),
    ...(behind !== undefined && { behind }),
  });
}

/** The invariants of a run, each as a question to the disk. Tests ask the same ones after every crash. */
export async function checkRun(
  workspace: Workspace,
  opened: OpenedRun,
  { quick = false }: { readonly quick?: boolean } = {},
): Promise<{
  findings: Finding[];
  outdated: OutdatedStep[];
  counts: { outputs: number; objects: number };
}> {
  const findings: Finding[] = [];
  const add = (code: FindingCode, file: string, weight: Finding['weight'], detail?: string) =>
    findings.push({ code, file, weight, ...(detail !== undefined && { detail }) });
  const store = openStore(workspace);
  const facts = await gatherFacts(workspace, opened.folder, opened.ledger, store, {
    deep: !quick,
    restore: false,
    changedAfter: opened.ledger.worked.until,
  });
  const listed = listedSteps(workspace);
  const standing = pathsOfListed(opened, listed);
  const origins = new Origins(workspace, opened.folder, opened.ledger);
  const accepted = new Set(opened.ledger.acceptedDamage);
  let outputs = 0;
  let objects = 0;
  for (const step of opened.ledger.steps.values()) {
    const promoted = promotedResult(step);
    for (const result of step.results) {
      for (const record of Object.values(result?.outputs ?? {})) {
        objects += 1;
        const object = store.get(record.hash);
        // A person has accepted that it is lost.
        const weight = accepted.has(lostObjectName(record.hash)) ? 'quiet' : 'loud';
        if (object === 'damaged') add('object-damaged', record.path, weight, record.hash);
        if (object === undefined) add('object-missing', record.path, weight, record.hash);
      }
    }
    const isListed = listed(step);
    for (const record of Object.values(promoted?.outputs ?? {})) {
      // A listed step wrote the same path later, such as a phase under its new name.
      if (!isListed && standing.has(record.path)) continue;
      outputs += 1;
      const fact = isListed ? facts.outputs.get(record.path) : proven(workspace, origins, step, record);
      // No run will ever make it good, and none misses it.
      const weight = isListed ? 'loud' : 'quiet';
      if (fact?.kind === 'missing') add('output-missing', record.path, weight);
      if (fact?.kind === 'edited' && fact.writtenBy !== undefined)
        add('output-of-other-run', record.path, weight, fact.writtenBy);
      else if (fact?.kind === 'edited') add('output-edited', record.path, weight);
      if (fact?.kind === 'damaged') add('output-damaged', record.path, weight);
      if (fact?.kind === 'unpromoted') add('promotion-unfinished', record.path, 'quiet');
    }
  }
  for (const { path, step, state } of namedFiles(workspace, opened.ledger)) {
    outputs += 1;
    if (state !== 'same') add(state === 'missing' ? 'file-gone' : 'file-changed', path, 'quiet', step);
  }
  findings.push(
    ...shownState(workspace, opened, facts),
    ...orphans(facts),
    ...staleProjections(workspace, opened),
    ...brokenAuditLines(workspace, opened),
  );
  return { findings, outdated: outdatedIn(workspace, opened, facts), counts: { outputs, objects } };
}

/** Results that are as recorded, and were made from something that is different now. */
function outdatedIn({ loaded }: Workspace, { ledger }: OpenedRun, facts: Facts): OutdatedStep[] {
  const { kept } = outdatedSteps(planRun(loaded, ledger, facts));
  return [...kept.values()].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    return [{ unit: first.unit, phase: first.phase, changes: parts.flatMap(changeName) }];
  });
}

/** Facts are gathered about the cells that the pipeline lists now. */
function listedSteps({ loaded }: Workspace): (step: { unit: string; phase: string }) => boolean {
  const phases = new Map<string, Stage['phases']>();
  for (const stage of loaded.pipeline.stages) for (const { id } of stage.units) phases.set(id, stage.phases);
  return ({ unit, phase }) => phases.get(unit)?.some(({ name }) => name === phase) ?? false;
}

/** Where the outputs of listed steps are. */
function pathsOfListed({ ledger }: OpenedRun, listed: ReturnType<typeof listedSteps>): Set<string> {
  const paths = new Set<string>();
  for (const step of ledger.steps.values())
    if (listed(step))
      for (const { path } of Object.values(promotedResult(step)?.outputs ?? {})) paths.add(path);
  return paths;
}

/** A result of a step that the pipeline no longer lists. */
function proven(
  { env, root }: Workspace,
  origins: Origins,
  { unit, phase }: Step,
  record: OutputRecord,
): { kind: 'intact' | 'missing' | 'edited' | 'damaged' | 'unpromoted'; writtenBy?: string } {
  const proof = proveOutput(env.disk, `${root}/${record.path}`, record, { deep: true });
  if (proof.kind === 'other') {
    const origin = origins.of({ unit, phase, path: record.path }, proof.hash);
    if (origin.kind === 'run') return { kind: 'edited', writtenBy: origin.run };
    // Another step of this run wrote there later, and has another path by now.
    return { kind: origin.kind === 'step' || origin.kind === 'removed-step' ? 'intact' : 'edited' };
  }
  if (proof.kind === 'not-a-file') return { kind: 'damaged' };
  return { kind: proof.kind === 'torn' ? 'unpromoted' : proof.kind };
}

/** The file that shows the newest state: the one projection whose edit a run refuses, and puts back when it is gone. */
function shownState({ loaded }: Workspace, { ledger, status }: OpenedRun, facts: Facts): Finding[] {
  const { state } = loaded.pipeline;
  if (state === undefined || ledger.steps.byUnit.size === 0 || status === 'running') return [];
  if (facts.state?.shown === undefined)
    return [{ code: 'projection-differs', file: state.path, weight: 'quiet' }];
  const edited = planRun(loaded, ledger, facts).refusals.find(({ guard }) => guard === 'state-edited');
  if (edited?.guard !== 'state-edited') return [];
  const { writtenBy } = edited;
  if (writtenBy === undefined) return [{ code: 'output-edited', file: state.path, weight: 'loud' }];
  return [{ code: 'output-of-other-run', file: state.path, weight: 'loud', detail: writtenBy }];
}

/** Files at output paths that no run has recorded. */
function orphans({ unknown, strays = [] }: Facts): Finding[] {
  const found: Finding[] = unknown
    .filter(({ origin }) => origin.kind === 'unknown')
    .map(({ path }) => ({ code: 'orphan-file', file: path, weight: 'quiet' }));
  const [first] = strays;
  if (first === undefined) return found;
  const others = strays.slice(1, straysShownMax);
  const rest = strays.length - others.length - 1;
  const detail = [...others, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return [
    ...found,
    {
      code: 'file-without-unit',
      file: first,
      weight: 'quiet',
      ...(detail !== '' && { detail: `also ${detail}` }),
    },
  ];
}

const straysShownMax = 3;

/** The audit log is made line by line as a run goes on, and nothing reads it back: only here a broken line is seen. */
function brokenAuditLines({ env, root, loaded }: Workspace, { status }: OpenedRun): Finding[] {
  const { auditLog } = loaded.pipeline.layout;
  if (auditLog === undefined) return [];
  const stat = env.disk.stat(`${root}/${auditLog}`);
  if (stat === undefined && status === 'running') return [];
  const bytes = stat?.kind === 'file' ? env.disk.read(`${root}/${auditLog}`) : undefined;
  if (bytes === undefined) return [{ code: 'projection-differs', file: auditLog, weight: 'quiet' }];
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.flatMap((line, index): Finding[] => {
    const isLast = index === lines.length - 1;
    if (line === '' || (isLast && status === 'running') || isJsonObject(parseJson(line))) return [];
    const code = isLast ? 'torn-tail' : 'garbage-line';
    return [{ code, file: auditLog, line: index + 1, weight: 'quiet' }];
  });
}

/** Ledger files, and a brief, that say something else than the journal: they are made anew at the next run, and never believed. */
function staleProjections(
  { env, root, loaded }: Workspace,
  { ledger, folder, status }: OpenedRun,
): Finding[] {
  if (status === 'running') return [];
  const findings: Finding[] = [];
  for (const file of projectionsOf(loaded.pipeline, folder)) {
    if (file.name !== 'ledger') continue;
    for (const stage of loaded.pipeline.stages)
      for (const unit of stage.units) {
        const content = unitLedgerFile({ loaded, ledger, folder }, stage, unit);
        const path = file.pathOf(unit);
        // A folder may stand in its place.
        const isFile = env.disk.stat(`${root}/${path}`)?.kind === 'file';
        const bytes = isFile ? env.disk.read(`${root}/${path}`) : undefined;
        if (content !== undefined && !saysTheSame(bytes, content))
          findings.push({ code: 'projection-differs', file: path, weight: 'quiet' });
      }
  }
  // By another manifest the same journal means something else. One that says itself that it is behind is not wrong: whoever
  // died before it was written has told nobody either.
  const isOfManifest = isRecordedManifest(loaded, ledger);
  const last = isOfManifest ? readStateOf(env.disk, root, folder) : undefined;
  const state = last !== undefined && isCurrent(env.disk, root, last) ? last : undefined;
  // Where it stands is told for the moment of writing: a lease runs out, and a holder dies, without a word.
  const derived = withoutStand(briefOf(loaded.pipeline, ledger));
  if (state !== undefined && canonicalJson(withoutStand(state.brief)) !== canonicalJson(derived))
    findings.push({ code: 'projection-differs', file: state.path, weight: 'quiet' });
  return findings;
}

function withoutStand({ recovery_state: state, ...rest }: Brief): JsonValue {
  const { workflow_status: _, current_activity: __, next_step: ___, ...fixed } = state;
  return { recovery_state: fixed, ...rest } as unknown as JsonValue;
}

function saysTheSame(bytes: Uint8Array | undefined, expected: JsonValue): boolean {
  if (bytes === undefined) return false;
  try {
    return (
      canonicalJson(JSON.parse(new TextDecoder().decode(bytes)) as JsonValue) === canonicalJson(expected)
    );
  } catch {
    return false;
  }
}

export interface VerifyAnswer {
  readonly heading: RunHeading;
  readonly findings: readonly Finding[];
  readonly checked: { readonly events: number; readonly outputs: number; readonly objects: number };
  /** Steps whose results are kept although what they were made from changed; absent: there are none. */
  readonly outdated?: readonly OutdatedStep[];
  /** `--strict`: outdated results are a shortcoming. */
  readonly isStrict?: true;
  /** By how many events the files made from the journal are behind it; absent: by none. */
  readonly behind?: number;
}

export interface OutdatedStep {
  readonly unit: string;
  readonly phase: string;
  readonly changes: readonly string[];
}
