import { unreachable } from '../base/result.ts';
import type { CancelAnswer } from '../engine/observe/answers.ts';
import type {
  CheckpointsAnswer,
  CheckpointView,
  DecideAnswer,
  ShowAnswer,
  ShownContent,
} from '../engine/people/checkpoints/answers.ts';
import type { Failure, StatusTrouble } from '../model/failure.ts';
import type { Question } from '../model/reason.ts';
import { failureTitle } from './troubles/attempt-failures.ts';
import { money } from './words/figures.ts';
import { hint, quoted } from './words/hints.ts';
import { plain, plainLines } from './words/plain.ts';
import { spendingWords } from './words/spending.ts';
import type { Style } from './words/style.ts';
import { oneDiff } from './words/text-diff.ts';
import { bytes, count, duration, list, short, stepLabel, time } from './words/words.ts';

/** What waits for whom, since when, and what it is about. */
export function checkpointsText({ heading, checkpoints, history }: CheckpointsAnswer, style: Style): string {
  const { paint, symbols } = style;
  const waiting = checkpoints.filter(({ state }) => state === 'waiting');
  const lines = checkpoints.flatMap((view) => viewLines(view, style));
  const unasked = checkpoints.filter(({ state }) => state === 'not-asked').length;
  if (lines.length === 0 && history) return 'nothing was ever asked';
  const [first] = waiting;
  const end =
    first !== undefined
      ? `${paint.yellow(symbols.asks)} ${count(waiting.length, 'question waits', 'questions wait')} for a person; to see what one is about: ${hint('show', heading.workspace, first.id ?? '')}`
      : unasked > 0
        ? `${paint.yellow(symbols.asks)} ${count(unasked, 'question is', 'questions are')} to be asked by the next run: ${hint('run', heading.workspace)}`
        : `${paint.green(symbols.good)} nothing waits for a person`;
  const all = history ? [`every decision of the run: ${hint('history', heading.workspace)}`] : [];
  return [...lines, end, ...all].join('\n');
}

/** One question whole: what it shows, how that differs from what was judged before, and the ways to answer. */
export function showText({ heading, checkpoint, files, attempts }: ShowAnswer, style: Style): string {
  const { paint } = style;
  const lines = viewLines(checkpoint, style);
  for (const tried of attempts) lines.push(...triedLines(tried));
  for (const file of files) lines.push('', ...fileLines(file, style));
  if (checkpoint.state === 'waiting') {
    lines.push('', paint.bold('to answer:'));
    lines.push(
      ...answerWays(checkpoint, heading.workspace)
        .slice(1)
        .map((way) => `  ${way}`),
    );
  }
  return lines.join('\n');
}

/** `goesOn`: the run is gone on with at once, and nobody has to be told how. */
export function decideText(
  { heading, checkpoint, decision, restart, already }: DecideAnswer,
  style: Style,
  { goesOn = false } = {},
): string {
  const { paint, symbols } = style;
  const what = `${plain(checkpoint.id ?? '')} ${plain(checkpoint.name)}`;
  const next = goesOn ? 'going on' : `to go on: ${hint('run', heading.workspace)}`;
  if (already)
    return `${paint.green(symbols.good)} ${what} was ${decision} before; nothing was written; ${next}`;
  const then =
    decision === 'approved'
      ? approvedWords(checkpoint, restart)
      : checkpoint.redo === undefined
        ? rejectedWords(checkpoint)
        : `${plain(checkpoint.redo)} is done again with the feedback, and asked about again`;
  return `${paint.green(symbols.good)} ${what} ${decision} and recorded; ${then}; ${next}`;
}

function approvedWords({ question }: CheckpointView, restart: string | undefined): string {
  if (restart !== undefined) return `${plain(restart)} and all that comes after it is done again`;
  if (question === 'attempts') return 'it may be tried as often again';
  if (question === 'interruptions') return 'it may be started again';
  if (question === 'budget') return 'as much may be spent again';
  return question === 'change' ? 'what was made is kept' : 'nothing before it runs again';
}

