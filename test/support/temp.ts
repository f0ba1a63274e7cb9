import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterFile } from './after-file.ts';

/*
 * Everything that a test file leaves on disk lies below one folder of its own, which goes when the file is done. Its path
 * has no links in it: what is compared as text is the same.
 */

let home: string | undefined;
let count = 0;

/** A new folder with these files. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): string {
  home ??= newHome();
  count += 1;
  const folder = join(home, String(count));
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function newHome(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'pawl-test-'));
  afterFile(() => {
    home = undefined;
    // Whoever looks into one case of test/faults wants to see what it left.
    if (process.env.FAULT === undefined) rmSync(folder, { recursive: true, force: true });
    else process.stderr.write(`kept ${folder}\n`);
  });
  return folder;
}
