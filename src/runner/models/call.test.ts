import { describe, expect, it } from 'vitest';
import { asking, attemptPath, modelWorld, of } from '../../../test/fixtures/standin.ts';

describe('a call', () => {
  it('becomes an output, with all that is known of it on record', async () => {
    const world = modelWorld({ 'system.md': 'Be brief.' });
    world.answer = () => ({ text: ' Hello.\n', usage: { inputTokens: 10, outputTokens: 2 } });
    const answer = await world.run(asking({ prompt: { system: 'system.md', phase: 'prompt.md' } }));
    expect(answer.heading.status).toBe('completed');
    expect(world.read('out/a.md')).toBe('Hello.\n');
    console.log(JSON.stringify(world.events(), null, 1));
    console.log(world.read(attemptPath(world, 'a/write#1', 'prompt.md')));
  });
});
