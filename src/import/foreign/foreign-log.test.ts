import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  claim,
  codeOf,
  eventsFolder,
  readAll,
  succeeded,
  testHost,
  write,
} from '../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import { type ForeignEvent, readForeignLogs } from './foreign-log.ts';

type Content = string | Uint8Array;

const at = (second: number) => `2026-01-05T10:00:${String(second).padStart(2, '0')}.000Z`;
const line = (second: number, name: string, more: JsonObject = {}) =>
  JSON.stringify({ timestamp: at(second), event_type: name, ...more });

function diskWith(files: Readonly<Record<string, Content>>): MemoryDisk {
  const disk = new MemoryDisk();
  for (const [name, content] of Object.entries(files)) disk.putFile(`${eventsFolder}/${name}`, content);
  return disk;
}

function read(files: Readonly<Record<string, Content>>) {
  return readFrom(diskWith(files));
}

function readFrom(disk: Disk) {
  const { events, findings } = readForeignLogs(disk, eventsFolder);
  return { events, findings, names: events.map(({ name }) => name), codes: findings.map(codeOf) };
}

describe('the logs of other tools', () => {
  it('are read from every folder, in the order of time, actor, file and line', () => {
    const { events, codes } = read({
      'b/log.jsonl': `${line(2, 'three')}\n${line(1, 'one')}\n`,
      'a/2026/01/log.jsonl': `${line(2, 'two')}\n${line(3, 'five')}\n`,
      'a/2026-01-05.jsonl': `${line(3, 'four')}\n`,
      'all.jsonl': `${line(4, 'six', { actor: 'c' })}\n${line(5, 'seven')}\n`,
      'a/notes.txt': 'not a log',
    });
    expect(codes).toEqual([]);
    expect(events.map(({ name, actor, at, file, line }) => [name, actor, at, file, line])).toEqual([
      ['one', 'b', at(1), 'b/log.jsonl', 2],
      ['two', 'a', at(2), 'a/2026/01/log.jsonl', 1],
      ['three', 'b', at(2), 'b/log.jsonl', 1],
      ['four', 'a', at(3), 'a/2026-01-05.jsonl', 1],
      ['five', 'a', at(3), 'a/2026/01/log.jsonl', 2],
      ['six', 'c', at(4), 'all.jsonl', 1],
      ['seven', 'unknown', at(5), 'all.jsonl', 2],
    ]);
    expect(events[5]?.fields).toEqual({ timestamp: at(4), event_type: 'six', actor: 'c' });
  });

  it('are named relative to a folder', () => {
    const disk = diskWith({ 'a/x.jsonl': `${line(1, 'one')}\nnonsense\n` });
    const { events, findings } = readForeignLogs(disk, eventsFolder, { base: '/' });
    expect(events[0]?.file).toBe('run/events/a/x.jsonl');
    expect(findings.map(codeOf)).toEqual(['garbage-line warning run/events/a/x.jsonl:2']);
  });

  it('are none where there is no folder', () => {
    expect(readForeignLogs(new MemoryDisk(), '/nowhere')).toEqual({ events: [], findings: [] });
  });
});

