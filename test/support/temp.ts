import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/*
 * Everything that a test file leaves on disk lies below one folder of its own, which goes when the file is done.
 * This module registers that for every test file that imports it.
 */

const home = mkdtempSync(join(tmpdir(), 'pawl-behaviour-'));
let count = 0;

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A new empty folder. */
export function tempFolder(): string {
  count += 1;
  const folder = join(home, String(count));
  mkdirSync(folder);
  return folder;
}
