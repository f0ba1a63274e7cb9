import type { Finding, FindingCode } from '../../model/failure.ts';
import { loud } from '../phrases/outcome.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

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
  return `${place}: ${findings[finding.code].title}${detail}`;
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

const page = 'docs/formats/journal.md';

/** Acknowledged data may be lost, so that a person has to look first. */
const ofLoss = {
  follows:
    'Something acknowledged may be lost, so nothing is started before somebody has looked. The bytes are left as they are, and everything else that is readable counts.',
  ways: [
    'pawl verify shows everything that is wrong',
    'put back a copy of the journal, before anything else is written',
    'pawl repair, with a --reason, goes on with what is readable',
  ],
  exitCode: exitCodes.damaged,
} as const;

/** A result is not as it was recorded. Only `pawl verify` ends with the exit code. */
const ofResult = { exitCode: exitCodes.damaged, page: 'docs/reference/changes.md' } as const;

/** What is not as it should be, in the journal or in the files. */
export const findings = makeEntries<FindingCode, Readonly<Record<FindingCode, { readonly title: string }>>>(
  {
    follows: 'Nothing acknowledged is lost. It is told with file and line, and work goes on.',
    ways: ['nothing has to be done'],
    page,
  },
  {
    'journal-missing': {
      title: 'the journal is gone, and the run left other files: nobody can say what it has done',

      ...ofLoss,
      what: 'The folder of a run holds other files and not one event: nobody can say what it has done.',
      follows: 'It is never taken for a new run. Nothing is started.',
      ways: ['put back a copy of its folder events', 'or move the folder of the run away'],
    },
    'first-record-lost': {
      title: 'the first record is lost: it says which pipeline the run is of; the other events can be read',

      ...ofLoss,
      what: 'The first event of a run cannot be read: it says which pipeline and identity the run is of. Later events can be read.',
      ways: [
        'put back a copy of the journal, before anything else is written',
        'pawl repair, with a --reason, proposes what run.json and manifest.lock.json still say, and keeps every result',
      ],
    },
    'torn-tail': {
      title: 'an unfinished line of a process that was killed; nothing acknowledged is in it',

      what: 'The last line of a journal file is unfinished: a process was killed while it wrote. Nothing acknowledged is in it. It is reported until the next run takes over.',
    },
    'torn-tail-glued': {
      title: 'a cut-off line stands before a whole one; the whole one was read',

      what: 'A cut-off line stands right before a whole one, without a line end. Every whole line in it is read.',
    },
    'no-final-newline': {
      title: 'the last line has no line end',
      what: 'The last line is whole and has no line end. It counts.',
    },
    'nul-padding': {
      title: 'empty bytes that the file system left behind',

      what: 'A file system has left empty bytes, as after a power cut. What is around them is read.',
    },
    'broken-utf8': {
      title: 'a line is no UTF-8',

      ...ofLoss,
      what: 'A line is no UTF-8. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'garbage-line': {
      title: 'a line is no event',

      ...ofLoss,
      what: 'A line is no event at all. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'checksum-differs': {
      title: 'a line was changed: its checksum does not fit',

      ...ofLoss,
      what: 'A line was changed after it was written: its checksum is not its own.',
    },
    'chain-broken': {
      title: 'a line does not follow the one before it: something was removed or put in',

      ...ofLoss,
      what: 'A line does not follow the one before it: something was removed, put in, or written twice with other content.',
    },
    'sequence-gap': {
      title: 'events are missing',
      ...ofLoss,
      what: 'The numbers of the events leave a gap: events are missing.',
    },
    'duplicate-event': {
      title: 'an event stands there twice; it counts once',

      what: 'The same event stands there twice, as after two copies were joined. It counts once.',
    },
    'line-out-of-place': {
      title: 'a line stands at another place than it was written to; it counts where it belongs',

      what: 'An intact line stands at another place than it was written to. The chain of checksums says where it belongs, and it counts there.',
    },
    'byte-order-mark': {
      title: 'a byte order mark',

      what: 'A byte order mark stands at the beginning: an editor has been at the file. It is passed over.',
    },
    'carriage-return': {
      title: 'Windows line ends',

      what: 'Lines end as on Windows: an editor or git has been at the file. It is read all the same.',
    },
    'empty-segment': {
      title: 'the journal file is empty',
      ...ofLoss,
      what: 'A journal file is empty, and files are never made so.',
    },
    'not-an-object': {
      title: 'a line is no JSON object',

      ...ofLoss,
      what: 'A line is JSON, and no object. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'unknown-event': {
      title: 'an event of a kind that this version does not know',

      what: 'An event of a type that this version does not know, or a word of another tool that the manifest gives no meaning. It is not counted.',
      ways: [
        'install the version of Pawl that wrote it',
        'foreign in the manifest says what words of other tools mean',
      ],
    },
    'newer-format': {
      title: 'made by a newer version of Pawl',

      ...ofLoss,
      what: 'A journal file, or a line, was written by a newer version of Pawl. It is not read.',
      ways: ['install the newer version'],
    },
    'header-unreadable': {
      title: 'the first line of the journal file cannot be read',

      ...ofLoss,
      what: 'The first line of a journal file cannot be read, or is of another file. Its events count; who wrote them is in doubt.',
    },
    'void-after-pin': {
      title: 'written by a process that had lost the lock; it does not count',

      what: 'A process wrote on after another one had taken over its lock. Nothing of it was acknowledged, and it does not count.',
    },
    'segment-shorter-than-pin': {
      title: 'shorter than when the next holder took over: events are missing',

      ...ofLoss,
      what: 'A journal file is gone, or shorter than when the next holder took over: events are missing.',
    },
    'journal-shorter-than-head': {
      title: 'shorter than it was when it was seen last: events are missing',

      ...ofLoss,
      what: 'The journal has fewer events than this machine has seen in it: it was cut, or an older copy was put back.',
    },
    'line-too-long': {
      title: 'a line is longer than any event',
      ...ofLoss,
      what: 'A line is longer than any event can be (4 MiB). It is not read.',
    },
    'file-unreadable': {
      title: 'cannot be read',

      what: 'A file or folder cannot be read. Of a log of another tool it is only told; of a run’s own folder it is damage.',
      ways: ['make it readable for you'],
    },
    'output-missing': {
      title: 'a recorded output is missing',

      ...ofResult,
      what: 'pawl verify found that a recorded output is not on disk any more.',
      follows: 'The next run makes it again, and what depends on it if the bytes differ.',
      ways: ['add --restore to have the recorded bytes back'],
    },
    'output-edited': {
      title: 'a recorded output was edited by hand',

      ...ofResult,
      what: 'pawl verify found a recorded output with other bytes, and nothing shows that it is broken.',
      follows: 'The next run refuses, unless the manifest says otherwise (on_edit).',
      ways: ['pawl diff shows the edit', 'pawl adopt keeps it'],
    },
    'output-of-other-run': {
      title: 'another run wrote this output since',

      ...ofResult,
      what: 'pawl verify found a recorded output with the bytes of another run: both runs write to the same path.',
      follows: 'The next run of this one refuses. The bytes of both runs are in the content store.',
      ways: ['pawl runs lists all runs', 'pawl adopt takes the file into this run'],
    },
    'output-damaged': {
      title: 'a recorded output is damaged',

      ...ofResult,
      what: 'pawl verify found a recorded output that cannot be right: no file, its check fails, or a copy of another one.',
      follows: 'The next run moves it aside and makes it again.',
      ways: ['pawl why UNIT/PHASE says what is wrong with it'],
    },
    'object-missing': {
      title: 'recorded bytes are missing from the content store',

      what: 'The recorded bytes of an output are not in the content store. While the output itself is intact nothing is lost.',
      follows: 'What is not at its path either is made again.',
      ways: ['put back a copy of .pawl/objects'],
      exitCode: exitCodes.damaged,
      page: 'docs/formats/objects.md',
    },
    'object-damaged': {
      title: 'recorded bytes in the content store are damaged',

      what: 'Bytes in the content store do not have the hash that they are kept under.',
      follows: 'They are never handed to anybody.',
      ways: ['put back a copy of .pawl/objects'],
      exitCode: exitCodes.damaged,
      page: 'docs/formats/objects.md',
    },
    'orphan-file': {
      title: 'no event names this file',

      what: 'A file lies at the path of a declared output, and no event names it.',
      follows: 'It is left alone until the phase runs; then it is moved aside.',
      ways: ['pawl adopt takes it in, or move it away'],
      page: 'docs/reference/changes.md',
    },
    'file-without-unit': {
      title: 'matches the path of an output and belongs to no unit',

      what: 'A file has the path of an output with another name in the place of the unit, the pipeline lists no such unit, and no run recorded it.',
      follows: 'It is left alone.',
      ways: ['add the unit to the list', 'move the file away'],
    },
    'projection-differs': {
      title: 'is not what the journal says; where it is gone, the next run writes it anew',

      what: 'A file that is made from the journal says something else: somebody has edited it, or it was not written in time.',
      follows: 'It is never believed. Once it is removed, the next run writes it anew.',
      page: 'docs/formats/ledger.md',
    },
    'file-changed': {
      title: 'changed since a task was completed with it',

      what: 'A file of the workspace with which a task was completed has other bytes now. It may be meant.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'file-gone': {
      title: 'gone since a task was completed with it',

      what: 'A file of the workspace with which a task was completed is not there any more. It may be meant.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'unit-list-invalid': {
      title: 'the edited list cannot be used; the one before is in force',

      what: 'Somebody has edited the artifact that lists the units, and it cannot be used as it is now.',
      follows:
        'The list that was recorded before is in force for those who look; a run is refused until it is mended.',
      ways: ['mend the list at the line that is named'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'promotion-unfinished': {
      title: 'a recorded output is not at its path yet; the next run puts it there',

      what: 'A recorded output is not at its path yet: a process died between the record and the file.',
      follows: 'Its bytes are in the content store, and the next run puts them there.',
      page: 'docs/formats/objects.md',
    },
  },
);
