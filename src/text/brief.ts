import { unreachable } from '../base/result.ts';
import type { BriefAnswer, DecisionAnswer, MigrateAnswer, SummaryAnswer } from '../engine/brief/answers.ts';
import { asideWords } from './catalogue/notice-words.ts';
import { behindLines, headingLine } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { plain, plainLines } from './style/plain.ts';
import { plainStyle, type Style } from './style/style.ts';
import { oneDiff } from './style/text-diff.ts';
import { count, duration, list } from './style/words.ts';

/**
 * The document, and what there is to say of it as comments, so that it can be put into a file; for an agent nothing but
 * the words that it is handed. Where it is only checked, what there is to say.
 */
export function briefText(answer: BriefAnswer, as: 'document' | 'digest', style: Style): string {
  const { isCheck, text, digest, heading } = answer;
  if (isCheck) {
    const next = `  ${style.paint.cyan(style.symbols.becomes)} to bring it up to the journal: ${hint('brief', heading.workspace)}`;
    const isFresh = answer.staleness.level === 'FRESH' && answer.edits.length === 0;
    const told = [...behindLines(answer, style), ...remarks(answer, style)];
    return [headingLine(heading, style), ...told, ...(isFresh ? [] : [next])].join('\n');
  }
  if (as === 'digest') return plainLines(digest).join('\n');
  return [...plainLines(text), ...remarks(answer, plainStyle).map((line) => `# ${line}`)].join('\n');
}

function remarks(answer: BriefAnswer, style: Style): string[] {
  const warning = style.paint.yellow(style.symbols.warning);
  return [
    ...answer.edits.map(({ path, found }) => {
      return `${warning} ${plain(path)} was edited by hand (${plain(shortJson(found))}); only the journal can say it, and it is set right at the next write`;
    }),
    ...(answer.trouble === undefined ? [] : [troubleLine(answer.trouble, style)]),
    standLine(answer, style),
  ];
}

/** `FRESH: nothing has happened since it was written; .pawl/…/brief.yaml, about 520 tokens, 310 for an agent`. */
function standLine({ staleness, path, isSection, tokens }: BriefAnswer, { paint, symbols }: Style): string {
  const where = isSection ? `section resumption of ${plain(path)}` : plain(path);
  const size = `about ${tokens.document} tokens, ${tokens.digest} as an agent is handed it`;
  const words = `${staleness.level}: ${stalenessWords(staleness)}`;
  const mark = staleness.level === 'FRESH' ? paint.green(symbols.good) : paint.yellow(symbols.warning);
  return `${mark} ${paint.bold(words)}; ${where}, ${size}`;
}

function stalenessWords(staleness: BriefAnswer['staleness']): string {
  const age =
    'ageMs' in staleness && staleness.ageMs !== undefined ? duration(Math.max(0, staleness.ageMs)) : '';
  switch (staleness.code) {
    case 'nothing-since':
      return 'nothing has happened since it was written';
    case 'within-phase':
      return `it was written ${age} ago, within the current phase`;
    case 'recently-updated':
      return `it was written ${age} ago`;
    case 'phase-changed':
      return 'the run has come to another phase since it was written';
    case 'too-old':
      return `it was written ${age} ago, and something has happened since`;
    case 'from-the-future':
      return 'it says that it was written at a time that is yet to come';
    case 'from-earlier-session':
      return 'it is from an earlier session, and something has happened since';
    case 'no-time':
      return 'it does not say when it was written';
    case 'unreadable-time':
      return 'what it gives as its time is none';
    case 'status-changed':
      return 'the run stands otherwise than it says: whoever was at it is gone, or a lease has run out';
    case 'no-document':
      return 'there is no document yet';
    case 'unreadable-document':
      return 'the document cannot be read';
    default:
      return unreachable(staleness);
  }
}

