import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp.ts';
import { type Ended, node } from './place.ts';
import { type Fault, readCalls, shim, shimEnvironment } from './shim.ts';

const program = join(dirname(fileURLToPath(import.meta.url)), 'programs/careless.mjs');
const text = 'x'.repeat(1000);

describe.runIf(shim !== undefined)('a careless program under the shim', () => {
  describe.each(['sync', 'async'])('with %s calls', (how) => {
    it('makes the calls that it makes', async () => {
      const { ended, calls, path } = await write(how);
      expect(ended).toMatchObject({ code: 0, stdout: 'done\n' });
      expect(calls).toEqual(['create out.tmp', 'write out.tmp', 'sync out.tmp', 'rename out']);
      expect(contentOf(path)).toBe(text);
    });

    it('installs half a file after a short write and says that it is done: that damage is seen here', async () => {
      const { ended, path } = await write(how, { at: 2, fault: 'short' });
      expect(ended).toMatchObject({ code: 0, stdout: 'done\n' });
      expect(contentOf(path)).toBe(text.slice(0, 500));
    });

    it.each([
      { at: 1, fault: 'kill-before', temp: undefined, final: undefined },
      { at: 1, fault: 'kill-after', temp: '', final: undefined },
      { at: 2, fault: 'tear', temp: text.slice(0, 500), final: undefined },
      { at: 4, fault: 'kill-before', temp: text, final: undefined },
      { at: 4, fault: 'tear', temp: text, final: undefined },
      { at: 4, fault: 'kill-after', temp: undefined, final: text },
    ] as const)('is killed by $fault at call $at', async ({ at, fault, temp, final }) => {
      const { ended, path, calls } = await write(how, { at, fault });
      expect(ended).toMatchObject({ signal: 'SIGKILL', stdout: '' });
      expect(calls).toHaveLength(at);
      expect([contentOf(`${path}.tmp`), contentOf(path)]).toEqual([temp, final]);
    });

    it.each([
      { at: 1, fault: 'EMFILE', code: 'EMFILE' },
      { at: 2, fault: 'ENOSPC', code: 'ENOSPC' },
      { at: 3, fault: 'EIO', code: 'EIO' },
      { at: 4, fault: 'EIO', code: 'EIO' },
      { at: 1, fault: 'full', code: 'ENOSPC' },
      { at: 3, fault: 'dead', code: 'EIO' },
    ] as const)('is told of $fault at call $at', async ({ at, fault, code }) => {
      const { ended, path } = await write(how, { at, fault });
      expect(ended.code).not.toBe(0);
      expect(ended.stderr).toContain(`code: '${code}'`);
      expect(contentOf(path)).toBeUndefined();
    });
  });

  it('does not count what is done elsewhere', async () => {
    const { ended, calls } = await write('sync', { at: 1, fault: 'kill-before' }, tempFolder());
    expect(ended.code).toBe(0);
    expect(calls).toEqual([]);
  });
});

async function write(
  how: string,
  fault: { at?: number; fault?: Fault } = {},
  root?: string,
): Promise<{ ended: Ended; calls: string[]; path: string }> {
  const folder = tempFolder();
  const path = join(folder, 'out');
  const log = join(tempFolder(), 'log');
  const env = shimEnvironment({ root: root ?? folder, log, ...fault });
  const ended = await node([program, path, text, how], { env });
  const calls = readCalls(readFileSync(log, 'utf8'));
  return {
    ended,
    calls: calls.map((call) => `${call.operation} ${call.path.slice(folder.length + 1)}`),
    path,
  };
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
