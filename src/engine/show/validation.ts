import { findStep, type Ledger, promotedResult } from '../../ledger/ledger.ts';
import { allQuestions, type QuestionRecord } from '../../ledger/questions.ts';
import type { OutputSpec } from '../../model/definition.ts';
import type { Asked, OutputRecord } from '../../model/event.ts';
import type { Refusal } from '../../model/reason.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { Facts, OutputOnDisk } from '../../planner/facts.ts';
import { stillRefused } from '../../planner/open-guards.ts';
import type { Overrides } from '../../planner/overrides.ts';
import type { Decision, Plan } from '../../planner/plan.ts';
import { beforeLabel } from '../../planner/questions.ts';
import { refusedChange } from '../observe/changed-file.ts';
import { openQuestions } from '../observe/questions.ts';
import type { Consequence, ValidatedSubject, ValidationRow } from '../observe/task-answers.ts';
import { type FilesInAttempt, unfinishedOutput } from './unfinished.ts';
import { becomes, type Found, rowsOf } from './validation-rows.ts';

/** A run as it was found, and as it is gone on with. */
export interface Validated {
  readonly loaded: LoadedPipeline;
  /** The manifest's name in the workspace; empty for a pipeline given in code. */
  readonly manifest: string;
  readonly ledger: Ledger;
  /** The plan before anything was settled: what refuses, also where it is settled since. */
  readonly found: Plan;
  readonly plan: Plan;
  /** As they were found: a file that the manifest takes in is still an edited one. */
  readonly facts: Pick<Facts, 'outputs' | 'unknown'>;
  readonly overrides: Overrides;
  /** Somebody holds the run, and lives. */
  readonly isHeld: boolean;
  /** Asked of a few attempts only. */
  readonly filesIn: FilesInAttempt;
}

/**
 * What has to be true before a run is gone on with: every check with what it found, and what the plan makes of that. It
 * decides nothing itself. Pure, and of a large run it looks at each output once.
 */
export function validate(run: Validated): ValidationRow[] {
  const followsFrom = consequences(run);
  const outputs = lookAtOutputs(run, followsFrom);
  const sources = unique([...refusedSources(run, followsFrom), ...rerunSources(run), ...newTemplates(run)]);
  const files = sourceCount(run);
  const { total, guarded, checked } = outputs;
  const unfinished = unfinishedOutput(run);
  const questions = askedAndDecided(run);
  return [
    ...rowsOf('sources', sources, { of: files + guarded.of, sound: files + guarded.sound }),
    ...rowsOf('artifacts', outputs.artifacts, total),
    ...rowsOf('unfinished', unfinished.found, unfinished),
    ...rowsOf('checks', outputs.failed, checked),
    ...rowsOf('questions', questions, { of: questions.length }),
  ];
}

/** A file that many results were made from is one file. */
function unique(found: readonly Found[]): Found[] {
  const byPath = new Map<string, Found>();
  for (const one of found) if (!byPath.has(one.subject.path ?? '')) byPath.set(one.subject.path ?? '', one);
  return [...byPath.values()];
}

function sourceCount({ loaded, manifest }: Validated): number {
  const { files, state } = loaded.pipeline;
  const paths = new Set([manifest]);
  // What nobody wants to know of is not looked at.
  for (const { path, onChange } of files) if (onChange !== 'ignore') paths.add(path);
  for (const { templates } of loaded.statics.values())
    for (const { path } of templates.values()) paths.add(path);
  if (state !== undefined) paths.add(state.path);
  return paths.size;
}

function refusedSources(run: Validated, followsFrom: FollowsFrom): Found[] {
  return run.found.refusals.flatMap((refusal) => {
    const change = refusedChange(run, refusal);
    // Of the outputs only those count here that stand for what people want: the others are artifacts.
    if (change === undefined || (refusal.guard === 'output-edited' && refusal.asks === undefined)) return [];
    const asked = 'asks' in refusal ? (refusal.chosen?.id ?? refusal.asks?.id) : undefined;
    const subject = { path: change.path, ...(asked !== undefined && { id: asked }) };
    return {
      result: change.change === 'missing' ? 'missing' : 'changed',
      subject,
      follows: followsFrom(refusal),
    };
  });
}

