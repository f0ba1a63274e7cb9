import { expect, test } from 'vitest';
import type { Face } from '../face.ts';
import { act } from './completion.ts';

const face = {} as Face;
const call = (shell: string) => act({ command: 'completion', arguments: [shell], options: {} }, face);

test('each shell has its script, made from the commands that there are', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const outcome = await call(shell);
    if (!outcome.ok || outcome.value.command !== 'completion') throw new Error('no script');
    expect(outcome.value.answer.shell).toBe(shell);
    expect(outcome.value.answer.script).toContain(`Completion of pawl for ${shell}`);
    expect(outcome.value.answer.script).toContain('checkpoints');
  }
});

test('a shell that nobody knows is refused, with those that are known', async () => {
  expect(await call('tcsh')).toEqual({
    ok: false,
    failure: { reason: 'bad-value', option: 'completion', found: 'tcsh', expected: 'bash, zsh, fish' },
  });
});
