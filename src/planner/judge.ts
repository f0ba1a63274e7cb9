import type { StepResult } from '../ledger/ledger.ts';
import { importedPage } from '../ledger/results.ts';
import type { EndedLoop, GateStop, RunReason, StopReason } from '../model/reason.ts';
import { isLetThrough } from '../model/result-event.ts';
import { type JudgedRound, type Loop, phaseAt, type Walk } from './context.ts';
import { comparedResult, type Decision } from './plan.ts';
import { gateQuestion } from './questions.ts';
import { bestRound, type Ending, endingOf, type RoundsBefore } from './rounds.ts';

/*
 * The path of a gate's loop. There is no loop state: every walk judges the recorded rounds again, one after
 * the other, with the same result.
 */

/**
 * Where the walk stands after the decision on a phase of a loop: there; at the gate, when the loop is over; or before the
 * loop's head, when it goes round again.
 */
export function goRound(walk: Walk, loop: Loop, at: number): number {
  const decision = walk.decisions[at];
  if (decision === undefined) throw new Error(`nothing was decided on phase ${at}`);
  if (at === loop.head && isBeyondBudget(walk, loop, decision)) {
    endByBudget(walk, loop);
    return loop.end;
  }
  const result = at === loop.end ? comparedResult(decision) : undefined;
  if (result === undefined || judge(walk, loop, result) === 'over') return at;
  startRound(walk, loop);
  return loop.head - 1;
}

/** The judged rounds of a unit's gate, for the history. */
export interface GateHistory {
  readonly phase: string;
  /** The phases that every round goes through. */
  readonly loop: readonly string[];
  /** In order; without one that is under way. */
  readonly rounds: readonly {
    readonly round: number;
    /** By phase of the loop: the attempt whose result the round was judged by. */
    readonly attempts: ReadonlyMap<string, number>;
  }[];
  /** Undefined: it goes on. */
  readonly stopped: 'passed' | GateStop | undefined;
  /** The round with the best score so far. */
  readonly best: number | undefined;
  /** The round that counts, or that a person is asked about. */
  readonly kept: number | undefined;
}

export function gateHistories(walk: Walk): GateHistory[] {
  return [...walk.judged].map(([loop, rounds]) => {
    const phases = walk.shape.stage.phases.slice(loop.head, loop.end + 1).map(({ name }) => name);
    const ended = walk.ended.get(loop);
    return {
      phase: loop.gatePhase,
      loop: phases,
      rounds: rounds.map(({ round, decisions }) => ({ round, attempts: attemptsIn(phases, decisions) })),
      stopped: ended?.stopped,
      best: bestRound(rounds)?.round,
      kept: ended?.kept.round,
    };
  });
}

function attemptsIn(phases: readonly string[], decisions: JudgedRound['decisions']): Map<string, number> {
  const attempts = new Map<string, number>();
  phases.forEach((phase, nth) => {
    const decision = decisions[nth];
    const result = decision && comparedResult(decision);
    if (result !== undefined) attempts.set(phase, result.attempt);
  });
  return attempts;
}

/** Judges the round that the walk has come to the end of. */
function judge(walk: Walk, loop: Loop, result: StepResult): 'again' | 'over' {
  const rounds = walk.judged.get(loop) ?? [];
  const decisions = walk.decisions.slice(loop.head, loop.end + 1);
  const { score, defects } = result;
  rounds.push({ round: walk.rounds.get(loop) ?? 1, score, defects, result, decisions });
  walk.judged.set(loop, rounds);
  if (isThrough(loop, result)) {
    walk.ended.set(loop, { stopped: 'passed', kept: newest(rounds), stop: undefined });
    return 'over';
  }
  const ending = endingOf(loop.gate, rounds, roundsBefore(walk, loop));
  if (ending === undefined) return 'again';
  end(walk, loop, rounds, ending);
  return 'over';
}

/** What was counted before the run was imported. */
function roundsBefore({ context, unit }: Walk, { gatePhase }: Loop): RoundsBefore {
  const page = importedPage(context.ledger, unit.id);
  return { rounds: page?.rounds?.[gatePhase] ?? 0, defects: page?.clusters ?? [] };
}

/** What another tool or a person let through was let through, whatever the bar is now. */
function isThrough({ gate }: Loop, result: StepResult): boolean {
  if (result.reported || ((result.byHand || result.imported) && result.passed === true)) return true;
  return isLetThrough(gate, result);
}

function newest(rounds: readonly JudgedRound[]): JudgedRound {
  const last = rounds.at(-1);
  if (last === undefined) throw new Error('a loop has ended before it was judged');
  return last;
}

