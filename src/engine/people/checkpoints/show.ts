import { isUtf8 } from 'node:buffer';
import type { Hash } from '../../../base/hash.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { allQuestions, type QuestionRecord } from '../../../ledger/questions.ts';
import type { Failure } from '../../../model/failure.ts';
import { shownRedactor } from '../../../runner/redaction.ts';
import { eventsAbout, gatherAttempts } from '../../observe/attempts.ts';
import type { ObservedUnits } from '../../observe/plan-from-disk.ts';
import { planUnitsAfterDefaults } from '../../observe/plan-units.ts';
import type { CheckpointView, ShownFile } from '../../observe/questions.ts';
import { type AskingPlan, checkpointViews } from '../../observe/questions.ts';
import type { TextDiff } from '../../observe/text-diff.ts';
import { diffLines } from '../../observe/text-diff.ts';
import type { Environment } from '../../open/environment.ts';
import { createRunHeading, needRun } from '../../open/find-run.ts';
import type { Target } from '../../open/requests.ts';
import { resolvePipelineForRun } from '../../open/resolve-pipeline.ts';
import { openRunJournal } from '../../open/run-files.ts';
import { openWorkspace, type Workspace } from '../../open/workspace.ts';
import type { ShowAnswer, ShownContent } from './answers.ts';

/** What a question is about: the files as they would be judged, and how they differ from what was judged last. */
export async function showCheckpoint(
  env: Environment,
  { id, ...target }: Target & { readonly id: string },
): Promise<Result<ShowAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target, { question: id });
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const seen = await planUnitsAfterDefaults(
    placed,
    opened.value,
    unitAskedIn(placed, opened.value.ledger, id),
  );
  const views = checkpointViews(seen.ledger, askingPlan(seen), seen.facts.now);
  const checkpoint = views.find((view) => view.id === id);
  if (checkpoint === undefined) {
    const open = views.flatMap((view) => (view.state === 'waiting' ? (view.id ?? []) : []));
    return fail({ reason: 'no-such-question', id, open });
  }
  const before = judgedBefore(seen, checkpoint);
  return ok({
    heading: createRunHeading(placed, opened.value),
    checkpoint,
    files: checkpoint.shown.map((file) => contentOf(seen, file, before)),
    attempts: triedSoFar(seen, opened.value.folder, checkpoint),
  });
}

/** The unit that a question is about; undefined: it is about several, or it is not known which one has this id. */
function unitAskedIn({ loaded }: Workspace, ledger: Ledger, id: string): ReadonlySet<string> | undefined {
  // A state that is shown may be the one that later units are refused for.
  if (loaded.pipeline.state !== undefined) return undefined;
  const [record, ...others] = allQuestions(ledger).filter((asked) => asked.id === id);
  if (record === undefined || others.length > 0 || record.unit === '' || record.question === 'change')
    return undefined;
  return new Set([record.unit]);
}

/** Where only some units were planned, as much as a question about one of them is made of. */
function askingPlan({ plan }: ObservedUnits): AskingPlan {
  const refusals = [...plan.units.values()].flatMap((unit) => unit.refusals);
  return { refusals, limits: [], ...plan };
}

/** The last one that was decided at the same place, before this one. */
function judgedBefore(
  { ledger }: ObservedUnits,
  { id, unit, phase }: CheckpointView,
): QuestionRecord | undefined {
  const all = allQuestions(ledger);
  const own = all.findIndex((asked) => asked.id === id);
  const place = all[own]?.place;
  return all
    .slice(0, own)
    .findLast(
      (asked) => asked.decided && asked.unit === unit && asked.phase === phase && asked.place === place,
    );
}

const shownBytesMax = 1024 * 1024;

function contentOf(seen: ObservedUnits, file: ShownFile, before: QuestionRecord | undefined): ShownContent {
  const bytes = bytesOf(seen, file.hash, file.path);
  const text = textOf(seen, bytes);
  return {
    ...file,
    text,
    size: bytes?.length ?? 0,
    diff: text === undefined ? undefined : diffTo(seen, file, text, before),
  };
}

/** As it was recorded; what was edited since lies only at its path. */
function bytesOf(
  { workspace, store }: ObservedUnits,
  hash: Hash,
  path: string | undefined,
): Uint8Array | undefined {
  const stored = store.get(hash);
  if (stored !== undefined && stored !== 'damaged') return stored;
  // What a change is called need not be a file: `state` may well be a folder.
  if (path === undefined || workspace.env.disk.stat(`${workspace.root}/${path}`)?.kind !== 'file')
    return undefined;
  return workspace.env.disk.read(`${workspace.root}/${path}`, shownBytesMax);
}

/** For people and agents to read: a value of the environment that got into a file is not shown. */
function textOf({ workspace }: ObservedUnits, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > shownBytesMax || !isUtf8(bytes) || bytes.includes(0))
    return undefined;
  return shownRedactor(workspace).redact(new TextDecoder().decode(bytes));
}

function diffTo(
  seen: ObservedUnits,
  { label, path = label, hash }: ShownFile,
  text: string,
  before: QuestionRecord | undefined,
): TextDiff | undefined {
  const was = before?.shown[label] ?? recordedBefore(seen, path, hash);
  if (was === undefined || was === hash) return undefined;
  const old = textOf(seen, bytesOf(seen, was, undefined));
  if (old === undefined) return undefined;
  return {
    title: path,
    before: { path, hash: was },
    after: { path, hash },
    lines: diffLines(old, text),
  };
}

/** Of a file that has changed under its results: what these were made from. */
function recordedBefore(seen: ObservedUnits, path: string, hash: Hash): Hash | undefined {
  for (const refusal of askingPlan(seen).refusals) {
    if (refusal.guard === 'pre-state-differs' && refusal.after === hash) return refusal.before;
    if (refusal.guard !== 'file-changed' && refusal.guard !== 'output-edited') continue;
    if (refusal.path === path && refusal.after === hash) return refusal.before;
  }
  return undefined;
}

/** Every attempt at the cell, with what each has cost: what a person needs to know who is to grant more. */
function triedSoFar(
  { workspace }: ObservedUnits,
  folder: string,
  { question, unit, phase }: CheckpointView,
): ShowAnswer['attempts'] {
  if (question !== 'attempts' && question !== 'interruptions') return [];
  const { env, root } = workspace;
  const journal = openRunJournal(env, root, folder);
  const events = eventsAbout(journal.events(), (one) => one === unit);
  const ofUnit = gatherAttempts(events, false).get(unit) ?? [];
  return ofUnit
    .filter((attempt) => attempt.phase === phase)
    .map(({ attempt, failure, message, ms, cost }) => ({ attempt, failure, message, ms, cost }));
}
