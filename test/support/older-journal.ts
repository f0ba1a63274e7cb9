import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checksum } from '../../src/base/hash.ts';
import { runFolder, segments } from './journal.ts';
import { read, type TestWorkspace, write } from './workspace.ts';

type Fields = Record<string, unknown>;

/**
 * Writes the only segment of a journal again with other events, as an older version of Pawl would have written it. What
 * was made from the journal is removed: an older version made other files.
 */
export function rewriteJournal(workspace: TestWorkspace, change: (event: Fields) => Fields): void {
  const [path, ...others] = segments(workspace);
  if (path === undefined || others.length > 0) throw new Error('expected one segment');
  let last = '';
  const lines = read(workspace, path)
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { prev, sum: _, ...fields } = JSON.parse(line) as Fields;
      const body = JSON.stringify(change(fields)).slice(0, -1);
      const sealed = prev === undefined ? body : `${body},"prev":"${last}"`;
      // The first event follows nothing, although a header stands before it.
      last = 'pawl' in fields && prev === undefined ? '' : checksum(sealed);
      return `${sealed},"sum":"${checksum(sealed)}"}`;
    });
  write(workspace, path, `${lines.join('\n')}\n`);
  for (const made of ['snapshot', 'settled'])
    rmSync(join(workspace.root, runFolder(workspace), made), { recursive: true, force: true });
  rmSync(join(dirname(workspace.root), 'state'), { recursive: true, force: true });
}