describe('an event', () => {
  it.each([
    ['task_started', 'task_started'],
    ['TASK_STARTED', 'task_started'],
    ['task-started', 'task_started'],
    ['Task-Started', 'task_started'],
    ['TaskStarted', 'task_started'],
    ['taskStarted', 'task_started'],
    [' Task Started ', 'task_started'],
    ['PRDCreated', 'prd_created'],
    ['phase2Entered', 'phase2_entered'],
    ['run_completed', 'run_completed'],
  ])('called %j is %s', (written, name) => {
    expect(read({ 'a/x.jsonl': `${line(1, written)}\n` }).names).toEqual([name]);
  });

  it.each<[JsonObject, string]>([
    [{ event_type: 'a', type: 'b', event: 'c', name: 'd' }, 'a'],
    [{ eventType: 'a', type: 'b' }, 'a'],
    [{ event_type: 7, type: 'b', event: 'c' }, 'b'],
    [{ type: ' ', event: 'c', name: 'd' }, 'c'],
    [{ event: {}, name: 'd' }, 'd'],
  ])('%j has the name %s', (fields, name) => {
    expect(read({ 'a/x.jsonl': `${JSON.stringify(fields)}\n` }).names).toEqual([name]);
  });

  it('without a name is told', () => {
    const { names, codes } = read({ 'a/x.jsonl': `{"note":"hello"}\n${line(1, 'one')}\n{"__proto__":{}}\n` });
    expect(names).toEqual(['one']);
    expect(codes).toEqual(['unknown-event quiet a/x.jsonl:1', 'unknown-event quiet a/x.jsonl:3']);
  });

  it.each<[JsonObject, string]>([
    [{ timestamp: '2026-01-05T10:00:00Z' }, '2026-01-05T10:00:00.000Z'],
    [{ timestamp: '2026-01-05T10:00:00.1239+02:00' }, '2026-01-05T08:00:00.123Z'],
    [{ timestamp: '2026-01-05 10:00:00,5 -0130' }, '2026-01-05T11:30:00.500Z'],
    [{ timestamp: '2026-01-05T10:00:00.123456' }, '2026-01-05T10:00:00.123Z'],
    [{ timestamp: '2026-01-05 10:00 UTC' }, '2026-01-05T10:00:00.000Z'],
    [{ timestamp: '2026-01-05' }, '2026-01-05T00:00:00.000Z'],
    [{ time: 1_767_607_200 }, '2026-01-05T10:00:00.000Z'],
    [{ time: 1_767_607_200.25 }, '2026-01-05T10:00:00.250Z'],
    [{ at: 1_767_607_200_123 }, '2026-01-05T10:00:00.123Z'],
    [{ ts: 1_767_607_200_123_456 }, '2026-01-05T10:00:00.123Z'],
    [{ ts: '1767607200123' }, '2026-01-05T10:00:00.123Z'],
    [{ timestamp: 'yesterday', ts: 1_767_607_200 }, '2026-01-05T10:00:00.000Z'],
    [{ timestamp: 12, time: '10:00', at: '2026-13-01', ts: null }, '1970-01-01T00:00:00.000Z'],
    [{ timestamp: '0000-01-01T00:00:00+05:00' }, '1970-01-01T00:00:00.000Z'],
    [{ ts: '20260105100000' }, '1970-01-01T00:00:00.000Z'],
    [{}, '1970-01-01T00:00:00.000Z'],
  ])('%j happened at %s', (fields, expected) => {
    const { events, codes } = read({ 'a/x.jsonl': `${JSON.stringify({ type: 'x', ...fields })}\n` });
    expect(events.map((event) => event.at)).toEqual([expected]);
    expect(codes).toEqual([]);
  });

  it('without a time has that of the line before it, and the first ones that of the first', () => {
    const { events } = read({
      'a/x.jsonl': ['{"type":"one"}', line(1, 'two'), '{"type":"three"}', line(5, 'five'), ''].join('\n'),
      'a/y.jsonl': `${line(3, 'four')}\n`,
    });
    expect(events.map(({ name, at }) => [name, at])).toEqual([
      ['one', at(1)],
      ['two', at(1)],
      ['three', at(1)],
      ['four', at(3)],
      ['five', at(5)],
    ]);
  });
});

describe('a duplicate', () => {
  it('is dropped wherever it stands, and however its keys are ordered', () => {
    const { events, codes } = read({
      'a/x.jsonl': `${line(1, 'one', { task: 't1' })}\n${line(2, 'two')}\n${line(1, 'one', { task: 't1' })}\n`,
      'a/y.jsonl': `{"task":"t1","event_type":"one","timestamp":"${at(1)}"}\n`,
      'a/z.jsonl': `${line(1, 'one', { task: 't2' })}\n`,
    });
    expect(events.map(({ name, file, line }) => [name, file, line])).toEqual([
      ['one', 'a/x.jsonl', 1],
      ['one', 'a/z.jsonl', 1],
      ['two', 'a/x.jsonl', 2],
    ]);
    expect(codes).toEqual(['duplicate-event quiet a/x.jsonl:3', 'duplicate-event quiet a/y.jsonl:1']);
  });

  it('is none when another actor says it, or when nothing says when it was', () => {
    expect(read({ 'a/x.jsonl': `${line(1, 'one')}\n`, 'b/x.jsonl': `${line(1, 'one')}\n` }).names).toEqual([
      'one',
      'one',
    ]);
    const again = '{"type":"task_started"}\n{"type":"task_failed"}\n{"type":"task_started"}\n';
    expect(read({ 'a/x.jsonl': again }).names).toEqual(['task_started', 'task_failed', 'task_started']);
  });
});

