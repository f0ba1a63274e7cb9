import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  claim,
  codeOf,
  eventsFolder,
  readAll,
  startMs,
  succeeded,
  testClock,
  testHost,
  units,
  write,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { byCodeUnit } from '../../../base/json.ts';
import { lineBytesMax } from '../../../disk/line-reader.ts';
import type { StoredEvent } from '../../../model/event.ts';
import { formatEvent, formatHeader } from '../../records/line.ts';
import { readJournal } from './read.ts';

const segment = (epoch: number, actor = 'runner') => `${eventsFolder}/${actor}/00000${epoch}.jsonl`;
const textOf = (disk: MemoryDisk, epoch = 1) => Buffer.from(disk.read(segment(epoch)) ?? []).toString();

describe('reading a damaged segment', () => {
  /** A header and five events. */
  let disk: MemoryDisk;
  let lines: string[];

  beforeEach(async () => {
    disk = new MemoryDisk();
    const { writer } = await claim(disk);
    for (const unit of ['a', 'b', 'c', 'd', 'e']) await writer.append([succeeded(unit, 'schön')]);
    lines = textOf(disk).trimEnd().split('\n');
  });

  function readAs(content: string | Uint8Array): { units: string; codes: string[] } {
    disk.putFile(segment(1), content);
    const { events, codes } = readAll(disk);
    return {
      units: units(events).join(''),
      codes: codes.map((code) => code.replace('runner/000001.jsonl', '')),
    };
  }

  const line = (number: number) => lines[number - 1] ?? '';
  const withLine = (number: number, text: string) => `${lines.with(number - 1, text).join('\n')}\n`;
  const whole = () => `${lines.join('\n')}\n`;
  const concat = (...parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

  test('a torn tail is left out', () => {
    expect(readAs(whole().slice(0, -30))).toEqual({ units: 'abcd', codes: ['torn-tail quiet :6'] });
  });

  test('a torn tail with another line on it loses nothing but itself', () => {
    const torn = line(4).slice(0, 40);
    const content = `${lines.slice(0, 3).join('\n')}\n${torn}${lines.slice(3).join('\n')}\n`;
    expect(readAs(content)).toEqual({ units: 'abcde', codes: ['torn-tail-glued quiet :4'] });
  });

  test('a line that lost its newline is two', () => {
    const content = `${line(1)}${line(2)}${line(3)}\n${lines.slice(3).join('\n')}\n`;
    expect(readAs(content)).toEqual({ units: 'abcde', codes: ['torn-tail-glued quiet :1'] });
  });

  test('a last line without its newline counts', () => {
    expect(readAs(lines.join('\n'))).toEqual({ units: 'abcde', codes: ['no-final-newline quiet :6'] });
  });

  test('room that was never filled is passed over', () => {
    const nul = Buffer.alloc(100);
    expect(readAs(concat(whole(), nul))).toEqual({ units: 'abcde', codes: ['nul-padding quiet :7'] });
    expect(readAs(concat(whole().slice(0, -30), nul))).toEqual({
      units: 'abcd',
      codes: ['nul-padding quiet :6'],
    });
    expect(
      readAs(concat(`${lines.slice(0, 4).join('\n')}\n`, nul, `${lines.slice(4).join('\n')}\n`)),
    ).toEqual({
      units: 'abcde',
      codes: ['nul-padding quiet :5'],
    });
  });

  test('a line that was overwritten with nothing is a gap', () => {
    expect(readAs(concat(withLine(3, '\0'.repeat(80))))).toEqual({
      units: 'acde',
      codes: ['nul-padding quiet :3', 'sequence-gap loud :4'],
    });
  });

  test('half a character at the end is a torn tail too', () => {
    const cut = Buffer.from(whole()).lastIndexOf('ö') + 1;
    expect(readAs(Buffer.from(whole()).subarray(0, cut))).toEqual({
      units: 'abcd',
      codes: ['broken-utf8 quiet :6'],
    });
  });

  test('half a character in the middle is a loss', () => {
    const bytes = Buffer.from(whole());
    bytes[bytes.indexOf('ö')] = 0x20;
    expect(readAs(bytes)).toEqual({ units: 'bcde', codes: ['broken-utf8 loud :2', 'sequence-gap loud :3'] });
  });

  test('garbage in the middle is a loss', () => {
    expect(readAs(withLine(3, 'garbage'))).toEqual({
      units: 'acde',
      codes: ['garbage-line loud :3', 'sequence-gap loud :4'],
    });
    expect(readAs(withLine(3, '{"seq":2}'))).toMatchObject({
      units: 'acde',
      codes: ['garbage-line loud :3', 'sequence-gap loud :4'],
    });
  });

  test('garbage between lines is loud although nothing is missing', () => {
    expect(readAs(withLine(3, `garbage\n${line(3)}`))).toEqual({
      units: 'abcde',
      codes: ['garbage-line loud :3'],
    });
  });

  test('noise at the end is what a power cut leaves of a last append', () => {
    const noise = Buffer.from([0xf3, 0x11, 0x0a, 0x80, 0x42, 0x0a, 0x55]);
    expect(readAs(concat(whole(), noise))).toEqual({
      units: 'abcde',
      codes: ['broken-utf8 quiet :7', 'broken-utf8 quiet :8', 'torn-tail quiet :9'],
    });
  });

  test('an altered event is not used', () => {
    const content = withLine(4, line(4).replace('draft/c.md', 'draft/x.md'));
    expect(readAs(content)).toEqual({
      units: 'abde',
      codes: ['checksum-differs loud :4', 'sequence-gap loud :5'],
    });
    const last = withLine(6, line(6).replace('draft/e.md', 'draft/x.md'));
    expect(readAs(last)).toEqual({ units: 'abcd', codes: ['checksum-differs loud :6'] });
    expect(readAs(last.trimEnd())).toEqual({ units: 'abcd', codes: ['checksum-differs loud :6'] });
  });

  test('an event that was replaced by one with a right checksum breaks the chain', () => {
    const other = formatEvent(2, '2026-11-15T12:00:00.000Z', JSON.stringify(succeeded('x')), 'abcdefghijkl');
    expect(readAs(withLine(3, other.text.trimEnd()))).toEqual({
      units: 'axcde',
      codes: ['chain-broken loud :3', 'chain-broken loud :4'],
    });
  });

  test('a removed line is a gap', () => {
    const { codes, units } = readAs(`${lines.toSpliced(2, 2).join('\n')}\n`);
    expect({ codes, units }).toEqual({ codes: ['sequence-gap loud :3'], units: 'ade' });
    disk.putFile(segment(1), `${lines.toSpliced(2, 2).join('\n')}\n`);
    expect(readAll(disk).findings).toMatchObject([{ detail: '2..3' }]);
  });

  test('lines in another order are put in order, and told', () => {
    const content = `${[line(1), line(2), line(4), line(3), line(5), line(6)].join('\n')}\n`;
    expect(readAs(content)).toEqual({
      units: 'abcde',
      codes: ['line-out-of-place quiet :3', 'line-out-of-place quiet :4'],
    });
  });

  test('a byte order mark and other line ends are taken off', () => {
    expect(readAs(`\ufeff${lines.join('\r\n')}\r\n`)).toEqual({
      units: 'abcde',
      codes: ['byte-order-mark quiet :1', 'carriage-return quiet :1'],
    });
  });

  test('an event that is there twice counts once', () => {
    expect(readAs(withLine(3, `${line(3)}\n${line(3)}`))).toEqual({
      units: 'abcde',
      codes: ['duplicate-event quiet :4'],
    });
    expect(readAs(`${whole()}${line(3)}\n${line(4)}\n`)).toEqual({
      units: 'abcde',
      codes: ['duplicate-event quiet :7', 'duplicate-event quiet :8'],
    });
  });

  test('an empty file has lost what was there', () => {
    expect(readAs('')).toEqual({ units: '', codes: ['empty-segment loud :1'] });
  });

  test.each(['null', '3', '"text"', '[{"seq":2}]', 'true'])('%s is no event', (text) => {
    expect(readAs(withLine(3, text))).toEqual({
      units: 'acde',
      codes: ['not-an-object loud :3', 'sequence-gap loud :4'],
    });
  });

  test('empty lines say nothing', () => {
    expect(readAs(withLine(3, `\n${line(3)}\n`))).toEqual({ units: 'abcde', codes: [] });
  });

  test('a line separator of Unicode separates nothing', async () => {
    const other = new MemoryDisk();
    await write(other, [succeeded('a', 'one\u2028two\u2029three\u0085')]);
    expect(readAll(other)).toMatchObject({
      codes: [],
      events: [{ verdict: 'one\u2028two\u2029three\u0085' }],
    });
  });

  test('a header that cannot be read hides no event', () => {
    expect(readAs(withLine(1, 'noise'))).toMatchObject({
      units: 'abcde',
      codes: expect.arrayContaining(['header-unreadable loud :1']),
    });
    const header = formatHeader({
      version: 1,
      actor: 'runner',
      epoch: 7,
      owner: testHost(1).self,
      opened: '',
    });
    expect(readAs(withLine(1, header.text.trimEnd()))).toEqual({
      units: 'abcde',
      codes: ['header-unreadable loud :1'],
    });
    expect(readAs(`${lines.slice(1).join('\n')}\n`)).toEqual({
      units: 'abcde',
      codes: ['header-unreadable loud :1'],
    });
  });

  test('a second header is passed over', () => {
    expect(readAs(withLine(3, `${line(1)}\n${line(3)}`))).toEqual({
      units: 'abcde',
      codes: ['duplicate-event quiet :3'],
    });
  });

  test('a newer format is not interpreted', () => {
    const header = formatHeader({
      version: 3,
      actor: 'runner',
      epoch: 1,
      owner: testHost(1).self,
      opened: '',
    });
    expect(readAs(withLine(1, header.text.trimEnd()))).toEqual({
      units: '',
      codes: ['newer-format loud :1'],
    });
  });

  test('a line that is too long is passed over', () => {
    const long = 'x'.repeat(lineBytesMax * 3);
    expect(readAs(withLine(3, `${long}\n${line(3)}`))).toEqual({
      units: 'abcde',
      codes: ['line-too-long loud :3'],
    });
    expect(readAs(withLine(3, `${long.slice(0, lineBytesMax)}\n${line(3)}`))).toMatchObject({
      units: 'abcde',
    });
    expect(readAs(`${whole()}${long}`)).toEqual({ units: 'abcde', codes: ['line-too-long loud :7'] });
  });

  test('a file that is wrong everywhere says so a limited number of times', () => {
    const { codes } = readAs(
      `${whole()}${'[1]\n'.repeat(5000)}${formatEvent(6, '2026-11-15T12:00:00.000Z', '{"type":"x"}', '').text}`,
    );
    expect(codes.filter((code) => code.startsWith('not-an-object'))).toHaveLength(100);
  });
});

describe('reading events that cannot be used', () => {
  test.each([
    ['an unknown type', '{"type":"run_paused"}', 'unknown-event quiet'],
    ['a malformed event', '{"type":"run_ended","status":"gone"}', 'garbage-line loud'],
    ['no type', '{"status":"completed"}', 'garbage-line loud'],
    ['a newer line', '{"v":3,"type":"run_ended","status":"completed"}', 'newer-format loud'],
  ])('%s keeps its place in the order', async (_, body, code) => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([succeeded('a')]);
    const other = formatEvent(2, '2026-11-15T12:00:01.000Z', body, writer.position.sum);
    const next = formatEvent(3, '2026-11-15T12:00:01.000Z', JSON.stringify(succeeded('b')), other.sum);
    disk.putFile(segment(1), textOf(disk) + other.text + next.text);
    const { events, codes, actors } = readAll(disk);
    expect(units(events)).toEqual(['a', 'b']);
    expect(codes).toEqual([`${code} runner/000001.jsonl:3`]);
    expect(actors.get('runner')).toMatchObject({ seq: 3, sum: next.sum });
  });
});