function rejectedWords({ question }: CheckpointView): string {
  return question === 'budget'
    ? 'nothing more is spent while the budget is what it is'
    : 'the unit stays where it is';
}

export function cancelText({ heading }: CancelAnswer, { paint, symbols }: Style): string {
  return `${paint.green(symbols.good)} run ${plain(heading.run)} is cancelled for good; its files stay where they are; to start fresh: ${hint('run', heading.workspace)}`;
}

/** How a question can be answered, each way with its command. In a terminal `reject` asks for the feedback. */
export function answerWays(
  {
    id,
    question,
    redo,
    phase,
  }: Pick<CheckpointView, 'id' | 'question' | 'redo'> & { readonly phase?: string },
  path: string | undefined,
): string[] {
  if (id === undefined) return [`it is asked by the next run: ${hint('run', path)}`];
  const name =
    path === undefined || path === '' || path === '.' ? plain(id) : `${plain(id)} -C ${quoted(path)}`;
  const look = `to see what it is about: ${hint('show', path, id)}`;
  const reject = `pawl reject ${name}`;
  const again = redo === undefined ? 'the unit then stays where it is' : `${plain(redo)} then re-runs`;
  const restarts =
    phase === undefined || phase === ''
      ? []
      : [`to re-run from ${plain(phase)} on: pawl approve ${name} --restart-from ${quoted(phase)}`];
  switch (question) {
    case 'approval':
    case 'gate':
      return [look, `to approve: pawl approve ${name}`, `to reject with your feedback; ${again}: ${reject}`];
    case 'change':
      return [look, `to keep what was made: pawl approve ${name} --keep`, ...restarts, 'or undo the change'];
    case 'attempts':
      return [
        look,
        `to grant as many attempts again: pawl approve ${name}`,
        `to leave it, and say why: ${reject}`,
      ];
    case 'interruptions':
      return [look, `to continue: pawl approve ${name}`, `to stop, and say why: ${reject}`];
    case 'budget':
      return [
        look,
        `to grant as much again: pawl approve ${name}`,
        `or ${raiseBudgetWords}`,
        `to leave it at that, and say why: ${reject}`,
      ];
    default:
      return unreachable(question);
  }
}

/** The way past a budget that needs nobody's word. */
export const raiseBudgetWords =
  'raise the budget in the manifest: it is no part of identity, and the next run simply goes on';

/** What is asked, as it follows the cell's name. */
export function askedWords({ name, id }: Question): string {
  return `waits for a person: ${plain(name)}${id === undefined ? '' : ` (${plain(id)})`}`;
}

export type QuestionTrouble = Extract<
  Failure,
  {
    reason:
      | 'no-such-question'
      | 'question-closed'
      | 'channel-closed'
      | 'inside-phase'
      | 'status-unclear'
      | 'status-blocked';
  }
>;

export function questionTroubleTitle(trouble: QuestionTrouble): string {
  switch (trouble.reason) {
    case 'no-such-question':
      return `nobody is asked ${plain(trouble.id)}`;
    case 'question-closed':
      return `${plain(trouble.id)} can no longer be answered: ${closedWords(trouble)}`;
    case 'status-unclear':
      return `${plain(trouble.troubles[0]?.path ?? '')} says where the work stands, and cannot be understood: ${list(trouble.troubles.map(statusTroubleWords))}; nothing was started`;
    case 'status-blocked':
      return `${list(trouble.troubles.map(blockedWords))}; nothing was started`;
    case 'channel-closed':
      return trouble.agent === undefined
        ? `${plain(trouble.id)} has to be decided by a person, and not by way of ${channelWords(trouble.channel)}`
        : `${plain(trouble.id)} needs a person, and this shell belongs to ${plain(trouble.agent.client)} (${plain(trouble.agent.variable)} is set)`;
    case 'inside-phase':
      return `pawl ${plain(trouble.command)} was called by ${trouble.cell === undefined ? 'a process that Pawl started' : plain(trouble.cell)}: a phase cannot decide about a run`;
    default:
      return unreachable(trouble);
  }
}