describe('damage', () => {
  const [a, b, c] = [line(1, 'a'), line(2, 'b', { note: 'schön' }), line(3, 'c')];
  const half = b.slice(0, 38);
  const latin = Buffer.concat([
    Buffer.from(`${a}\n{"type":"`),
    Buffer.from([0xe9]),
    Buffer.from(`"}\n${c}\n`),
  ]);
  const deep = `{"type":"b","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const nested = '{"kind":"log","payload":{"type":"nested"}';

  it.each<[string, Content, string, string[]]>([
    ['a torn tail', `${a}\n${half}`, 'a', ['torn-tail:2']],
    ['a torn tail before a line', `${a}\n${half}${c}\n`, 'a c', ['torn-tail-glued:2']],
    ['a torn tail before the last line', `${a}\n${half}${c}`, 'a c', ['torn-tail-glued:2']],
    ['a torn tail that was ended', `${a}\n${half}\n${c}\n`, 'a c', ['garbage-line:2']],
    ['a torn tail with an object in it', `${a}\n${nested}`, 'a', ['torn-tail:2']],
    ['a lost line end', `${a}${b}\n${c}\n`, 'a b c', ['torn-tail-glued:1']],
    ['no final line end', `${a}\n${b}`, 'a b', ['no-final-newline:2']],
    ['zeros in front', `${a}\n\0\0\0${b}\n${c}\n`, 'a b c', ['nul-padding:2']],
    ['zeros behind', `${a}\n${b}\n\0\0\0`, 'a b', ['nul-padding:3']],
    ['zeros between', `${a}\0\0${b}\n`, 'a b', ['nul-padding:1']],
    ['zeros after a torn line', `${a}\n${half}\0\0`, 'a', ['nul-padding:2']],
    ['half a character', `${a}\n${b}\n${c}`.slice(0, -1), 'a b', ['torn-tail:3']],
    ['half a character at the end', Buffer.from(`${a}\n{"n":"ö`).subarray(0, -1), 'a', ['broken-utf8:2']],
    ['another character set', latin, 'a \ufffd c', ['broken-utf8:2']],
    ['garbage in the middle', `${a}\n%PDF-1.4 {{{\n${c}\n`, 'a c', ['garbage-line:2']],
    ['a conflict of a merge', `<<<<<<< HEAD\n${a}\n=======\n`, 'a', ['garbage-line:1', 'garbage-line:3']],
    ['words around an event', `10:00 INFO: say ${a}.\n`, 'a', ['torn-tail-glued:1']],
    ['an object over several lines', '{\n"data": {"type":"b"}\n}\n', '', ['garbage-line:1-3']],
    [
      'a byte order mark',
      `\ufeff${a}\n${b}\n\ufeff${c}\n`,
      'a b c',
      ['byte-order-mark:1', 'byte-order-mark:3'],
    ],
    ['Windows line ends', `${a}\r\n${b}\r\n`, 'a b', ['carriage-return:1']],
    ['no object', `${a}\n[${b}]\n7\n"x"\nnull\n`, 'a', ['not-an-object:2-5']],
    ['an empty file', '', '', ['empty-segment:1']],
    ['blank lines', `\n${a}\n  \t\n\n`, 'a', []],
    [
      'a line without an end in sight',
      `${a}\n${'x'.repeat(5 * 1024 * 1024)}\n${c}\n`,
      'a c',
      ['line-too-long:2'],
    ],
    ['endless depth', `${a}\n${deep}\n${c}\n`, 'a c', ['garbage-line:2']],
    ['a number out of this world', `${a}\n{"type":"b","n":1e999}\n${c}\n`, 'a c', ['garbage-line:2']],
  ])('by %s is told with its line, and all else is read', (_, content, names, codes) => {
    const found = read({ 'a/x.jsonl': content, 'b/y.jsonl': `${line(4, 'z')}\n` });
    expect(found.names.join(' ')).toBe(names === '' ? 'z' : `${names} z`);
    const loss = /^(?:garbage-line|not-an-object|line-too-long):/;
    expect(found.codes).toEqual(
      codes.map((code) => code.replace(':', ` ${loss.test(code) ? 'warning' : 'quiet'} a/x.jsonl:`)),
    );
  });

  it('of a line at any byte leaves the line that was glued to it, and makes no event of its parts', () => {
    const torn = line(1, 'torn', { data: { type: 'inner', list: [{ type: 'inner' }] }, note: '{"}{' });
    const glued = line(2, 'glued', { data: { type: 'inner' }, note: 'ünd "{" so' });
    for (let cut = 1; cut < torn.length; cut++) {
      const start = torn.slice(0, cut);
      expect(read({ 'a/x.jsonl': `${start}${glued}\n` }).names, start).toEqual(['glued']);
      expect(read({ 'a/x.jsonl': start }).names, start).toEqual([]);
    }
  });

  it('by a cut at any byte gives a prefix, and is told', () => {
    const bytes = Buffer.from(`${a}\n${b}\n${c}\n`);
    for (let length = 1; length < bytes.length; length++) {
      const { names, codes } = read({ 'a/x.jsonl': bytes.subarray(0, length) });
      expect(['a', 'b', 'c'].slice(0, names.length), `${length}`).toEqual(names);
      const ended = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
      expect(names.length).toBeGreaterThanOrEqual(ended);
      const place = ` quiet a/x.jsonl:${ended + 1}`;
      expect(codes.map((code) => code.endsWith(place))).toEqual(bytes[length - 1] === 0x0a ? [] : [true]);
    }
  });

  it('by any changed byte costs no other line', () => {
    const lines = [line(1, 'a', { data: { x: 1 } }), b, c];
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    let start = 0;
    const isOf = lines.flatMap((text, nth) => {
      const length = Buffer.byteLength(text) + 1;
      start += length;
      return Array.from({ length }, () => nth);
    });
    expect(start).toBe(bytes.length);
    for (let index = 0; index < bytes.length; index++) {
      for (const changed of [...'\n\0\r\ufeff,:[{}"\\x'].map((text) => Buffer.from(text)[0] ?? 0)) {
        const { names } = read({ 'a/x.jsonl': bytes.with(index, changed) });
        const others = ['a', 'b', 'c'].filter((_, nth) => nth !== isOf[index]);
        expect(names, `${index} to ${changed}`).toEqual(expect.arrayContaining(others));
      }
    }
  });

  it('of many lines in a row is told as one range, and what repeats a limited number of times', () => {
    const { names, codes } = read({ 'a/x.jsonl': `${'nonsense\n'.repeat(1000)}${a}\n` });
    expect(names).toEqual(['a']);
    expect(codes).toEqual(['garbage-line warning a/x.jsonl:1-1000']);
    expect(read({ 'a/x.jsonl': `nonsense\n${a}\n`.repeat(1000) }).codes).toHaveLength(
      // Each of the events after the first is told as a duplicate.
      200,
    );
  });
});

