import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { parseStepName } from '../../model/names.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import { gatherDecisions } from '../observe/decisions.ts';
import type { HistoryEntry } from '../observe/history-entry.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';

/** What was decided about a run or a unit, the newest last. */
export interface HistoryAnswer {
  readonly heading: RunHeading;
  /** Only decisions that affected this unit or step; absent: all of the run. */
  readonly about?: string;
  readonly decisions: readonly HistoryEntry[];
}

export interface HistoryRequest extends Target {
  /** A unit's id, or `UNIT/PHASE`; absent: the whole run. */
  readonly unit?: string | undefined;
}

/** Every decision about a run or a unit, from the whole journal. Changes nothing. */
export async function showHistory(
  env: Environment,
  { unit: about, ...target }: HistoryRequest,
): Promise<Result<HistoryAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  if (about !== undefined) {
    const known = checkName(workspace.value, opened.value, about);
    if (!known.ok) return known;
  }
  const journal = openRunJournal(env, workspace.value.root, opened.value.folder);
  const decisions = gatherDecisions(journal.events());
  return ok({
    heading: createRunHeading(workspace.value, opened.value),
    ...(about !== undefined && { about }),
    decisions: about === undefined ? decisions : decisions.flatMap((entry) => narrowed(entry, about)),
  });
}

/** What a decision is about a unit or a step; nothing where it did not affect it. */
export function narrowed(entry: HistoryEntry, about: string): HistoryEntry[] {
  const isMeant = (step: string) => step === about || step.startsWith(`${about}/`);
  const effects = entry.effects.flatMap((effect) => {
    const steps = effect.steps.filter(isMeant);
    return steps.length === 0 ? [] : [{ ...effect, steps }];
  });
  const isNamed = entry.affects?.some(isMeant) === true;
  return effects.length > 0 || isNamed ? [{ ...entry, effects }] : [];
}

/** A unit that the manifest no longer lists has a history, too. */
function checkName({ loaded }: Workspace, { ledger }: OpenedRun, about: string): Result<undefined, Failure> {
  const unit = parseStepName(about)?.unit ?? about;
  const listed = loaded.pipeline.stages.flatMap(({ units }) => units.map(({ id }) => id));
  if (ledger.steps.byUnit.has(unit) || listed.includes(unit)) return ok(undefined);
  const near = nearest(about, [...new Set([...listed, ...ledger.steps.byUnit.keys()])].slice(0, comparedMax));
  return fail({ reason: 'usage', problem: { code: 'unknown-unit', name: about, near } });
}

const comparedMax = 5_000;