describe('reading several segments', () => {
  let disk: MemoryDisk;

  beforeEach(async () => {
    disk = new MemoryDisk();
    await write(disk, [succeeded('a'), succeeded('b')]);
    await write(disk, [succeeded('c'), succeeded('d')], { host: testHost(2) });
    await write(disk, [succeeded('e')], { host: testHost(3) });
  });

  function readWith(epoch: number, content: string): { units: string; codes: string[] } {
    disk.putFile(segment(epoch), content);
    const { events, codes } = readAll(disk);
    return { units: units(events).join(''), codes };
  }

  test('gives all of them, and where they end', () => {
    const { events, codes, actors } = readAll(disk);
    expect({ units: units(events).join(''), codes }).toEqual({ units: 'abcde', codes: [] });
    expect(actors.get('runner')).toMatchObject({ epoch: 3, seq: 5, closed: true, owner: testHost(3).self });
  });

  test('can be stopped half-way and still come to the end', () => {
    const journal = readJournal(disk, eventsFolder);
    for (const event of journal.events()) if (event.seq === 2) break;
    expect(units([...journal.events()])).toEqual(['c', 'd', 'e']);
    const other = readJournal(disk, eventsFolder);
    for (const _ of other.events()) break;
    expect(other.finish().actors).toEqual(journal.finish().actors);
  });

  test('tells a segment that is shorter than its pin', () => {
    const cut = textOf(disk, 2).split('\n').slice(0, 3).join('\n');
    expect(readWith(2, `${cut}\n`)).toEqual({
      units: 'abce',
      codes: ['segment-shorter-than-pin loud runner/000002.jsonl', 'sequence-gap loud runner/000003.jsonl:2'],
    });
  });

  test('tells a segment that is gone', () => {
    disk.remove(segment(2));
    const { events, codes } = readAll(disk);
    expect(units(events).join('')).toBe('abe');
    expect(codes).toEqual([
      'segment-shorter-than-pin loud runner/000002.jsonl',
      'sequence-gap loud runner/000003.jsonl:2',
    ]);
  });

  test('does without a pin that is damaged', () => {
    const lines = textOf(disk, 2).split('\n');
    expect(readWith(2, lines.with(1, 'garbage').join('\n'))).toEqual({
      units: 'abcde',
      codes: ['garbage-line loud runner/000002.jsonl:2', 'chain-broken loud runner/000002.jsonl:3'],
    });
  });

  test('keeps a zombie out even where the pin is damaged', async () => {
    const zombie = formatEvent(
      3,
      '2026-11-15T12:00:09.000Z',
      JSON.stringify(succeeded('zombie')),
      'abcdefghijkl',
    ).text;
    disk.putFile(segment(1), textOf(disk, 1) + zombie);
    const lines = textOf(disk, 2).split('\n');
    const { units, codes } = readWith(2, lines.with(1, 'garbage').join('\n'));
    expect(units).toBe('abcde');
    expect(codes).toContain('void-after-pin quiet runner/000001.jsonl:5');
  });

  test('takes segments whose line ends were converted', () => {
    for (const epoch of [1, 2, 3]) disk.putFile(segment(epoch), textOf(disk, epoch).replaceAll('\n', '\r\n'));
    const { events, codes } = readAll(disk);
    expect(units(events).join('')).toBe('abcde');
    expect(codes).toEqual([1, 2, 3].map((epoch) => `carriage-return quiet runner/00000${epoch}.jsonl:1`));
  });

  test('takes a pinned segment that lost its last newline', () => {
    expect(readWith(2, textOf(disk, 2).trimEnd())).toEqual({
      units: 'abcde',
      codes: ['no-final-newline quiet runner/000002.jsonl:5'],
    });
  });

  test('ignores what is no segment', async () => {
    disk.putFile(`${eventsFolder}/runner/notes.txt`, 'x');
    disk.putFile(`${eventsFolder}/runner/1.jsonl`, 'x');
    disk.putFile(`${eventsFolder}/file`, 'x');
    disk.putFile(`${eventsFolder}/.hidden/000001.jsonl`, 'x');
    expect(readAll(disk).codes).toEqual([]);
  });
});

