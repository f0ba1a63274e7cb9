import { beforeEach, describe, expect, it } from 'vitest';
import { claim, eventsFolder, readAll, succeeded, testHost, write } from '../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { fail, ok } from '../base/result.ts';
import { JournalFenced } from './errors.ts';
import type { Claim, ClaimFailure } from './journal.ts';
import { LazyWriter } from './lazy-writer.ts';
import { startPosition } from './position.ts';

let disk: MemoryDisk;
let claims: number;

beforeEach(() => {
  disk = new MemoryDisk();
  claims = 0;
});

/** The journal of `ann`, who comes as a process of her own. */
function visitor(pid = 1, position = startPosition): LazyWriter {
  return new LazyWriter('ann', position, async () => {
    claims += 1;
    return ok<Claim>(await claim(disk, { actor: 'ann', host: testHost(pid) }));
  });
}

function refused(failure: ClaimFailure): LazyWriter {
  return new LazyWriter('ann', startPosition, () => Promise.resolve(fail(failure)));
}

describe('a visitor', () => {
  it('who says nothing leaves nothing', async () => {
    const journal = visitor();
    expect(journal).toMatchObject({ position: startPosition, fencingNumber: 0, lastSeq: 0 });
    await journal.close();
    expect(claims).toBe(0);
    expect(disk.calls).toBe(0);
  });

  it('is heard from the first word on, in one segment however much it says', async () => {
    const journal = visitor();
    const first = await journal.append([succeeded('one')]);
    expect(first).toMatchObject([{ actor: 'ann', epoch: 1, seq: 1, unit: 'one' }]);
    await journal.append([succeeded('two'), succeeded('three')]);
    expect(journal).toMatchObject({ fencingNumber: 1, lastSeq: 3 });
    await journal.close();
    expect(claims).toBe(1);
    expect(disk.list(`${eventsFolder}/ann`)).toEqual(['000001.jsonl', 'reserve']);
    expect(readAll(disk)).toMatchObject({ codes: [], events: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
  });

  it('goes on where its last visit ended', async () => {
    const first = visitor();
    await first.append([succeeded('one')]);
    await first.close();
    const second = visitor(2, first.position);
    await second.append([succeeded('two')]);
    await second.close();
    expect(readAll(disk)).toMatchObject({
      codes: [],
      events: [
        { epoch: 1, seq: 1 },
        { epoch: 2, seq: 2 },
      ],
    });
  });

  it('ends behind its closing record: whoever reads on from there finds nothing new', async () => {
    const journal = visitor();
    await journal.append([succeeded('one')]);
    const open = journal.position;
    await journal.close();
    expect(journal.position.length).toBeGreaterThan(open.length);
    expect(journal.position).toEqual({
      ...open,
      length: disk.stat(`${eventsFolder}/ann/000001.jsonl`)?.size,
      sum: journal.position.sum,
    });
    const head = readAll(disk).actors.get('ann');
    expect(head).toMatchObject({ ...journal.position, closed: true });
  });

  it('may be let go of twice', async () => {
    const journal = visitor();
    await journal.append([succeeded('one')]);
    await journal.close();
    await journal.close();
    expect(readAll(disk).codes).toEqual([]);
  });
});

describe('a visitor who comes while another process speaks in its name', () => {
  it('is told who that is', async () => {
    const owner = { pid: 7, host: 'here', since: '2026-11-15T12:00:00.000Z', alive: 'alive' as const };
    const journal = refused({ reason: 'run-held', run: 'r', holder: owner });
    await expect(journal.append([succeeded('one')])).rejects.toMatchObject({
      actor: 'ann',
      epoch: 0,
      owner,
    });
    await expect(journal.append([succeeded('one')])).rejects.toBeInstanceOf(JournalFenced);
    await journal.close();
  });

  it('and finds a journal that it cannot continue, is refused too', async () => {
    const journal = refused({ reason: 'journal-damaged', run: 'r', findings: [] });
    await expect(journal.append([succeeded('one')])).rejects.toMatchObject({ owner: undefined });
  });

  it('or is displaced in the middle, is not answered', async () => {
    const journal = visitor();
    await journal.append([succeeded('one')]);
    await write(disk, [succeeded('other')], { actor: 'ann', host: testHost(2) });
    await expect(journal.append([succeeded('two')])).rejects.toBeInstanceOf(JournalFenced);
    expect(readAll(disk).events).toMatchObject([{ unit: 'one' }, { unit: 'other' }]);
  });
});
