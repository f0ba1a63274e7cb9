import type { Finding, FindingCode } from '../../model/failure.ts';
import { loud } from '../phrases/outcome.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';

/** One line for each finding, what was lost first; of very many the beginning. */
export function findingLines(findings: readonly Finding[], style: Style, findingsMax = 40): string[] {
  const others = (['warning', 'quiet'] as const).map((one) =>
    findings.filter(({ weight }) => weight === one),
  );
  const ordered = [...loud(findings), ...others.flat()];
  const lines = ordered.slice(0, findingsMax).map((finding) => findingLine(finding, style));
  const rest = ordered.length - lines.length;
  if (rest > 0) lines.push(`  ${style.symbols.more} and ${count(rest, 'more finding')} (--json lists all)`);
  return lines;
}

/** `events/a/1.jsonl:12: a line is damaged: its checksum differs`. */
export function findingWords(finding: Finding): string {
  const { line, lastLine } = finding;
  const lines = line === undefined ? '' : `:${line}${lastLine === undefined ? '' : `-${lastLine}`}`;
  const place = `${plain(finding.file)}${lines}`;
  if (finding.code === 'newer-format' && finding.detail !== undefined)
    return `${place}: made by Pawl ${plain(finding.detail)}, which is newer than this one`;
  const detail = finding.detail === undefined ? '' : ` (${plain(finding.detail)})`;
  return `${place}: ${titles[finding.code]}${detail}`;
}

function findingLine(finding: Finding, style: Style): string {
  const { paint, symbols } = style;
  const mark = {
    loud: paint.red(symbols.bad),
    warning: paint.yellow(symbols.warning),
    quiet: paint.dim(symbols.waits),
  }[finding.weight];
  return `${mark} ${findingWords(finding)}`;
}

const titles: Readonly<Record<FindingCode, string>> = {
  'journal-missing': 'the journal is gone, and the run left other files: nobody can say what it has done',
  'first-record-lost':
    'the first record is lost: it says which pipeline the run is of; the other events can be read',
  'torn-tail': 'an unfinished line of a process that was killed; nothing acknowledged is in it',
  'torn-tail-glued': 'a cut-off line stands before a whole one; the whole one was read',
  'no-final-newline': 'the last line has no line end',
  'nul-padding': 'empty bytes that the file system left behind',
  'broken-utf8': 'a line is no UTF-8',
  'garbage-line': 'a line is no event',
  'checksum-differs': 'a line was changed: its checksum does not fit',
  'chain-broken': 'a line does not follow the one before it: something was removed or put in',
  'sequence-gap': 'events are missing',
  'duplicate-event': 'an event stands there twice; it counts once',
  'line-out-of-place': 'a line stands at another place than it was written to; it counts where it belongs',
  'byte-order-mark': 'a byte order mark',
  'carriage-return': 'Windows line ends',
  'empty-segment': 'the journal file is empty',
  'not-an-object': 'a line is no JSON object',
  'unknown-event': 'an event of a kind that this version does not know',
  'newer-format': 'made by a newer version of Pawl',
  'header-unreadable': 'the first line of the journal file cannot be read',
  'void-after-pin': 'written by a process that had lost the lock; it does not count',
  'segment-shorter-than-pin': 'shorter than when the next holder took over: events are missing',
  'journal-shorter-than-head': 'shorter than it was when it was seen last: events are missing',
  'line-too-long': 'a line is longer than any event',
  'file-unreadable': 'cannot be read',
  'output-missing': 'a recorded output is missing',
  'output-edited': 'a recorded output was edited by hand',
  'output-of-other-run': 'another run wrote this output since',
  'output-damaged': 'a recorded output is damaged',
  'object-missing': 'recorded bytes are missing from the content store',
  'object-damaged': 'recorded bytes in the content store are damaged',
  'orphan-file': 'no event names this file',
  'file-without-unit': 'matches the path of an output and belongs to no unit',
  'unit-list-invalid': 'the edited list cannot be used; the one before is in force',
  'file-changed': 'changed since a task was completed with it',
  'file-gone': 'gone since a task was completed with it',
  'projection-differs': 'is not what the journal says; where it is gone, the next run writes it anew',
  'promotion-unfinished': 'a recorded output is not at its path yet; the next run puts it there',
};