function troubleLine(
  { path, reason, line, detail }: NonNullable<BriefAnswer['trouble']>,
  style: Style,
): string {
  const where = line === undefined ? plain(path) : `${plain(path)}:${line}`;
  const why = `${asideWords(reason)}${detail === undefined ? '' : `, ${plain(detail)}`}`;
  return `${style.paint.yellow(style.symbols.warning)} ${where} was left alone: ${why}; the brief lies in the run's own folder`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}…` : text;
}

const valueLengthMax = 80;

export function decisionText({ id, decision, applied, heading }: DecisionAnswer, style: Style): string {
  const { paint, symbols } = style;
  const what = applied ? `${plain(id)} is applied` : `${plain(id)} is on record`;
  return [
    headingLine(heading, style),
    `${paint.green(symbols.good)} ${paint.bold(what)}: ${plain(decision)}`,
  ].join('\n');
}

export function summaryText({ agent, summary, heading }: SummaryAnswer, style: Style): string {
  const { paint, symbols } = style;
  return [
    headingLine(heading, style),
    `${paint.green(symbols.good)} ${paint.bold(plain(agent))}: ${plain(summary)}`,
  ].join('\n');
}

export function migrateText(answer: MigrateAnswer, style: Style): string {
  const { paint, symbols } = style;
  const { path, from, changes, contradictions, problems, diff, isWritten, backup } = answer;
  const warning = paint.yellow(symbols.warning);
  const remarks = [
    ...changes.flatMap((change) => (isStatusRewritten(change) ? [`  ${rewrittenWords(change)}`] : [])),
    ...contradictions.map((found) => `${warning} ${contradictionWords(found)}`),
    ...answer.warnings.map(({ path: place }) => `${warning} ${emptyWords(place, answer.kept)}`),
    ...problems.map((found) => `${warning} ${problemWords(found)}`),
  ];
  const mark = problems.length === 0 ? paint.green(symbols.good) : warning;
  const left = problems.length === 0 ? '' : `; ${count(problems.length, 'problem')} left for you to fix`;
  if (diff === undefined)
    return [...remarks, `${mark} ${plain(path)} is of version 2 already; nothing to change${left}`].join(
      '\n',
    );
  const codes = list([...new Set(changes.map(({ code }) => plain(code.replaceAll('-', ' '))))], codesMax);
  const what = `${plain(path)}: version ${from} to 2, ${count(changes.length, 'change')}${codes === '' ? '' : ` (${codes})`}`;
  return [
    ...oneDiff(diff, style),
    '',
    ...remarks,
    isWritten
      ? `${mark} ${paint.bold(what)}; written${left}${backup === undefined ? '' : `; the file as it was is ${plain(backup)}`}`
      : `${warning} ${paint.bold(what)}${left}; nothing was written. Add --write to write it`,
  ].join('\n');
}

const codesMax = 6;

/** Both stay in the document: its owner has to say which one is true. */
function contradictionWords({ code, ...facts }: MigrateAnswer['contradictions'][number]): string {
  const values = Object.entries(facts).map(([name, value]) => `${name} ${plain(shortJson(value))}`);
  return `${plain(code.replaceAll('-', ' '))}: ${values.join(', ')}`;
}

type Rewritten = Extract<MigrateAnswer['changes'][number], { code: 'rewritten' }>;

function isStatusRewritten(change: MigrateAnswer['changes'][number]): change is Rewritten {
  return change.code === 'rewritten' && change.path.endsWith('.workflow_status');
}

/** `recovery_state.workflow_status: "COMPLETE" becomes "completed"`. */
function rewrittenWords({ path, before, after }: Rewritten): string {
  return `${plain(path)}: ${plain(shortJson(before))} becomes ${plain(shortJson(after))}`;
}

/** `recovery_state.next_step is empty: the section has no key for it; kept as they were: notes, owner`. */
function emptyWords(path: string, kept: readonly string[]): string {
  const others = kept.length === 0 ? '' : `; keys that were kept as they are: ${plain(list(kept, codesMax))}`;
  return `${plain(path)} is empty: the section does not say it for certain${others}`;
}

/** `decision_log[0].id is not a decision id`. */
function problemWords({ path, problem }: MigrateAnswer['problems'][number]): string {
  const what =
    problem === 'not-one-of' ? 'not one of its possible values' : plain(problem.replaceAll('-', ' '));
  return `${path === '' ? 'the section' : plain(path)} is ${what}`;
}
