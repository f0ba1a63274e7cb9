import type { Failure, Problem, SourcePlace } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { hint } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, list } from '../style/words.ts';
import { manifestProblems } from './manifest-problems.ts';
import { many } from './problem-facts.ts';

/** Every problem of a manifest with its place, the source line and a caret under the spot. */
export function problemLines(file: string, problems: readonly Problem[], style: Style): string[] {
  const lines: string[] = [];
  for (const problem of problems) {
    const { paint, symbols } = style;
    const { place } = problem;
    lines.push(
      `${paint.red(symbols.bad)} ${paint.bold(place === undefined ? plain(file) : placeWords(place))}: ${problemSentence(problem)}`,
    );
    if (place !== undefined) lines.push(...sourceLines(place, style));
  }
  return lines;
}

/** The keys that lead to it and what is wrong: `phases.write.needs[0]: no phase is called paln`. */
export function problemSentence(problem: Problem): string {
  const words = problemWords(problem);
  return problem.path === '' ? words : `${plain(problem.path)}: ${words}`;
}

type Invalid = Failure & { readonly reason: 'manifest-invalid' };

/** Where it is, and what had been done before it was seen. */
export function invalidTitle({ file, problems, lists = [], ran }: Invalid): string {
  const where =
    lists.length === 0
      ? problemCount(file, problems)
      : `${count(problems.length, 'problem')} in the list of units that ${makersOf(lists)} made`;
  if (ran === undefined) return `${where}; nothing was started`;
  const failed = ran.failed === 0 ? '' : `, ${ran.failed} failed`;
  return `${where}; before that ${count(ran.succeeded, 'attempt')} succeeded${failed}, and nothing more was started`;
}

export function invalidNext({ lists = [] }: Invalid, path: string | undefined): string[] {
  if (lists.length === 0) return ['fix it and try again', 'to see all that a manifest may hold: pawl schema'];
  return lists.flatMap(({ unit, phase, path: file }) => [
    `${plain(file)} was made by ${plain(stepName(unit, phase))}: fix what it is made from, then: ${hint('run', path, undefined, '--rerun-from', phase)}`,
    `or fix ${plain(file)} by hand, then: ${hint('adopt', path, file)}`,
  ]);
}

function makersOf(lists: NonNullable<Invalid['lists']>): string {
  return list(lists.map(({ unit, phase }) => plain(stepName(unit, phase))));
}

/** `2 problems in pawl.yaml`. */
export function problemCount(file: string, problems: readonly Problem[]): string {
  const files = new Set(problems.map(({ place }) => place?.file ?? file));
  const [only = file] = files;
  return `${count(problems.length, 'problem')} in ${plain(files.size === 1 ? only : file)}`;
}

/** `pawl.yaml:12:13`, as editors and terminals follow it. */
export function placeWords({ file, line, column }: SourcePlace): string {
  return `${plain(file)}:${line}:${column}`;
}

function sourceLines({ line, column, source }: SourcePlace, { paint, symbols }: Style): string[] {
  const number = String(line);
  const gutter = ' '.repeat(number.length);
  const before = shown(source.slice(0, column - 1));
  const after = shown(source.slice(column - 1));
  if (before.trim() === '' && after.trim() === '') return [];
  // Of a long line only the part round the caret, so that the caret stays under it.
  const cutBefore = before.length > beforeMax ? `${symbols.more}${before.slice(-beforeMax)}` : before;
  const cutAfter = after.length > afterMax ? `${after.slice(0, afterMax)}${symbols.more}` : after;
  return [
    `    ${paint.dim(`${number} |`)} ${cutBefore}${cutAfter}`.trimEnd(),
    `    ${paint.dim(`${gutter} |`)} ${' '.repeat(cutBefore.length)}${paint.red('^')}`,
  ];
}

const beforeMax = 60;
const afterMax = 60;

function shown(source: string): string {
  return plain(source.replaceAll('\t', ' '));
}

/** What is wrong with a manifest, without the place. */
export function problemWords(problem: Problem): string {
  const { code, facts } = problem;
  return `${manifestProblems[code].words(facts)}${isBareBraces(problem) ? '; quote values that hold { }' : ''}`;
}

/** `{unit}.txt` without quotes begins a map, which then goes on in a strange way or stands where a text belongs. */
function isBareBraces({ code, place, facts }: Problem): boolean {
  if (place === undefined) return false;
  const opens = place.source.charAt(place.column - 1) === '{';
  if (code === 'wrong-type')
    return opens && facts.found === 'map' && many(facts, 'expected').includes('string');
  const closed = place.source
    .slice(0, place.column - 1)
    .trimEnd()
    .endsWith('}');
  return code === 'yaml-syntax' && facts.cause === 'UNEXPECTED_TOKEN' && (opens || closed);
}
