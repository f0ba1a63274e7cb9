import { unreachable } from '../base/result.ts';
import type {
  CollectedRun,
  GcAnswer,
  KeptRun,
  LeftFile,
  ObjectDoubt,
} from '../engine/maintain/gc/gc-answer.ts';
import { identityOf } from './phrases/heading.ts';
import { paintRunStatus } from './phrases/statuses.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { bytes, count, list, time } from './style/words.ts';

/** What a collection removed, or would; what it left alone, and why; and how much that frees. */
export function gcText(answer: GcAnswer, style: Style): string {
  return [
    ...answer.runs.flatMap((run) => runLines(run, answer.deleted, style)),
    ...objectLines(answer, style),
    ...keptLines(answer, style),
    lastLine(answer, style),
  ].join('\n');
}

function runLines(run: CollectedRun, deleted: boolean, style: Style): string[] {
  const what = `${count(run.files, 'file')}, ${bytes(run.bytes)}`;
  const rest = run.keep === 'approved' ? ', all but its final outputs' : '';
  const again = run.unfinished ? '; an earlier gc was cut short' : '';
  const names = [plain(run.run), paintRunStatus(run.status, style), nameOf(run), time(run.updatedAt)];
  const mark = style.paint.yellow(style.symbols.warning);
  const left = run.leftAlone.map(
    ({ path, reason }) => `    ${mark} left alone: ${plain(path)} (${leftWords(reason)})`,
  );
  return [
    `${deleted ? 'deleted' : 'would delete'} ${names.join('  ')}: ${what}${rest}${again}`,
    ...beginningOf(
      run.outputs.map((path) => `    ${plain(path)}`),
      outputsMax,
      style,
    ),
    ...beginningOf(left, leftMax, style),
  ];
}

const outputsMax = 12;
const leftMax = 100;

function beginningOf(lines: readonly string[], linesMax: number, { symbols }: Style): string[] {
  if (lines.length <= linesMax) return [...lines];
  return [...lines.slice(0, linesMax), `    ${symbols.more} ${lines.length - linesMax} more`];
}

function nameOf(run: Pick<CollectedRun, 'pipeline' | 'identity'>): string {
  return [plain(run.pipeline), identityOf(run)].filter((word) => word !== '').join(' ');
}

function leftWords(reason: LeftFile['reason']): string {
  switch (reason) {
    case 'edited':
      return 'not as the run made it';
    case 'adopted':
      return 'an edit by hand that was adopted';
    case 'not-made-by-run':
      return 'not made by the run';
    case 'unreadable':
      return 'it cannot be read';
    case 'through-link':
      return 'it lies behind a link or leads out of the workspace';
    default:
      return unreachable(reason);
  }
}

function objectLines({ objects, deleted }: GcAnswer, { paint, symbols }: Style): string[] {
  const { loose, packs, leftovers, partly, young, doubts } = objects;
  const does = deleted ? 'deleted' : 'would delete';
  const parts = [
    ...(packs > 0 ? [count(packs, 'pack')] : []),
    ...(loose > 0 ? [count(loose, 'large object')] : []),
    ...(leftovers > 0 ? [count(leftovers, 'leftover file')] : []),
  ];
  const lines = doubts.map(
    (doubt) =>
      `${paint.yellow(symbols.warning)} nothing is deleted from the content store: ${doubtWords(doubt)}`,
  );
  if (parts.length > 0)
    lines.push(`${does} from the content store: ${list(parts)} that nothing names, ${bytes(objects.bytes)}`);
  if (partly.packs > 0) {
    const [stay, them] = partly.packs === 1 ? ['stays', 'it'] : ['stay', 'them'];
    const unused = `${count(partly.objects, 'object')} in ${them}, ${bytes(partly.bytes)}`;
    lines.push(`  ${count(partly.packs, 'pack')} ${stay} for what is needed; not needed: ${unused}`);
  }
  if (young.files > 0)
    lines.push(
      `  ${count(young.files, 'file')} of the store, ${bytes(young.bytes)}, less than an hour old: left alone`,
    );
  return lines;
}

function doubtWords({ reason, path }: ObjectDoubt): string {
  switch (reason) {
    case 'damaged':
      return `the journal in ${plain(path)} is damaged, so nobody knows what it needs`;
    case 'unreadable':
      return `${plain(path === '' ? '.' : path)} cannot be looked into`;
    case 'through-link':
      return `${plain(path)} is a link`;
    default:
      return unreachable(reason);
  }
}

/** Runs that are simply not old enough are only counted. */
function keptLines({ kept }: GcAnswer, style: Style): string[] {
  const told = kept.filter(({ reason }) => reason !== 'young');
  const young = kept.length - told.length;
  return [
    ...told.map((run) => `left alone ${plain(run.run)}  ${nameOf(run)}  ${keptWords(run, style)}`),
    ...(young > 0
      ? [`left alone ${count(young, 'run')} that ${young === 1 ? 'is' : 'are'} not old enough`]
      : []),
  ];
}

function keptWords({ reason, status }: KeptRun, style: Style): string {
  switch (reason) {
    case 'young':
      return 'not old enough';
    case 'newest-completed':
      return 'the newest completed run of its identity, on which the next one builds';
    case 'resumable':
      return `${paintRunStatus(status, style)}: it can be gone on with`;
    case 'damaged':
      return style.paint.red('its journal is damaged');
    case 'through-link':
      return 'its folder lies behind a link';
    case 'approved-only':
      return 'only its final outputs are left';
    case 'stray':
      return 'no manifest leads to it; it may be a copy';
    default:
      return unreachable(reason);
  }
}

function lastLine(
  { deleted, bytes: size, runs, objects, held }: GcAnswer,
  { paint, symbols }: Style,
): string {
  const isNothing = runs.length === 0 && objects.packs + objects.loose + objects.leftovers === 0;
  if (isNothing) return `${paint.green(symbols.good)} there is nothing to delete`;
  if (deleted) return `${paint.green(symbols.good)} ${bytes(size)} freed`;
  const [first] = held;
  const wait = first === undefined ? '' : `; not while run ${plain(first.run)} is held`;
  return `${paint.yellow(symbols.warning)} nothing was deleted; ${bytes(size)} would be freed: add --delete to do it${wait}`;
}
