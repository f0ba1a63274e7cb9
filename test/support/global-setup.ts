import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Runs once, before all test files. Whatever tests and the processes they start put into the temporary folder or the
 * user's state folder is below one folder, which is removed at the end, whether the tests passed or not.
 */
export function setup(): (() => void) | undefined {
  if (process.env.PAWL_TEST_FOLDER !== undefined) return undefined;
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