export function questionTroubleNext(trouble: QuestionTrouble, path: string | undefined): string[] {
  const look = `to see what waits: ${hint('checkpoints', path)}`;
  switch (trouble.reason) {
    case 'no-such-question':
      return trouble.open.length === 0 ? [look] : [`what waits: ${list(trouble.open)}`, look];
    case 'question-closed':
      return trouble.why === 'decided'
        ? [`to go on: ${hint('run', path)}`]
        : [`to have it asked about what is there now: ${hint('run', path)}`, look];
    case 'status-unclear':
      return ['fix the page', `to start fresh: ${hint('run', path, undefined, '--fresh')}`];
    case 'status-blocked':
      return [
        ...new Set(trouble.troubles.flatMap(blockedNext)),
        `to start over: ${hint('run', path, undefined, '--fresh')}`,
      ];
    case 'inside-phase':
      return ['a person answers it in a terminal of their own'];
    case 'channel-closed':
      return [
        ...(trouble.agent === undefined ? [] : ['a person answers it in another terminal']),
        ...allowedWays(trouble.allowed.filter((channel) => channel !== 'page')),
        'the manifest says who may answer: channels',
      ];
    default:
      return unreachable(trouble);
  }
}

/** A manifest may name a page, and nothing serves one yet: what is not there is offered to nobody. */
function allowedWays(channels: readonly string[]): string[] {
  return channels.length === 0 ? [] : [`it can be answered by: ${list(channels.map(channelWords))}`];
}

function closedWords({ why, decided, changes }: QuestionTrouble & { reason: 'question-closed' }): string {
  switch (why) {
    case 'decided':
      return `it was ${plain(decided?.decision ?? '')} by ${plain(decided?.by ?? '')} at ${time(decided?.at ?? '')}`;
    case 'changed':
      return `what it was about has changed since it was shown (${list(changes.map(({ label }) => plain(label)))})`;
    case 'superseded':
      return 'what it was about is no longer there, or no longer matters';
    case 'expired':
      return 'it was asked too long ago';
    default:
      return unreachable(why);
  }
}

function channelWords(channel: string): string {
  return channel === 'script' ? 'a program (script)' : channel === 'mcp' ? 'MCP' : `the ${plain(channel)}`;
}

function viewLines(view: CheckpointView, style: Style): string[] {
  const { paint, symbols } = style;
  const { id, name, unit, phase, state, shown, spending, askedAt, expires, decided } = view;
  const mark =
    state === 'approved'
      ? paint.green(symbols.good)
      : state === 'waiting'
        ? paint.yellow(symbols.asks)
        : paint.dim(state === 'rejected' ? symbols.bad : symbols.more);
  const where = unit === '' ? '' : ` ${paint.dim(stepLabel(unit, phase))}`;
  const since = askedAt === undefined ? '' : `, asked ${time(askedAt)}`;
  const until = expires === undefined || state !== 'waiting' ? '' : `, until ${time(expires)}`;
  const lines = [
    `${mark} ${paint.bold(plain(id ?? 'new'))} ${plain(name)}${where} ${stateWords(view)}${since}${until}`,
  ];
  if (spending !== undefined) lines.push(`    ${spendingWords(spending)}`);
  for (const { label, path, hash } of shown)
    lines.push(`    ${plain(path ?? label)} ${paint.dim(short(hash))}`);
  if (decided?.note !== undefined)
    lines.push(...plainLines(decided.note).map((line) => `    ${paint.dim('|')} ${line}`));
  return lines;
}

function stateWords({ state, decided }: CheckpointView): string {
  switch (state) {
    case 'waiting':
      return 'waits for a person';
    case 'not-asked':
      return 'is to be asked';
    case 'approved':
    case 'rejected': {
      // A box that was ticked on an imported page does not say where.
      const host = decided?.host ? ` on ${plain(decided.host)}` : '';
      const chosen = decided?.restart === undefined ? '' : `, restart from ${plain(decided.restart)}`;
      return `${state}${chosen} by ${plain(decided?.by ?? '')}${host} (${plain(decided?.channel ?? '')}) at ${time(decided?.at ?? '')}`;
    }
    case 'superseded':
      return 'is of no more use: what it was about has changed';
    case 'expired':
      return 'was asked too long ago';
    default:
      return unreachable(state);
  }
}