describe('what the disk does not give', () => {
  it('is told, and all else is read', () => {
    const disk = diskWith({ 'a/x.jsonl': `${line(1, 'one')}\n`, 'b/y.jsonl': `${line(2, 'two')}\n` });
    disk.putLink(`${eventsFolder}/a/z.jsonl`, '/etc/passwd');
    disk.putLink(`${eventsFolder}/linked`, '/elsewhere');
    disk.putOther(`${eventsFolder}/a/pipe`);
    disk.failWhen(({ operation, path }) =>
      operation === 'read' && path.endsWith('x.jsonl') ? { kind: 'error', code: 'EACCES' } : undefined,
    );
    const { findings, names } = readFrom(disk);
    expect(names).toEqual(['two']);
    expect(findings).toEqual([
      { code: 'file-unreadable', file: 'a/x.jsonl', detail: 'EACCES', weight: 'quiet' },
      { code: 'file-unreadable', file: 'a/z.jsonl', detail: 'link', weight: 'quiet' },
      { code: 'file-unreadable', file: 'linked', detail: 'link', weight: 'quiet' },
    ]);
  });

  it('in the middle of a file leaves what was read before', () => {
    const disk = diskWith({ 'a/x.jsonl': `${line(1, 'one')}\n${`${'x'.repeat(999)}\n`.repeat(100)}` });
    let reads = 0;
    disk.failWhen(({ operation }) =>
      operation === 'read' && ++reads === 3 ? { kind: 'error', code: 'EIO' } : undefined,
    );
    const { names, findings } = readFrom(disk);
    expect(names).toEqual(['one']);
    expect(findings.find(({ code }) => code === 'file-unreadable')?.detail).toBe('EIO');
  });

  it('within its limits is left out aloud', () => {
    const deep = `${'d/'.repeat(17)}x.jsonl`;
    const disk = diskWith({
      [deep]: `${line(1, 'deep')}\n`,
      'a/x.jsonl': '',
      'b/y.jsonl': `${line(2, 'two')}\n`,
    });
    const huge: Disk = Object.assign(Object.create(disk), {
      stat: (path: string) => {
        const stat = disk.stat(path);
        return path.endsWith('a/x.jsonl') && stat ? { ...stat, size: 2 ** 40 } : stat;
      },
      list: (path: string) => disk.list(path),
      readRange: (path: string, from: number, length: number) => disk.readRange(path, from, length),
    });
    const { names, findings } = readFrom(huge);
    expect(names).toEqual(['two']);
    expect(findings.map(({ file, detail }) => [file, detail])).toEqual([
      ['a/x.jsonl', 'too-large'],
      [deep.slice(0, 33), 'too-deep'],
    ]);
  });
});

