import { describe, expect, it } from 'vitest';
import { callsOf } from './case.ts';
import { newPlace, type Place, pawl } from './place.ts';
import { type Fault, shim, shimEnvironment } from './shim.ts';

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

  it('that is said of a second name alone does not stop a run: it goes without links', async () => {
    const place = newPlace('loop');
    const run = await runWith(place, 'EXDEV', '/runner/000001.jsonl');
    expect(run.code, run.stderr).toBe(0);
    expect(callsOf(place).filter(({ operation }) => operation === 'link')).not.toEqual([]);
    expect((await pawl(place, ['verify', place.work])).code).toBe(0);
  });
});

/** A run of which the first call on such a path fails. */
async function runWith(place: Place, fault: Fault, at: string): ReturnType<typeof pawl> {
  const env = shimEnvironment({ root: place.folder, log: place.log, at, fault });
  return await pawl(place, ['run', place.work], { env });
}
