import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Runs once, before all test files. Whatever tests and the processes they start put into the temporary folder or the
 * user's state folder is below one folder, which is removed at the end, whether the tests passed or not.
 */
export function setup(): (() => void) | undefined {
  // The set-up of another project came first.
  if (process.env.PAWL_TEST_FOLDER !== undefined) return undefined;
  chooseThird();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-tests-'));
  // Tests of permissions call the command as another user, who has to pass through here.
  chmodSync(folder, 0o711);
  process.env.PAWL_TEST_FOLDER = folder;
  process.env.TMPDIR = folder;
  process.env.XDG_STATE_HOME = join(folder, 'state');
  // FAULT replays one case of test/faults; its files are kept for inspection.
  if (process.env.FAULT !== undefined) return undefined;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Sweeps visit another third of their cases at each commit; `sample.ts` reads what is chosen here. */
function chooseThird(): void {
  if (process.env.PAWL_TEST_FULL !== undefined) return;
  process.env.PAWL_TEST_THIRD ??= String(thirdOfCommit());
  const third = process.env.PAWL_TEST_THIRD;
  console.info(
    `sweeps visit every third case, third ${third} of 0 to 2; again: PAWL_TEST_THIRD=${third} npm test`,
  );
}

function thirdOfCommit(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number.parseInt(commit.slice(0, 8), 16) % 3;
  } catch {
    // No clone, but files that were copied.
    return 0;
  }
}
