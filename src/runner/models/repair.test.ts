import { describe, expect, it } from 'vitest';
import { asking, attemptPath, modelWorld, of } from '../../../test/fixtures/standin.ts';

const repair =
  'It failed: {{ failure.reason }}, {{ failure.message }}, in {{ failure.output }}. You said {{ answer }} for {{ unit.id }}.';
const files = {
  'repair.md': repair,
  'system.md': 'Be brief.',
  's.json': '{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}',
};
const prompt = { system: 'system.md', phase: 'prompt.md', repair: 'repair.md' };
const data = { data: { path: 'out/{unit}.json', schema: 's.json' } };

describe('after an answer that could not be used', () => {
  it('the next attempt is told what was wrong with it', async () => {
    const world = modelWorld(files);
    world.answer = () => (world.asked.length === 1 ? '{"a":"x"}' : '{"a":1}');
    const answer = await world.run(asking({ prompt, outputs: data }));
    expect(answer.heading.status).toBe('completed');
    expect(world.asked.map(({ turns }) => turns.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'user'],
    ]);
    const [, second] = world.asked;
    expect(second?.system).toBe('Be brief.');
    expect(second?.turns[0]?.text).toBe('Say a.');
    expect(second?.turns[1]?.text).toBe('{"a":"x"}');
    expect(second?.prompt).toMatch(/^It failed: check-failed, .+, in data\. You said \{"a":"x"\} for a\.$/);
    expect(second?.prompt).toContain('a');
    // All of it is on disk, as it was sent.
    expect(world.read(attemptPath(world, 'a/write#2', 'prompt.md'))).toBe(
      `<!-- system -->\nBe brief.\n<!-- prompt -->\nSay a.\n<!-- answer -->\n{"a":"x"}\n<!-- prompt -->\n${second?.prompt}\n`,
    );
    // The prompt is the same one: what is said of an earlier answer is no other prompt.
    const starts = of(world.events(), 'attempt_started');
    expect(starts[1]?.prompt).toBe(starts[0]?.prompt);
    expect(starts[1]?.call?.key).not.toBe(starts[0]?.call?.key);
  });

  it('JSON that is none is told as that', async () => {
    const world = modelWorld(files);
    world.answer = () => (world.asked.length === 1 ? '{"a":' : '{"a":1}');
    await world.run(asking({ prompt, outputs: data }));
    expect(world.asked[1]?.prompt).toMatch(/^It failed: answer-unparsable, .*JSON.*, in \. You said \{"a":/);
  });

  it('each time only the newest one is spoken of', async () => {
    const world = modelWorld(files);
    world.answer = () => ['{"a":"x"}', '{"a":"y"}', '{"a":1}'][world.asked.length - 1] ?? '';
    await world.run(asking({ prompt, outputs: data, retries: 3 }));
    expect(world.asked[2]?.turns.map(({ text }) => text).slice(0, 2)).toEqual(['Say a.', '{"a":"y"}']);
    expect(world.asked[2]?.turns).toHaveLength(3);
  });

  it('also in the next sitting', async () => {
    const world = modelWorld(files);
    world.answer = () => '{"a":"x"}';
    await world.run(asking({ prompt, outputs: data, retries: 1 }));
    world.restart();
    world.answer = () => '{"a":1}';
    await world.run(asking({ prompt, outputs: data, retries: 2 }));
    expect(world.asked[1]?.turns).toHaveLength(3);
  });

  it('a report without a verdict is told as well', async () => {
    const world = modelWorld(files);
    world.answer = () => (world.asked.length === 1 ? '{"grade":1}' : '{"status":"pass"}');
    const outputs = { report: { path: 'out/{unit}.json', from: 'json' } };
    const gate = { verdict: 'report.status', pass: ['pass'], back_to: 'write', iterations: 1 };
    await world.run(asking({ prompt, outputs, gate, retries: 2 }));
    expect(world.asked[1]?.prompt).toMatch(/^It failed: verdict-unreadable/);
  });

  it.each([
    ['no template was declared', { phase: 'prompt.md' }, { text: '{"a":"x"}' }],
    ['it was cut off', prompt, { text: '{"a":', finish: 'length' }],
    ['it was empty', prompt, { text: ' ' }],
  ])('nothing is told where %s', async (_, given, bad) => {
    const world = modelWorld(files);
    world.answer = () => (world.asked.length === 1 ? bad : '{"a":1}');
    await world.run(asking({ prompt: given, outputs: data, retries: 2 }));
    expect(world.asked.map(({ turns }) => turns.length)).toEqual([1, 1]);
  });

  it('nothing is told where the prompt has changed since: it was no answer to this one', async () => {
    const world = modelWorld(files);
    world.answer = () => '{"a":"x"}';
    await world.run(asking({ prompt, outputs: data, retries: 1 }));
    world.restart();
    world.put('prompt.md', 'Say it otherwise: {{ unit.id }}.');
    world.answer = () => '{"a":1}';
    await world.run(asking({ prompt, outputs: data, retries: 2 }));
    expect(world.asked[1]?.turns.map(({ text }) => text)).toEqual(['Say it otherwise: a.']);
  });

  it('nothing is told where the answer has been tampered with', async () => {
    const world = modelWorld(files);
    world.answer = () => '{"a":"x"}';
    await world.run(asking({ prompt, outputs: data, retries: 1 }));
    world.put(attemptPath(world, 'a/write#1', 'response.txt'), '{"a":"y"}');
    world.restart();
    world.answer = () => '{"a":1}';
    await world.run(asking({ prompt, outputs: data, retries: 2 }));
    expect(world.asked[1]?.turns).toHaveLength(1);
  });

  it('a template that cannot be made is the attempt’s failure, and nothing is asked', async () => {
    const world = modelWorld({ ...files, 'repair.md': 'What is {{ nobody.knows }}?' });
    world.answer = () => '{"a":"x"}';
    await world.run(asking({ prompt, outputs: data, retries: 2 }));
    expect(world.asked).toHaveLength(1);
    expect(of(world.events(), 'attempt_failed').map(({ reason }) => reason)).toEqual([
      'check-failed',
      'template-failed',
    ]);
  });
});