describe('reading on from a position', () => {
  test('starts behind it, over segments, and names lines of the file', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a'), succeeded('b')]);
    const { actors } = readAll(disk);
    await write(disk, [succeeded('c')]);
    await write(disk, [succeeded('d')]);
    disk.putFile(segment(3), `${textOf(disk, 3)}torn`);
    const journal = readJournal(disk, eventsFolder, { from: actors });
    expect(units([...journal.events()])).toEqual(['c', 'd']);
    expect(journal.continues).toBe(true);
    const end = journal.finish();
    expect(end.findings.map(codeOf)).toEqual(['torn-tail quiet runner/000003.jsonl:5']);
    const again = readJournal(disk, eventsFolder, { from: end.actors });
    expect([...again.events()]).toEqual([]);
    expect(again.continues).toBe(true);
    expect(again.finish().findings.map(codeOf)).toEqual(['torn-tail quiet runner/000003.jsonl:5']);
    expect(again.finish().actors).toEqual(end.actors);
  });

  test('reads an actor that was not there from its start', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const { actors } = readAll(disk);
    await write(disk, [succeeded('b')], { actor: 'person' });
    const journal = readJournal(disk, eventsFolder, { from: actors });
    expect(units([...journal.events()])).toEqual(['b']);
  });

  test('starts over when an event came that belongs before it', async () => {
    const disk = new MemoryDisk();
    const person = await claim(disk, { actor: 'person' });
    await write(disk, [succeeded('late')], { clock: testClock(startMs + 1000) });
    const { actors } = readAll(disk);
    await person.writer.append([succeeded('early')]);
    const journal = readJournal(disk, eventsFolder, { from: actors });
    expect(journal.continues).toBe(false);
    expect(units([...journal.events()])).toEqual(['early', 'late']);
  });

  test('goes on after a reading that caught a line without its newline', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([succeeded('a')]);
    const text = textOf(disk);
    disk.putFile(segment(1), text.trimEnd());
    const { actors } = readAll(disk);
    disk.putFile(segment(1), text);
    const journal = readJournal(disk, eventsFolder, { from: actors });
    expect([...journal.events()]).toEqual([]);
    expect(journal.continues).toBe(true);
    expect(journal.finish().findings).toEqual([]);
  });
});