describe('the journal of a run', () => {
  it('is not read as a log, nor are its copies', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    const { writer } = await claim(disk, { host: testHost(2) });
    await writer.append([succeeded('b')]);
    const bytes = disk.read(`${eventsFolder}/runner/000001.jsonl`) ?? new Uint8Array();
    disk.putFile(`${eventsFolder}/runner/000001 (1).jsonl`, bytes);
    disk.putFile(`${eventsFolder}/old/runner/000001.jsonl`, bytes);
    // What became of a segment that was emptied is told by whoever reads the journal, and louder.
    disk.putFile(`${eventsFolder}/runner/000003.jsonl`, '');
    expect(readForeignLogs(disk, eventsFolder)).toEqual({ events: [], findings: [] });
  });

  it('lies beside logs that are named like its own files', async () => {
    const disk = diskWith({
      'runner/000001.jsonl': `${line(1, 'one')}\n`,
      'runner/20260105.jsonl': `${line(2, 'two')}\n`,
      '000001.jsonl': `${line(3, 'three')}\n`,
    });
    const segment = diskWith({});
    await write(segment, [succeeded('a')]);
    disk.putFile(
      `${eventsFolder}/runner/000002.jsonl`,
      segment.read(`${eventsFolder}/runner/000001.jsonl`) ?? '',
    );
    disk.putFile(
      `${eventsFolder}/runner/000003.jsonl`,
      segment.read(`${eventsFolder}/runner/000001.jsonl`) ?? '',
    );
    expect(readFrom(disk)).toMatchObject({ names: ['one', 'two', 'three'], codes: [] });
  });

  it('loses nothing when a tool writes beside it', async () => {
    const disk = diskWith({ 'runner/log.jsonl': `${line(1, 'one')}\n` });
    await write(disk, [succeeded('a')]);
    expect(readAll(disk)).toMatchObject({ codes: [], events: [{ unit: 'a' }] });
    expect(readFrom(disk)).toMatchObject({ names: ['one'], codes: [] });
  });
});