function triedLines({ attempt, failure, message, ms, cost }: ShowAnswer['attempts'][number]): string[] {
  const spent = [...(ms === undefined ? [] : [duration(ms)]), ...(cost?.usd ? [money(cost.usd)] : [])];
  const how = failure === undefined ? 'did not fail' : failureTitle(failure);
  return [
    `  attempt ${attempt}: ${how}${spent.length === 0 ? '' : ` (${spent.join(', ')})`}`,
    ...plainLines(message ?? '').map((line) => `    ${line}`),
  ];
}

function fileLines({ label, path, hash, text, size, diff }: ShownContent, style: Style): string[] {
  const { paint } = style;
  const title = `${paint.bold(plain(path ?? label))} ${paint.dim(`${short(hash)}, ${bytes(size)}`)}`;
  if (diff !== undefined) return [`${title} since it was judged last:`, ...oneDiff(diff, style)];
  if (text === undefined) return [title, '  (no text that could be shown)'];
  const lines = plainLines(text);
  const shown = lines.slice(0, linesMax).map((line) => `  ${line}`);
  const rest = lines.length - linesMax;
  return [title, ...shown, ...(rest > 0 ? [`  ${style.symbols.more} and ${count(rest, 'more line')}`] : [])];
}

const linesMax = 200;

function blockedWords({ path, line, code, facts }: StatusTrouble): string {
  const page = plain(path);
  const file = plain(String(facts.file ?? ''));
  switch (code) {
    case 'pages-contradict':
      return `${page} and ${plain(String(facts.other))} contradict each other (${list([facts.parts ?? []].flat().map((part) => plain(String(part))))})`;
    case 'complete-unproven':
      return `${page} says COMPLETE, but ${file} (line ${line}) ${facts.why === 'missing' ? 'is missing' : 'has other bytes than recorded'}`;
    default:
      return `cannot verify the spec: ${specWords(facts, `${page} line ${line}`)}`;
  }
}

function specWords({ file, why, value }: StatusTrouble['facts'], place: string): string {
  if (why === 'missing') return `${plain(String(file))} is missing`;
  const recorded = `the hash recorded for ${file === undefined ? 'it' : plain(String(file))} (${place}: ${plain(String(value))})`;
  if (why === 'unnamed') return `no file has ${recorded}, and the manifest does not name the spec`;
  return `${recorded} ${why === 'hash-shortened' ? 'is shortened' : 'is no sha256'}`;
}

function blockedNext({ path, code, facts }: StatusTrouble): string[] {
  const page = plain(path);
  const file = plain(String(facts.file ?? ''));
  switch (code) {
    case 'pages-contradict':
      return [`keep the page that is right, and move the other away: ${page}, ${plain(String(facts.other))}`];
    case 'complete-unproven':
      return [`put back ${file}, or correct ${page}`];
    default:
      return specNext(page, file, facts.why);
  }
}

function specNext(page: string, file: string, why: unknown): string[] {
  if (why === 'missing') return [`put back ${file}`];
  if (why === 'unnamed') return ['name the spec in the manifest: layout: { spec: PHASE.OUTPUT }'];
  if (file === '') return [`write the full sha256 of the spec on ${page}`];
  return [
    `if ${file} is the spec that the work was made from, write its full hash on ${page}: sha256sum ${file}`,
  ];
}

function statusTroubleWords({ line, code, facts }: StatusTrouble): string {
  const what = facts.value ?? facts.stage ?? facts.key ?? facts.first;
  return `line ${line}: ${plain(code.replaceAll('-', ' '))}${what === undefined ? '' : ` (${plain(String(what))})`}`;
}