describe('reading several actors', () => {
  test('gives one order, whatever order they wrote in', async () => {
    const names = ['anna', 'bert', 'runner'];
    const step = fc.record({ actor: fc.constantFrom(...names), ms: fc.integer({ min: -5, max: 5 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const disk = new MemoryDisk();
        const clock = testClock();
        const writers = new Map<string, Awaited<ReturnType<typeof claim>>['writer']>();
        const written: StoredEvent[] = [];
        for (const [index, { actor, ms }] of steps.entries()) {
          clock.ms += ms;
          const writer = writers.get(actor) ?? (await claim(disk, { actor, clock })).writer;
          writers.set(actor, writer);
          written.push(...(await writer.append([succeeded(`u${index}`)])));
        }
        const expected = written.toSorted(
          (a, b) => byCodeUnit(a.at, b.at) || byCodeUnit(a.actor, b.actor) || a.seq - b.seq,
        );
        const { events, codes } = readAll(disk);
        expect(events).toEqual(expected);
        expect(codes).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test('reading in two parts gives what reading at once does', async () => {
    const step = fc.record({ actor: fc.constantFrom('anna', 'runner'), ms: fc.integer({ min: -3, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(12), async (steps, stop) => {
        const disk = new MemoryDisk();
        const clock = testClock();
        let from: ReturnType<typeof readAll> | undefined;
        for (const [index, { actor, ms }] of steps.entries()) {
          clock.ms += ms;
          if (index === stop) from = readAll(disk);
          await write(disk, [succeeded(`u${index}`)], { actor, clock });
        }
        const journal = readJournal(disk, eventsFolder, { from: from?.actors });
        const rest = [...journal.events()];
        const all = journal.continues ? [...(from?.events ?? []), ...rest] : rest;
        expect(all).toEqual(readAll(disk).events);
      }),
      { numRuns: 50 },
    );
  });

  test('keeps the order of an actor whose times go back', async () => {
    const disk = new MemoryDisk();
    const { writer } = await claim(disk);
    await writer.append([succeeded('a')]);
    const back = formatEvent(
      2,
      '2026-11-15T11:00:00.000Z',
      JSON.stringify(succeeded('c')),
      writer.position.sum,
    );
    disk.putFile(segment(1), textOf(disk) + back.text);
    await write(disk, [succeeded('b')], { actor: 'anna', clock: testClock(0) });
    const { events, actors } = readAll(disk);
    expect(units(events)).toEqual(['a', 'c', 'b']);
    expect(actors.get('runner')?.at).toBe('2026-11-15T12:00:00.000Z');
  });

  test('one that is damaged hides none of the others', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')], { actor: 'anna' });
    await write(disk, [succeeded('b')]);
    disk.putFile(segment(1, 'anna'), 'noise');
    const { events, codes } = readAll(disk);
    expect(units(events)).toEqual(['b']);
    expect(codes).toContain('header-unreadable loud anna/000001.jsonl:1');
  });

  test('a run without a journal has no events', () => {
    expect(readAll(new MemoryDisk())).toMatchObject({ events: [], findings: [], actors: new Map() });
  });
});
