import { type Hash, hashJson } from '../../base/hash.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { findStep, newestResult } from '../../ledger/ledger.ts';
import type { Failure } from '../../model/failure.ts';
import { parseStepName } from '../../model/names.ts';
import type { Refusal, RefusalOf } from '../../model/reason.ts';
import { withoutSecrets } from '../../model/secrets.ts';
import { outdatedBy, type Plan, rerunChanges } from '../../planner/plan.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import { findStepTarget } from '../observe/cell-target.ts';
import { planRunFromDisk, type RunPlan } from '../observe/plan-from-disk.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import { diffLines } from '../observe/text-diff.ts';
import type { Environment } from '../open/environment.ts';
import { needRun } from '../open/find-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';

/** Line by line, what differs between what results were made from and what is there now: of a cell, or of all. */
export async function showDiff(
  env: Environment,
  request: Target & { readonly cell?: string | undefined },
): Promise<Result<DiffAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, request);
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  if (request.cell !== undefined) {
    const target = findStepTarget(placed, request.cell);
    if (!target.ok) return target;
  }
  const seen = await planRunFromDisk(placed, opened.value, { deep: false, restore: false });
  const step = request.cell === undefined ? undefined : parseStepName(request.cell);
  const about = [...seen.plan.refusals, ...treatedChanges(seen.plan)].filter(
    (refusal) =>
      step === undefined ||
      ('phase' in refusal && refusal.unit === step.unit && refusal.phase === step.phase),
  );
  const diffs = new Map<string, TextDiff>();
  const unshown: Refusal[] = [];
  const shown = new Set<string>();
  for (const refusal of about) {
    const cause = JSON.stringify({ ...refusal, unit: '', phase: '' });
    if (shown.has(cause)) continue;
    const lines = diffsOf(seen, refusal);
    if (lines.length > 0) shown.add(cause);
    if (lines.length === 0) unshown.push(refusal);
    for (const diff of lines) diffs.set(`${diff.title} ${diff.before.hash}`, diff);
  }
  return ok({ diffs: [...diffs.values()], unshown });
}

/** Changes that a policy or a person answered: the steps run again, or their results are kept as outdated. */
function treatedChanges({ units }: Plan): Refusal[] {
  const changes: Refusal[] = [];
  for (const { cells: steps } of units.values())
    for (const { decision } of steps) {
      changes.push(...rerunChanges(decision));
      for (const part of outdatedBy(decision)) if (part.guard !== 'input-changed') changes.push(part);
    }
  return changes;
}

/** What a guard refuses, line by line; empty where there are no lines. */
export function diffsOf(seen: RunPlan, refusal: Refusal): TextDiff[] {
  switch (refusal.guard) {
    case 'prompt-changed':
    case 'file-changed':
    case 'output-edited':
    case 'state-edited':
      return [fileDiff(seen, refusal.path, refusal.before, refusal.after)];
    case 'manifest-changed':
      return [manifestDiff(seen, refusal.before)];
    case 'pre-state-differs': {
      const step = findStep(seen.ledger, refusal.unit, refusal.phase);
      const path = (step && newestResult(step)?.preState?.path) ?? '';
      return [stateDiff(seen, path, refusal.before, refusal.after)];
    }
    case 'code-changed':
      return codeDiffs(seen, refusal);
    case 'unit-changed': {
      const { file, isOneHash, before, after } = refusal;
      // What an older version of Pawl recorded names no bytes of the file.
      return file === undefined || isOneHash ? [] : [fileDiff(seen, file, before, after)];
    }
    case 'definition-changed':
    case 'in-doubt':
      return [];
  }
}

function fileDiff(
  { workspace, store }: RunPlan,
  path: string,
  before: Hash | undefined,
  after: Hash | undefined,
): TextDiff {
  const now = workspace.env.disk.read(`${workspace.root}/${path}`, shownBytesMax);
  return diff(workspace, path, [before, after], [stored(store, before), textOf(now)]);
}

/** Of each file of the code; its bytes are kept with the revision that recorded them. */
function codeDiffs(seen: RunPlan, { unit, phase, paths }: RefusalOf<'code-changed'>): TextDiff[] {
  const step = findStep(seen.ledger, unit, phase);
  const result = step && newestResult(step);
  const revision = result?.kept?.made.revision ?? result?.revision ?? 0;
  const before = seen.ledger.revisions.get(revision)?.phases[phase]?.code ?? {};
  const now = seen.workspace.loaded.statics.get(phase)?.code;
  return paths.map((path) => fileDiff(seen, path, before[path] ?? undefined, now?.get(path)));
}

/** A state that was never started from is not in the store yet: then it lies where the initial one belongs. */
function stateDiff(
  { workspace, store }: RunPlan,
  path: string,
  before: Hash | undefined,
  after: Hash | undefined,
): TextDiff {
  const initial = workspace.loaded.pipeline.state?.initial ?? path;
  const now =
    after !== undefined && store.has(after)
      ? stored(store, after)
      : textOf(workspace.env.disk.read(`${workspace.root}/${initial}`, shownBytesMax));
  return diff(workspace, path, [before, after], [stored(store, before), now]);
}

function manifestDiff({ workspace, facts }: RunPlan, before: Hash): TextDiff {
  const { manifest } = workspace.loaded.pipeline;
  // Both in one order of keys: the recorded one was kept in canonical form.
  const text = (value: JsonObject | undefined) =>
    `${JSON.stringify(JSON.parse(canonicalJson(withoutSecrets(value ?? {}))), null, 2)}\n`;
  const texts = [text(facts.manifestBefore), text(manifest)] as const;
  return diff(workspace, workspace.manifest, [before, hashJson(manifest)], texts);
}

const shownBytesMax = 16 * 1024 * 1024;

function stored(store: RunPlan['store'], hash: Hash | undefined): string {
  const bytes = hash === undefined ? undefined : store.get(hash);
  return bytes === 'damaged' ? '' : textOf(bytes);
}

function textOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

function diff(
  workspace: Workspace,
  path: string,
  [before, after]: readonly [Hash | undefined, Hash | undefined],
  [was, is]: readonly [string, string],
): TextDiff {
  const { redact } = shownRedactor(workspace);
  return {
    title: path,
    before: { path, hash: before },
    after: { path, hash: after },
    lines: diffLines(redact(was), redact(is)),
  };
}

export interface DiffAnswer {
  readonly diffs: readonly TextDiff[];
  /** What refuses and has no lines that could be shown: only its hash was kept. */
  readonly unshown: readonly Refusal[];
}