function startRound(walk: Walk, loop: Loop): void {
  walk.rounds.set(loop, (walk.rounds.get(loop) ?? 1) + 1);
  for (let at = loop.head; at <= loop.end; at++) {
    const { name } = phaseAt(walk.shape, at);
    const decision = walk.decisions[at];
    const result = decision && comparedResult(decision);
    if (result === undefined) walk.roundBefore.delete(name);
    else walk.roundBefore.set(name, result);
    walk.decisions[at] = undefined;
  }
}

/** Settles a loop that has ended without a pass: which round stands, and whether anything may be built on it. */
function end(walk: Walk, loop: Loop, rounds: readonly JudgedRound[], ending: Ending): void {
  const kept = keptRound(loop, rounds);
  bringBack(walk, loop, kept);
  const stop = whatThen(walk, loop, kept, {
    ...ending,
    iterations: newest(rounds).round + roundsBefore(walk, loop).rounds,
    round: kept.round,
    verdict: kept.result.verdict ?? '',
    ...(kept.result.score !== undefined && { score: kept.result.score }),
  });
  walk.ended.set(loop, { stopped: ending.stopped, kept, stop });
}

function keptRound({ gate }: Loop, rounds: readonly JudgedRound[]): JudgedRound {
  const best = gate.keep === 'best' ? bestRound(rounds) : undefined;
  return best ?? newest(rounds);
}

/** The decisions on the loop's steps become those of a judged round, so that later phases take its results. */
function bringBack(walk: Walk, loop: Loop, { decisions }: JudgedRound): void {
  decisions.forEach((decision, nth) => {
    walk.decisions[loop.head + nth] = decision;
  });
}

/** Undefined: what there is was accepted. */
function whatThen(walk: Walk, loop: Loop, { result }: JudgedRound, ended: EndedLoop): StopReason | undefined {
  const { gate } = loop;
  const phase = phaseAt(walk.shape, loop.end);
  const accepted = (by: 'manifest' | 'person'): undefined => {
    walk.notices.push({ code: 'gate-accepted', unit: walk.unit.id, phase: phase.name, by, ...ended });
  };
  const failed: StopReason = {
    code: 'gate-limit',
    ...ended,
    ...(result.defects && { defects: result.defects }),
  };
  // Kept from a manifest whose gate read another output: there is nothing that could be shown.
  const report = result.outputs[gate.output]?.hash;
  if (report === undefined) return gate.then === 'accept' ? accepted('manifest') : failed;
  const { decided, asks } = gateQuestion(walk, phase, loop.end, result);
  const answer = asks.id === undefined ? decided?.decided : undefined;
  if (answer?.decision === 'approved') return accepted('person');
  // What was rejected is done again. Only where there was nothing to do again does the word stand for good.
  if (decided !== undefined && answer?.decision === 'rejected' && answer.redo === undefined)
    return { code: 'checkpoint-rejected', id: decided.id, name: decided.name, note: answer.note ?? '' };
  // What comes back round after round will not go away by itself.
  switch (ended.stopped === 'cluster' ? 'ask' : gate.then) {
    case 'accept':
      return accepted('manifest');
    case 'stop':
      return failed;
    case 'ask':
      return { code: 'gate-asks', ...ended, report, asks };
  }
}

/**
 * The round that the walk has just entered may not be begun, because so much was spent. One that was begun is gone on
 * with.
 */
function isBeyondBudget(walk: Walk, loop: Loop, head: Decision): boolean {
  const { budget } = loop.gate;
  if (budget === undefined || (walk.rounds.get(loop) ?? 1) === 1 || !wouldBegin(head)) return false;
  // Sums of fractions are not exact: a budget of 0.8 is spent by 0.7 and 0.1.
  return spentOn(walk, loop) >= budget - budgetTolerance;
}

const budgetTolerance = 1e-9;

/** Over every attempt, kept or not. */
function spentOn({ steps }: Walk, { head, end: last }: Loop): number {
  let usd = 0;
  for (let at = head; at <= last; at++) usd += steps[at]?.cost?.usd ?? 0;
  return usd;
}

function wouldBegin(head: Decision): boolean {
  switch (head.do) {
    case 'run':
      return !isMadeAgain(head.why);
    case 'wait':
      return head.had === undefined;
    case 'stop':
      return head.why.code === 'checkpoint-asks';
    default:
      return false;
  }
}

/** Its round was begun before, and one of its files is lost; or a person asked for it, and knows the cost. */
function isMadeAgain({ code }: RunReason): boolean {
  return madeAgain.has(code);
}

const madeAgain: ReadonlySet<RunReason['code']> = new Set([
  'output-missing',
  'output-damaged',
  'rejected',
  'revision-requested',
  'rerun-requested',
  'prompt-changed',
  'definition-changed',
  'unit-changed',
]);

/** The loop is over with the rounds that were judged. */
function endByBudget(walk: Walk, loop: Loop): void {
  const rounds = walk.judged.get(loop) ?? [];
  walk.rounds.set(loop, newest(rounds).round);
  end(walk, loop, rounds, { stopped: 'budget' });
}