/** Files of which the manifest says that a change runs again what was made from them: no guard tells of these. */
function rerunSources({ loaded, ledger }: Validated): Found[] {
  const files = loaded.pipeline.files.filter(({ onChange }) => onChange === 'rerun');
  const seen = new Set<string>();
  const found: Found[] = [];
  for (const { phases, units } of files.length === 0 ? [] : loaded.pipeline.stages) {
    for (const { name: phase } of phases) {
      const now = loaded.statics.get(phase)?.files;
      const taken = files.filter(({ name }) => now?.get(name)?.hash !== undefined);
      for (const { id } of taken.length === 0 ? [] : units) {
        for (const result of findStep(ledger, id, phase)?.results ?? []) {
          if (result === undefined || result.reported || result.byHand) continue;
          const key = `${phase} ${result.revision}`;
          if (seen.has(key)) continue;
          seen.add(key);
          const before = ledger.revisions.get(result.revision)?.phases[phase]?.files;
          for (const { name, path } of before === undefined ? [] : taken)
            if (before?.[name]?.hash !== now?.get(name)?.hash)
              found.push({ result: 'changed', subject: { path }, follows: { code: 'runs-again' } });
        }
      }
    }
  }
  return found;
}

/** Templates that changed, and that only steps without a result use. */
function newTemplates({ found }: Validated): Found[] {
  return found.notices.flatMap((notice) =>
    notice.code !== 'templates-changed'
      ? []
      : notice.paths.map(
          (path): Found => ({ result: 'changed', subject: { path }, follows: { code: 'runs-again' } }),
        ),
  );
}

type FollowsFrom = (refusal: Refusal) => Consequence;

/** What becomes of something that a guard has found. */
function consequences({ loaded, found, overrides }: Validated): FollowsFrom {
  const refused = new Set(stillRefused(loaded, found, overrides));
  return (refusal) => {
    const about = refusal.guard === 'file-changed' || refusal.guard === 'output-edited' ? refusal : undefined;
    if (refused.has(refusal)) return { code: about?.asks === undefined ? 'refused' : 'asks-person' };
    if (about?.chosen === undefined) return { code: 'allowed' };
    const { restart } = about.chosen;
    return restart === undefined ? { code: 'keeps' } : { code: 'restarts', from: restart };
  };
}

interface LookedAtOutputs {
  readonly total: Tally;
  /** Outputs that stand for what people want: a change of them is asked about. */
  readonly guarded: Tally;
  readonly checked: Tally;
  readonly artifacts: readonly Found[];
  readonly failed: readonly Found[];
}

/** How many there are, and how many of them are as recorded. */
interface Tally {
  of: number;
  sound: number;
}

function lookAtOutputs(run: Validated, followsFrom: FollowsFrom): LookedAtOutputs {
  const { loaded, ledger, facts } = run;
  const edits = editsByPath(run, followsFrom);
  const [total, guarded, checked] = [tally(), tally(), tally()];
  const artifacts: Found[] = [];
  const failed: Found[] = [];
  for (const { phases, units } of loaded.pipeline.stages) {
    for (const phase of phases) {
      for (const { id: unit } of units) {
        const step = findStep(ledger, unit, phase.name);
        const outputs = step && promotedResult(step)?.outputs;
        for (const name in outputs) {
          const { path } = outputs[name] as OutputRecord;
          const spec = phase.outputs.find((output) => output.name === name);
          const fact = facts.outputs.get(path);
          add(total, fact);
          if (spec?.onEdit === 'ask') add(guarded, fact);
          if (spec?.check !== undefined) add(checked, fact);
          if (fact === undefined) continue;
          const subject = { path, unit, phase: phase.name };
          const decision = decisionOn(run, unit, phase.name);
          if (isFailedCheck(fact)) failed.push(failedCheck(fact, subject, decision));
          else artifacts.push(...troubleWith(fact, subject, spec, edits.get(path), decision));
        }
      }
    }
  }
  return { total, guarded, checked, artifacts, failed };
}

function tally(): Tally {
  return { of: 0, sound: 0 };
}

