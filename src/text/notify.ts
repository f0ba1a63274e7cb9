import { unreachable } from '../base/result.ts';
import type { InvocationEnd, NotificationWords, RunAnswer } from '../engine/run/run-request.ts';
import { asksOf, type Question } from '../model/reason.ts';
import { changeName } from '../model/refusal.ts';
import type { Notification, WaitingFor } from '../runner/notify/notification.ts';
import type { Stop } from '../runner/outcome.ts';
import { failureSentence } from './catalogue/attempt-failures.ts';
import { exitCodeOfTrouble } from './catalogue/exit-codes-of-troubles.ts';
import { troubleTitle } from './catalogue/failures.ts';
import { groupRefusals } from './catalogue/refusals.ts';
import { stopWords } from './catalogue/stop-reasons.ts';
import { identityOf } from './phrases/heading.ts';
import { endOf, isFailure } from './phrases/outcome.ts';
import { askedWords } from './phrases/questions.ts';
import { selectedWords, spendingOf } from './phrases/selection.ts';
import { limitWords } from './phrases/spending.ts';
import { exitCodeOfRun, pausedWords } from './run.ts';
import { clip, plain, plainLines } from './style/plain.ts';
import { plainStyle, type Style } from './style/style.ts';
import { count, stepLabel } from './style/words.ts';

/** What people are told of the end of a sitting who are not looking at it. */
export function notificationWords(end: InvocationEnd): NotificationWords {
  const heading = end.kind === 'answered' ? end.answer.heading : end.heading;
  const values = identityOf(heading);
  const name = `${plain(heading.pipeline)}${values === '' ? '' : ` (${values})`}`;
  const said = (words: string) => clip(`${name}: ${words}`, messageLengthMax, '...');
  if (end.kind === 'broke-off') {
    const message = said(`broke off: ${plain(troubleTitle(end.failure, plainStyle))}`);
    return { message, waiting: [], exitCode: exitCodeOfTrouble(end.failure) };
  }
  const { answer } = end;
  return {
    message: said(endWords(answer)),
    waiting: waitingFor(answer).slice(0, waitingMax),
    exitCode: exitCodeOfRun(answer),
  };
}

/** One line about somebody who could not be told. */
export function missedWords(notification: Notification & { ok: false }, { paint, symbols }: Style): string {
  const { via, to, event } = notification;
  const whom = via === 'command' || via === 'webhook' ? `${via} ${plain(to)}` : via;
  const words = `not told of "${event}" by ${whom}: ${troubleWords(notification)}; the run is not touched by it`;
  return `${paint.yellow(symbols.warning)} ${words}`;
}

const messageLengthMax = 400;
const questionLengthMax = 400;
const waitingMax = 50;
const lastLineLengthMax = 200;

function endWords(answer: RunAnswer): string {
  const { cells: steps, refusals, limits, stops } = answer;
  const sofar = `${steps.unitsFinished} of ${count(steps.units, 'unit')} done`;
  const end = endOf(answer);
  switch (end) {
    case 'done': {
      if (answer.selection !== undefined && answer.heading.status !== 'completed')
        return `${selectedWords(answer.selection)}; ${sofar}`;
      const failed = steps.units - steps.unitsFinished;
      return failed > 0 ? `completed with ${count(failed, 'failure')}, ${sofar}` : `completed, ${sofar}`;
    }
    case 'waits-for-person':
      return `a person has to decide: ${waitingWords(waitingFor(answer))}; ${sofar}`;
    case 'paused':
      return `${pausedWords(answer)}; ${sofar}`;
    case 'spending-limit':
      return `${answer.spending === undefined ? 'limit reached' : spendingOf(answer.spending)}; ${sofar}`;
    case 'refused':
      return `refused on the way for ${count(groupRefusals(refusals, plainStyle).length, 'reason')}; ${sofar}`;
    case 'interrupted':
      return `interrupted; ${sofar}`;
    case 'phase-failed':
      if (limits.length > 0) return `stopped at a limit; ${sofar}`;
      return `stopped: ${stopsWords(stops.filter(isFailure))}; ${sofar}`;
    default:
      return unreachable(end);
  }
}

/** The first of them, and how many there are. */
function stopsWords(stops: readonly Stop[]): string {
  const [first] = stops;
  if (first === undefined) return 'nothing can go on';
  const more = stops.length > 1 ? ` (and ${count(stops.length - 1, 'more cell')})` : '';
  return `${stepLabel(first.unit, first.phase)} ${stopWords(first.why)}${more}`;
}

/** What a person has to decide, each question once: a changed file may hold up many cells. */
function waitingFor({ stops, refusals, limits }: RunAnswer): WaitingFor[] {
  const waiting = new Map<string, WaitingFor>();
  const add = (question: Question | undefined, words: string) => {
    if (question === undefined) return;
    const { id, unit, phase, place } = question;
    const said = { unit, phase, question: clip(words, questionLengthMax, '...') };
    waiting.set(id ?? `${unit}/${phase} ${place}`, id === undefined ? said : { id, ...said });
  };
  for (const stop of stops) add(asksOf(stop.why), stopWords(stop.why));
  for (const refusal of refusals) {
    if (!('asks' in refusal) || refusal.asks === undefined) continue;
    const [name = ''] = changeName(refusal);
    add(refusal.asks, `${plain(name)} changed; ${askedWords(refusal.asks)}`);
  }
  for (const limit of limits) {
    if (limit.asks !== undefined) add(limit.asks, `${limitWords(limit)}; ${askedWords(limit.asks)}`);
  }
  return [...waiting.values()];
}

/** The first question, and how many more there are. */
function waitingWords(waiting: readonly WaitingFor[]): string {
  const [first] = waiting;
  if (first === undefined) return 'nothing can go on';
  const where = first.unit === '' ? '' : `${stepLabel(first.unit, first.phase)} `;
  const more = waiting.length > 1 ? ` (and ${count(waiting.length - 1, 'more question')})` : '';
  return `${where}${first.question}${more}`;
}

function troubleWords({ reason, facts = {}, message }: Notification & { ok: false }): string {
  switch (reason) {
    case 'command-not-found':
    case 'command-not-executable':
      return failureSentence(reason, facts);
    case 'command-failed':
    case 'command-killed':
    case 'timed-out': {
      const last = plainLines(message ?? '').at(-1);
      const said = last === undefined ? '' : `: ${clip(last, lastLineLengthMax, '...')}`;
      return `${failureSentence(reason, facts)}${said}`;
    }
    case 'interrupted':
      return 'it was not waited for';
    case 'http-status':
      return `it answered with ${plain(String(facts.status))}`;
    case 'unreachable':
      return `it cannot be reached${facts.code === undefined ? '' : ` (${plain(String(facts.code))})`}`;
    case 'variable-missing':
      return `the variable ${plain(String(facts.name))} is not set`;
    case 'variable-unusable':
      return `what the variable ${plain(String(facts.name))} holds cannot be used`;
    case 'cannot-start':
      return `it could not be started (${plain(String(facts.code))})`;
    default:
      return unreachable(reason);
  }
}
