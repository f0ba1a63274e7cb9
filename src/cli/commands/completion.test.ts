import { expect, test } from 'vitest';
import type { Face } from '../face.ts';
import { completionCommand } from './completion.ts';

const face = {} as Face;
const call = (shell: string) =>
  completionCommand.perform({ command: 'completion', arguments: [shell], options: {} }, face);

test('each shell has its script', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const outcome = await call(shell);
    if (!outcome.ok) throw new Error('no script');
    expect(outcome.value.answer).toMatchObject({
      shell,
      script: expect.stringContaining(`Completion of pawl for ${shell}`),
    });
  }
});

test('an unknown shell is refused, with those that are known', async () => {
  expect(await call('tcsh')).toEqual({
    ok: false,
    failure: { reason: 'bad-value', option: 'completion', found: 'tcsh', expected: 'bash, zsh, fish' },
  });
});