describe('whatever the order', () => {
  const event = fc.record({
    actor: fc.constantFrom('a', 'b', 'c'),
    file: fc.constantFrom('x', 'y', 'z'),
    second: fc.nat({ max: 9 }),
    name: fc.constantFrom('task_started', 'task_completed'),
    task: fc.constantFrom('t1', 't2'),
  });
  const whatItSays = ({ at, actor, fields }: ForeignEvent) => [at, actor, JSON.stringify(fields)].join(' ');

  it('files are listed in, the same comes of it', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (events, chance) => {
        const files = new Map<string, string>([
          ['a/bad.jsonl', 'bad\n'],
          ['b/bad.jsonl', ''],
        ]);
        for (const { actor, file, second, name, task } of events) {
          const path = `${actor}/${file}.jsonl`;
          files.set(path, `${files.get(path) ?? ''}${line(second, name, { task })}\n`);
        }
        const disk = diskWith(Object.fromEntries(files));
        const shuffled: Disk = Object.assign(Object.create(disk), {
          stat: (path: string) => disk.stat(path),
          list: (path: string) => disk.list(path)?.sort(() => (Number(chance.next().value) % 3) - 1),
          readRange: (path: string, from: number, length: number) => disk.readRange(path, from, length),
        });
        expect(readFrom(shuffled)).toEqual(readFrom(disk));
      }),
    );
  });

  it('lines stand in, once or more often, in whichever of an actor’s files, the same is said', () => {
    const placed = fc.record({
      event,
      copies: fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }),
    });
    const log = fc.uniqueArray(placed, {
      maxLength: 20,
      selector: ({ event: { actor, second } }) => `${actor}${second}`,
    });
    const logAndOrder = log.chain((items) => {
      const lines = items.flatMap(({ event, copies }) => copies.map((file) => ({ ...event, file })));
      return fc.tuple(fc.constant(items), fc.shuffledSubarray(lines, { minLength: lines.length }));
    });
    fc.assert(
      fc.property(logAndOrder, ([items, lines]) => {
        const files = new Map<string, string>();
        for (const { actor, file, second, name, task } of lines) {
          const path = `${actor}/${file}.jsonl`;
          files.set(path, `${files.get(path) ?? ''}${line(second, name, { task })}\n`);
        }
        const { events, codes } = read(Object.fromEntries(files));
        const said = items.map(({ event: { actor, second, name, task } }) =>
          [at(second), actor, line(second, name, { task })].join(' '),
        );
        expect(events.map(whatItSays)).toEqual(said.sort());
        expect(codes).toHaveLength(lines.length - items.length);
      }),
    );
  });
});

describe('whatever is put between the lines', () => {
  it('nothing throws, no whole line is lost, and every finding has its place', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.json().map((text) => Buffer.from(text)),
      fc.string({ unit: 'binary', maxLength: 40 }).map((text) => Buffer.from(text)),
      fc
        .constantFrom('{', '}', '{"type":', '[{"type":"x"}', '\0\0\0', '{"type":"x","at":1e9,', '\ufeff')
        .map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 2, maxLength: 6 }), (pieces) => {
        const parts = pieces.flatMap((piece, nth) => [
          piece,
          Buffer.from(`\n${line(nth, `whole_${nth}`)}\n`),
        ]);
        const content = Buffer.concat(parts);
        const { events, findings } = read({ 'a/x.jsonl': content });
        const wholes = events.filter(({ fields }) => String(fields.event_type).startsWith('whole_'));
        expect(wholes.map(({ name }) => name)).toEqual(pieces.map((_, nth) => `whole_${nth}`));
        const lines = content.filter((byte) => byte === 0x0a).length + 1;
        for (const finding of findings) {
          expect(finding).toMatchObject({ file: 'a/x.jsonl', line: expect.any(Number) });
          expect(finding.weight).not.toBe('loud');
          expect(finding.line).toBeLessThanOrEqual(lines);
          expect(finding.line).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
