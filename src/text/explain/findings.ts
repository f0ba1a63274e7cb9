import type { FindingCode } from '../../model/failure.ts';
import { exitCodes } from '../catalogue/exit-codes.ts';
import { explained } from './explanation.ts';

const page = 'docs/formats/journal.md';

/** Something acknowledged may be lost: nobody goes on before a person has looked. */
const loud = {
  follows:
    'Something acknowledged may be lost, so nothing is started before somebody has looked. The bytes are left as they are, and everything else that is readable counts.',
  ways: [
    'pawl verify shows everything that is wrong',
    'put back a copy of the journal, before anything else is written',
    'pawl repair, with a --reason, goes on with what is readable',
  ],
  exitCode: exitCodes.damaged,
} as const;

/** A result is no longer as it was recorded: only looking ends with the exit code. */
const ofResult = { exitCode: exitCodes.damaged, page: 'docs/reference/changes.md' } as const;

/** What is not as it should be, in the journal or in the files. */
export const findings = explained<FindingCode>(
  {
    follows: 'Nothing acknowledged is lost. It is told with file and line, and work goes on.',
    ways: ['nothing has to be done'],
    page,
  },
  {
    'journal-missing': {
      ...loud,
      what: 'The folder of a run holds other files and not one event: nobody can say what it has done.',
      follows: 'It is never taken for a new run. Nothing is started.',
      ways: ['put back a copy of its folder events', 'or move the folder of the run away'],
    },
    'first-record-lost': {
      ...loud,
      what: 'The first event of a run cannot be read: it says which pipeline and identity the run is of. Later events can be read.',
      ways: [
        'put back a copy of the journal, before anything else is written',
        'pawl repair, with a --reason, proposes what run.json and manifest.lock.json still say, and keeps every result',
      ],
    },
    'torn-tail': {
      what: 'The last line of a journal file is unfinished: a process was killed while it wrote. Nothing acknowledged is in it. It is reported until the next run takes over.',
    },
    'torn-tail-glued': {
      what: 'A cut-off line stands right before a whole one, without a line end. Every whole line in it is read.',
    },
    'no-final-newline': { what: 'The last line is whole and has no line end. It counts.' },
    'nul-padding': {
      what: 'A file system has left empty bytes, as after a power cut. What is around them is read.',
    },
    'broken-utf8': {
      ...loud,
      what: 'A line is no UTF-8. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'garbage-line': {
      ...loud,
      what: 'A line is no event at all. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'checksum-differs': {
      ...loud,
      what: 'A line was changed after it was written: its checksum is not its own.',
    },
    'chain-broken': {
      ...loud,
      what: 'A line does not follow the one before it: something was removed, put in, or written twice with other content.',
    },
    'sequence-gap': { ...loud, what: 'The numbers of the events leave a gap: events are missing.' },
    'duplicate-event': {
      what: 'The same event stands there twice, as after two copies were joined. It counts once.',
    },
    'line-out-of-place': {
      what: 'An intact line stands at another place than it was written to. The chain of checksums says where it belongs, and it counts there.',
    },
    'byte-order-mark': {
      what: 'A byte order mark stands at the beginning: an editor has been at the file. It is passed over.',
    },
    'carriage-return': {
      what: 'Lines end as on Windows: an editor or git has been at the file. It is read all the same.',
    },
    'empty-segment': { ...loud, what: 'A journal file is empty, and files are never made so.' },
    'not-an-object': {
      ...loud,
      what: 'A line is JSON, and no object. At the very end of a file it is only a write that was cut off, and harmless.',
    },
    'unknown-event': {
      what: 'An event of a type that this version does not know, or a word of another tool that the manifest gives no meaning. It is not counted.',
      ways: [
        'install the version of Pawl that wrote it',
        'foreign in the manifest says what words of other tools mean',
      ],
    },
    'newer-format': {
      ...loud,
      what: 'A journal file, or a line, was written by a newer version of Pawl. It is not read.',
      ways: ['install the newer version'],
    },
    'header-unreadable': {
      ...loud,
      what: 'The first line of a journal file cannot be read, or is of another file. Its events count; who wrote them is in doubt.',
    },
    'void-after-pin': {
      what: 'A process wrote on after another one had taken over its lock. Nothing of it was acknowledged, and it does not count.',
    },
    'segment-shorter-than-pin': {
      ...loud,
      what: 'A journal file is gone, or shorter than when the next holder took over: events are missing.',
    },
    'journal-shorter-than-head': {
      ...loud,
      what: 'The journal has fewer events than this machine has seen in it: it was cut, or an older copy was put back.',
    },
    'line-too-long': { ...loud, what: 'A line is longer than any event can be (4 MiB). It is not read.' },
    'file-unreadable': {
      what: 'A file or folder cannot be read. Of a log of another tool it is only told; of a run’s own folder it is damage.',
      ways: ['make it readable for you'],
    },
    'output-missing': {
      ...ofResult,
      what: 'pawl verify found that a recorded output is not on disk any more.',
      follows: 'The next run makes it again, and what depends on it if the bytes differ.',
      ways: ['add --restore to have the recorded bytes back'],
    },
    'output-edited': {
      ...ofResult,
      what: 'pawl verify found a recorded output with other bytes, and nothing shows that it is broken.',
      follows: 'The next run refuses, unless the manifest says otherwise (on_edit).',
      ways: ['pawl diff shows the edit', 'pawl adopt keeps it'],
    },
    'output-of-other-run': {
      ...ofResult,
      what: 'pawl verify found a recorded output with the bytes of another run: both runs write to the same path.',
      follows: 'The next run of this one refuses. The bytes of both runs are in the content store.',
      ways: ['pawl runs lists all runs', 'pawl adopt takes the file into this run'],
    },
    'output-damaged': {
      ...ofResult,
      what: 'pawl verify found a recorded output that cannot be right: no file, its check fails, or a copy of another one.',
      follows: 'The next run moves it aside and makes it again.',
      ways: ['pawl why UNIT/PHASE says what is wrong with it'],
    },
    'object-missing': {
      what: 'The recorded bytes of an output are not in the content store. While the output itself is intact nothing is lost.',
      follows: 'What is not at its path either is made again.',
      ways: ['put back a copy of .pawl/objects'],
      exitCode: exitCodes.damaged,
      page: 'docs/formats/objects.md',
    },
    'object-damaged': {
      what: 'Bytes in the content store do not have the hash that they are kept under.',
      follows: 'They are never handed to anybody.',
      ways: ['put back a copy of .pawl/objects'],
      exitCode: exitCodes.damaged,
      page: 'docs/formats/objects.md',
    },
    'orphan-file': {
      what: 'A file lies at the path of a declared output, and no event names it.',
      follows: 'It is left alone until the phase runs; then it is moved aside.',
      ways: ['pawl adopt takes it in, or move it away'],
      page: 'docs/reference/changes.md',
    },
    'file-without-unit': {
      what: 'A file has the path of an output with another name in the place of the unit, the pipeline lists no such unit, and no run recorded it.',
      follows: 'It is left alone.',
      ways: ['add the unit to the list', 'move the file away'],
    },
    'projection-differs': {
      what: 'A file that is made from the journal says something else: somebody has edited it, or it was not written in time.',
      follows: 'It is never believed. Once it is removed, the next run writes it anew.',
      page: 'docs/formats/ledger.md',
    },
    'file-changed': {
      what: 'A file of the workspace with which a task was completed has other bytes now. It may be meant.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'file-gone': {
      what: 'A file of the workspace with which a task was completed is not there any more. It may be meant.',
      page: 'docs/guide/tasks-and-agents.md',
    },
    'unit-list-invalid': {
      what: 'Somebody has edited the artifact that lists the units, and it cannot be used as it is now.',
      follows:
        'The list that was recorded before is in force for those who look; a run is refused until it is mended.',
      ways: ['mend the list at the line that is named'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'promotion-unfinished': {
      what: 'A recorded output is not at its path yet: a process died between the record and the file.',
      follows: 'Its bytes are in the content store, and the next run puts them there.',
      page: 'docs/formats/objects.md',
    },
  },
);
