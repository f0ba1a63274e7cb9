import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/*
 * Everything that a test file leaves on disk lies below one folder, which goes when the file is done. Its path has no
 * links in it: the shim compares paths as text.
 */

const home = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-faults-'));
let count = 0;

afterAll(() => {
  // Whoever looks into one case wants to see what it left.
  if (process.env.FAULT === undefined) rmSync(home, { recursive: true, force: true });
  else process.stderr.write(`test/faults: kept ${home}\n`);
}, 60_000);

/** A new empty folder. */
export function tempFolder(): string {
  count += 1;
  const folder = join(home, String(count));
  mkdirSync(folder);
  return folder;
}
