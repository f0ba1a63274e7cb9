import { findStep, type Ledger, newestResult, type Step } from '../../ledger/ledger.ts';
import type { Phase, Pipeline } from '../../model/definition.ts';
import { isForOthers } from '../../model/executor.ts';
import { stepName } from '../../model/names.ts';
import type { Facts, UnknownFile } from '../../planner/facts.ts';
import { type Decision, isMade, type Plan } from '../../planner/plan.ts';
import type { Consequence, ValidationResult } from '../observe/task-answers.ts';
import { becomes, type Found } from './validation-rows.ts';

/** Files in the folder of an attempt, relative to the workspace. */
export type FilesInAttempt = (attempt: {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
}) => { readonly folder: string; readonly files: readonly string[] };

interface Looked {
  readonly loaded: { readonly pipeline: Pipeline };
  readonly ledger: Ledger;
  readonly plan: Plan;
  readonly facts: Pick<Facts, 'unknown'>;
  readonly isHeld: boolean;
  readonly filesIn: FilesInAttempt;
}

/** Attempts whose folders are looked into; of a run of thousands of units hardly anybody reads of more. */
const foldersMax = 8;
const filesMax = 20;

/**
 * What there is of the output of phases that somebody was at; where nobody was, of the first unfinished phase of each
 * unit. That files lie there makes no result: nobody has said that they are whole.
 */
export function unfinishedOutput(run: Looked): { readonly found: readonly Found[]; readonly of: number } {
  const steps = unfinishedSteps(run);
  const unknown = unknownByStep(run.facts);
  const found: Found[] = [];
  let folders = 0;
  for (const one of steps) {
    if (one.attempt > 0) folders += 1;
    if (one.attempt > 0 && folders > foldersMax) continue;
    found.push(outputSoFar(run, one, unknown.get(stepName(one.unit, one.phase.name)) ?? []));
  }
  return { found, of: steps.length };
}

interface UnfinishedStep {
  readonly unit: string;
  readonly phase: Phase;
  readonly step: Step | undefined;
  /** The newest one; 0: none was ever started. */
  readonly attempt: number;
  readonly decision: Decision;
}

function unfinishedSteps({ loaded, ledger, plan }: Looked): UnfinishedStep[] {
  const underWay: UnfinishedStep[] = [];
  const next: UnfinishedStep[] = [];
  for (const { phases, units } of loaded.pipeline.stages) {
    for (const { id: unit } of units) {
      let isFirst = true;
      for (const { phase: name, decision } of plan.units.get(unit)?.cells ?? []) {
        if (isMade(decision)) continue;
        const phase = phases.find((listed) => listed.name === name);
        const step = findStep(ledger, unit, name);
        const attempt = step?.running?.attempt ?? step?.attempts ?? 0;
        const one = phase && { unit, phase, step, attempt, decision };
        if (one !== undefined && step?.running !== undefined) underWay.push(one);
        else if (one !== undefined && isFirst && isNext(one)) next.push(one);
        isFirst = false;
      }
    }
  }
  return underWay.length > 0 ? underWay : next;
}

/** Nothing has come of it yet. What is made again because it no longer holds was finished once. */
function isNext({ step, decision }: UnfinishedStep): boolean {
  return decision.do !== 'wait' && (step === undefined || newestResult(step) === undefined);
}

function unknownByStep({ unknown }: Looked['facts']): Map<string, UnknownFile[]> {
  const byStep = new Map<string, UnknownFile[]>();
  for (const file of unknown) {
    const name = stepName(file.unit, file.phase);
    byStep.set(name, [...(byStep.get(name) ?? []), file]);
  }
  return byStep;
}

function outputSoFar(run: Looked, one: UnfinishedStep, unknown: readonly UnknownFile[]): Found {
  const { unit, phase, attempt } = one;
  const { folder, files: left } =
    attempt === 0 ? { folder: '', files: [] } : run.filesIn({ unit, phase: phase.name, attempt });
  const inside = left.map((path) => path.slice(folder.length + 1)).filter((name) => !givenFile.test(name));
  const files = [...inside.map((name) => `${folder}/${name}`), ...unknown.map(({ path }) => path)];
  const made = new Set([
    ...inside.map((name) => name.replace(/^(?:outputs|completion)\//, '')),
    ...unknown.map(({ output }) => output),
  ]);
  const owed = phase.outputs.filter(({ optional }) => !optional);
  const isComplete = owed.length > 0 && owed.every(({ name }) => made.has(name));
  const result: ValidationResult = files.length === 0 ? 'none' : isComplete ? 'complete' : 'partial';
  const subject = {
    unit,
    phase: phase.name,
    ...(attempt > 0 && { attempt }),
    ...(files.length > 0 && { files: files.slice(0, filesMax) }),
  };
  return { result, subject, follows: whatFollows(run, one, files.length) };
}

/** What an attempt is given, and what it says on the way: no output of its own. */
const givenFile =
  /^(?:(?:task|context|revise|result|input-.*)\.json|prompt\.md|std(?:out|err)\.log|inputs\/.*)$/;

function whatFollows({ isHeld }: Looked, one: UnfinishedStep, files: number): Consequence | undefined {
  const { phase, step, attempt, decision } = one;
  if (decision.do !== 'run' && decision.do !== 'wait') return becomes(decision);
  if (isHeld && step?.running !== undefined) return { code: 'waits' };
  if (isHandedOn(one)) return { code: 'continues' };
  if (attempt > 0) return { code: 'runs-again' };
  // Whoever claims it may hand in what lies there.
  return files > 0 && !isForOthers(phase) ? { code: 'moves-aside' } : undefined;
}

function isHandedOn({ phase, step, decision }: UnfinishedStep): boolean {
  const isCutOff =
    decision.do === 'run' && (decision.why.code === 'interrupted' || decision.why.code === 'released');
  if (isCutOff && phase.onInterrupt === 'continue') return true;
  return phase.again === 'continue' && step?.placed !== undefined;
}