function add(counted: Tally, fact: OutputOnDisk | undefined): void {
  counted.of += 1;
  if (fact === undefined) counted.sound += 1;
}

/** Edits of outputs that a guard has seen, with what becomes of them. */
function editsByPath({ found }: Validated, followsFrom: FollowsFrom): ReadonlyMap<string, Consequence> {
  const edits = new Map<string, Consequence>();
  for (const refusal of found.refusals)
    if (refusal.guard === 'output-edited') edits.set(refusal.path, followsFrom(refusal));
  return edits;
}

function troubleWith(
  fact: OutputOnDisk,
  subject: ValidatedSubject,
  spec: OutputSpec | undefined,
  edit: Consequence | undefined,
  decision: Decision | undefined,
): Found[] {
  if (fact.kind !== 'edited') {
    const result = fact.kind === 'damaged' ? 'damaged' : 'missing';
    const isOurs = fact.kind === 'unpromoted' && decision?.do === 'wait';
    return [{ result, subject, follows: isOurs ? { code: 'restores' } : becomes(decision) }];
  }
  // It is told with what results are made from.
  if (spec?.onEdit === 'ask' && edit !== undefined) return [];
  const follows: Consequence | undefined = spec?.onEdit === 'adopt' ? { code: 'adopts' } : edit;
  return [{ result: 'changed', subject, follows: follows ?? becomes(decision) }];
}

type FailedCheck = OutputOnDisk & {
  readonly kind: 'damaged';
  readonly damage: { readonly kind: 'check-failed'; readonly detail: string };
};

function isFailedCheck(fact: OutputOnDisk): fact is FailedCheck {
  return fact.kind === 'damaged' && fact.damage.kind === 'check-failed';
}

function failedCheck(
  { damage }: FailedCheck,
  subject: ValidatedSubject,
  decision: Decision | undefined,
): Found {
  return { result: 'damaged', subject: { ...subject, detail: damage.detail }, follows: becomes(decision) };
}

function decisionOn({ plan }: Validated, unit: string, phase: string): Decision | undefined {
  return plan.units.get(unit)?.cells.find((step) => step.phase === phase)?.decision;
}

function askedAndDecided(run: Validated): Found[] {
  const open = openQuestions(run.plan);
  const asked = open.map(({ id, name, unit, phase }): Found => {
    const subject = { name, ...(id !== undefined && { id }), ...(unit !== '' && { unit, phase }) };
    return { result: 'asks', subject, follows: { code: 'asks-person' } };
  });
  // What was rejected and is the same again is asked about again: then the answer counts no longer.
  const again = new Set(open.map(aboutKey));
  const decided = allQuestions(run.ledger).flatMap((record): Found[] => {
    const { id, name, unit, phase, decided: answer } = record;
    if (answer === undefined || again.has(aboutKey(record)) || !isStanding(run, record)) return [];
    const subject = { id, name, detail: answer.decision, ...(unit !== '' && { unit, phase }) };
    return [{ result: 'ok', subject, follows: undefined }];
  });
  return [...asked, ...decided];
}

function aboutKey({ unit, phase, place, shown }: Omit<Asked, 'id'>): string {
  return JSON.stringify([unit, phase, place, shown]);
}

/** What it was about is still there. An answer to something else was given, but it no longer counts for anything. */
function isStanding({ ledger, loaded }: Validated, { unit, shown }: QuestionRecord): boolean {
  return Object.entries(shown).every(([label, hash]) => {
    // What it was before is gone, as it should be.
    if (label.startsWith(beforeLabel)) return true;
    if (unit === '') return fileHash(loaded, label) === hash;
    const [, phase = ''] = /^([^\s.]+)\./.exec(label) ?? [];
    const placed = findStep(ledger, unit, phase)?.placed;
    // What is no output cannot have changed; and an input goes by another name than the output that it is.
    return placed === undefined || Object.values(placed).some((output) => output.hash === hash);
  });
}

function fileHash({ statics }: LoadedPipeline, path: string): string | undefined {
  for (const { files } of statics.values())
    for (const file of files.values()) if (file.path === path) return file.hash;
  return undefined;
}
