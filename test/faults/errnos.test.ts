import { describe, expect, it } from 'vitest';
import { callsOf } from './case.ts';
import { newPlace, type Place, pawl } from './place.ts';
import { type Call, type Fault, shim, shimEnvironment } from './shim.ts';

/* Errors that are rare on one's own disk and common on shared ones. Node knows some of them by number alone. */

describe.runIf(shim !== undefined)('an error of the disk', { timeout: 60_000 }, () => {
  it.each<[Fault, string]>([
    ['EDQUOT', 'the quota is used up'],
    ['ESTALE', 'the network file system no longer knows the file'],
    ['ENOLCK', 'the file system has no free lock'],
  ])('%s is reported as one, with its cause, and the run is finished afterwards', async (fault, cause) => {
    const place = newPlace('loop');
    const failed = await runWith(place, fault, '.pack');
    expect(failed).toMatchObject({ code: 7, stdout: '' });
    expect(failed.stderr).toMatch(new RegExp(`the disk failed: ${cause} \\(${fault}, \\w+ /.*\\)`));
    expect((await pawl(place, ['run', place.work])).code).toBe(0);
  });

  it('at a file that is made from the journal does not stop the run, which writes it again', async () => {
    const place = newPlace('loop');
    const run = await runWith(place, 'EIO', '/run.json');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).not.toContain('could not be written');
    expect((await pawl(place, ['verify', place.work])).code).toBe(0);
  });

  it.each<Fault>(['EDQUOT', 'ESTALE', 'ENOLCK', 'EIO'])(
    '%s at a write of what a run can be without does not stop it',
    async (fault) => {
      const calls = await callsOfRun();
      for (const name of ['/runner/reserve', '/brief.json', '/.pawl/brief']) {
        const place = newPlace('loop');
        const run = await runWith(place, fault, writeBefore(calls, name));
        expect(run.code, `${name}: ${run.stdout}${run.stderr}`).toBe(0);
        expect((await pawl(place, ['verify', place.work])).code).toBe(0);
      }
    },
  );

  it('that is said of a second name alone does not stop a run: it goes without links', async () => {
    const place = newPlace('loop');
    const run = await runWith(place, 'EXDEV', '/runner/000001.jsonl');
    expect(run.code, run.stderr).toBe(0);
    expect(callsOf(place).filter(({ operation }) => operation === 'link')).not.toEqual([]);
    expect((await pawl(place, ['verify', place.work])).code).toBe(0);
  });
});

async function callsOfRun(): Promise<Call[]> {
  const place = newPlace('loop');
  const run = await pawl(place, ['run', place.work], {
    env: shimEnvironment({ root: place.folder, log: place.log }),
  });
  expect(run.code, run.stderr).toBe(0);
  return callsOf(place);
}

/** The number of the write of a file that gets its name later: the writes are under a temporary one. */
function writeBefore(calls: readonly Call[], name: string): number {
  const naming = calls.findIndex(({ operation, path }) => operation === 'rename' && path.endsWith(name));
  const write = calls.slice(0, naming).findLast(({ operation }) => operation === 'write');
  if (naming < 0 || write === undefined) throw new Error(`nothing was written for ${name}`);
  return write.number;
}

/** A run of which this call fails, or the first one on such a path. */
async function runWith(place: Place, fault: Fault, at: string | number): ReturnType<typeof pawl> {
  const env = shimEnvironment({ root: place.folder, log: place.log, at, fault });
  return await pawl(place, ['run', place.work], { env });
}
