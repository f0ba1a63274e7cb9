import { expect, test } from 'vitest';
import type { Finding, FindingCode } from '../../model/failure.ts';
import { plainStyle } from '../style/style.ts';
import { findingLines, findingWords } from './findings.ts';

const loudness: Record<FindingCode, Finding['weight']> = {
  'journal-missing': 'loud',
  'first-record-lost': 'loud',
  'torn-tail': 'quiet',
  'torn-tail-glued': 'quiet',
  'no-final-newline': 'quiet',
  'nul-padding': 'quiet',
  'broken-utf8': 'loud',
  'garbage-line': 'loud',
  'checksum-differs': 'loud',
  'chain-broken': 'loud',
  'sequence-gap': 'loud',
  'duplicate-event': 'quiet',
  'line-out-of-place': 'quiet',
  'byte-order-mark': 'quiet',
  'carriage-return': 'quiet',
  'empty-segment': 'loud',
  'not-an-object': 'loud',
  'unknown-event': 'quiet',
  'newer-format': 'loud',
  'header-unreadable': 'loud',
  'void-after-pin': 'quiet',
  'segment-shorter-than-pin': 'loud',
  'journal-shorter-than-head': 'loud',
  'line-too-long': 'loud',
  'file-unreadable': 'loud',
  'output-missing': 'loud',
  'output-edited': 'loud',
  'output-of-other-run': 'loud',
  'output-damaged': 'loud',
  'object-missing': 'loud',
  'object-damaged': 'loud',
  'orphan-file': 'quiet',
  'file-without-unit': 'quiet',
  'unit-list-invalid': 'loud',
  'file-changed': 'quiet',
  'file-gone': 'quiet',
  'projection-differs': 'quiet',
  'promotion-unfinished': 'quiet',
};

test('every finding has its words', () => {
  const words = Object.keys(loudness).map((code) =>
    findingWords({ code: code as FindingCode, file: code, weight: 'loud' }),
  );
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "journal-missing: the journal is gone, and the run left other files: nobody can say what it has done
    first-record-lost: the first record is lost: it says which pipeline the run is of; the other events can be read
    torn-tail: an unfinished line of a process that was killed; nothing acknowledged is in it
    torn-tail-glued: a cut-off line stands before a whole one; the whole one was read
    no-final-newline: the last line has no line end
    nul-padding: empty bytes that the file system left behind
    broken-utf8: a line is no UTF-8
    garbage-line: a line is no event
    checksum-differs: a line was changed: its checksum does not fit
    chain-broken: a line does not follow the one before it: something was removed or put in
    sequence-gap: events are missing
    duplicate-event: an event stands there twice; it counts once
    line-out-of-place: a line stands at another place than it was written to; it counts where it belongs
    byte-order-mark: a byte order mark
    carriage-return: Windows line ends
    empty-segment: the journal file is empty
    not-an-object: a line is no JSON object
    unknown-event: an event of a kind that this version does not know
    newer-format: made by a newer version of Pawl
    header-unreadable: the first line of the journal file cannot be read
    void-after-pin: written by a process that had lost the lock; it does not count
    segment-shorter-than-pin: shorter than when the next holder took over: events are missing
    journal-shorter-than-head: shorter than it was when it was seen last: events are missing
    line-too-long: a line is longer than any event
    file-unreadable: cannot be read
    output-missing: a recorded output is missing
    output-edited: a recorded output was edited by hand
    output-of-other-run: another run wrote this output since
    output-damaged: a recorded output is damaged
    object-missing: recorded bytes are missing from the content store
    object-damaged: recorded bytes in the content store are damaged
    orphan-file: no event names this file
    file-without-unit: matches the path of an output and belongs to no unit
    unit-list-invalid: the edited list cannot be used; the one before is in force
    file-changed: changed since a task was completed with it
    file-gone: gone since a task was completed with it
    projection-differs: is not what the journal says; where it is gone, the next run writes it anew
    promotion-unfinished: a recorded output is not at its path yet; the next run puts it there"
  `);
});

test('file, line and detail; what was lost comes first', () => {
  const findings: Finding[] = [
    { code: 'torn-tail', file: 'events/a/1.jsonl', line: 9, weight: 'quiet' },
    { code: 'sequence-gap', file: 'events/a/1.jsonl', line: 4, detail: '3..5', weight: 'loud' },
  ];
  expect(findingLines(findings, plainStyle)).toEqual([
    '✗ events/a/1.jsonl:4: events are missing (3..5)',
    '· events/a/1.jsonl:9: an unfinished line of a process that was killed; nothing acknowledged is in it',
  ]);
});

test('very many findings end in a number', () => {
  const many = Array.from(
    { length: 45 },
    (): Finding => ({ code: 'orphan-file', file: 'x', weight: 'quiet' }),
  );
  expect(findingLines(many, plainStyle).at(-1)).toBe('  … and 5 more findings (--json lists all)');
});
