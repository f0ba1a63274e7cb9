import { expect, it } from 'vitest';
import { type CodePipeline, memoryEnvironment, readText, root, run } from '../../../test/fixtures/memory.ts';

const rounds: CodePipeline = {
  pawl: 1,
  pipeline: 'rounds',
  units: ['a'],
  phases: {
    draw: {
      run: ({ attempt }) => ({ picture: `attempt ${attempt}` }),
      outputs: { picture: 'c/{unit}_{attempt}.txt' },
    },
    look: {
      run: ({ iteration: round }) => ({ report: { status: round < 3 ? 'bad' : 'good' } }),
      outputs: { report: 'r/{unit}_{attempt}.json' },
      gate: { verdict: 'report.status', pass: ['good'], back_to: 'draw', iterations: 4 },
    },
  },
};
it('restores an output of an attempt where that attempt put it', async () => {
  const env = memoryEnvironment();
  await run(env, rounds);
  env.disk.remove(`${root}/c/a_3.txt`);
  await run(env, rounds, { restore: true });
  expect([1, 2, 3].map((n) => readText(env, `c/a_${n}.txt`))).toEqual([
    'attempt 1',
    'attempt 2',
    'attempt 3',
  ]);
});
it('keeps to a limit of attempts, however many go at a time', async () => {
  const env = memoryEnvironment();
  const answer = await run(env, {
    pawl: 1,
    pipeline: 'p',
    units: { count: 8, id: 'f{index}' },
    pace: { concurrency: 4 },
    phases: { draw: { run: () => ({ out: 'x' }), limits: { attempts: 2 }, outputs: { out: 'o/{unit}' } } },
  });
  expect(answer.limits).toMatchObject([{ value: 2 }]);
});
it('has another key where a rung is another', async () => {
  const env = memoryEnvironment();
  const keys: string[] = [];
  const p = (seed: number): CodePipeline => ({
    pawl: 1,
    pipeline: 'p',
    units: ['a'],
    phases: {
      draw: {
        run: ({ idempotencyKey, iteration: round, params }) => {
          if (round === 2) keys.push(`${params.seed} ${idempotencyKey}`);
          return { out: `${round}` };
        },
        params: { seed: 1 },
        ladder: [{ params: { seed } }],
        outputs: { out: 'o/{unit}' },
      },
      look: {
        run: ({ iteration: round }) => ({ r: { s: round === 1 ? 'bad' : 'ok' } }),
        outputs: { r: 'r/{unit}' },
        gate: { verdict: 'r.s', pass: ['ok'], back_to: 'draw', iterations: 2 },
      },
    },
  });
  await run(env, p(2));
  await run(env, p(3), { force: true, rerunAll: true });
  expect(keys[0]?.split(' ')[1]).not.toBe(keys[1]?.split(' ')[1]);
});
it('says no more of an unknown file once that was moved aside', async () => {
  const env = memoryEnvironment();
  const p: CodePipeline = {
    pawl: 1,
    pipeline: 'p',
    units: ['a', 'b'],
    phases: {
      draw: {
        run: ({ unit }) => {
          if (unit.id === 'a' && !go) throw new Error('x');
          return { out: 'x' };
        },
        outputs: { out: 'o/{unit}' },
      },
    },
  };
  let go = false;
  await run(env, p);
  env.disk.putFile(`${root}/o/a`, 'by hand');
  go = true;
  const answer = await run(env, p);
  expect(answer.heading.status).toBe('completed');
  expect(answer.notices).toEqual([]);
});
it('completes a run whose audit log cannot be opened, and says so', async () => {
  const env = memoryEnvironment();
  env.disk.makeFolder(`${root}/log.jsonl`);
  const p: CodePipeline = {
    pawl: 1,
    pipeline: 'p',
    units: ['a'],
    layout: { audit_log: 'log.jsonl' },
    phases: { draw: { run: () => ({ out: 'x' }), outputs: { out: 'o/{unit}' } } },
  };
  const { heading, notices } = await run(env, p);
  expect(heading.status).toBe('completed');
  expect(notices).toMatchObject([{ code: 'projection-failed', path: 'log.jsonl', error: 'EISDIR' }]);
});
it('leaves a score out that is no number', async () => {
  const env = memoryEnvironment();
  const p: CodePipeline = {
    pawl: 1,
    pipeline: 'p',
    units: ['a'],
    phases: {
      look: {
        run: () => ({ r: '{"s":"ok","n":1e999}' }),
        outputs: { r: 'r/{unit}' },
        gate: { verdict: 'r.s', pass: ['ok'], back_to: 'look', iterations: 2, score: 'r.n' },
      },
    },
  };
  expect((await run(env, p)).heading.status).toBe('completed');
});

it('runs only the rounds again that a changed rung concerns', async () => {
  const env = memoryEnvironment({ 'plain.md': 'plain', 'strict.md': 'strict' });
  const drawn: string[] = [];
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'rungs',
    units: ['a'],
    phases: {
      draw: {
        run: ({ iteration: round, prompt }) => {
          drawn.push(`${round} ${prompt?.text}`);
          return { out: `${round} ${prompt?.text}` };
        },
        prompt: 'plain.md',
        ladder: [{ params: { seed: 2 } }, { prompt: 'strict.md' }],
        outputs: { out: 'o/{unit}_{attempt}' },
      },
      look: {
        run: ({ iteration: round }) => ({ r: { s: round < 3 ? 'bad' : 'ok' } }),
        outputs: { r: 'r/{unit}_{attempt}' },
        gate: { verdict: 'r.s', pass: ['ok'], back_to: 'draw', iterations: 4 },
      },
    },
  };
  await run(env, definition);
  expect(drawn).toEqual(['1 plain', '2 plain', '3 strict']);
  env.disk.putFile(`${root}/strict.md`, 'stricter');
  drawn.length = 0;
  const answer = await run(env, definition, { allowPromptChange: true, reason: 'so' });
  expect(answer.heading.status).toBe('completed');
  expect(drawn).toEqual(['3 stricter']);
});

it('waits for what it only has to be told of when it runs again anyway', async () => {
  const env = memoryEnvironment();
  const seen: string[] = [];
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'chain',
    units: ['a', 'b'],
    phases: {
      audit: {
        run: ({ unit, inputs }) => {
          seen.push(`${unit.id} after ${inputs.before?.text() ?? 'nothing'}`);
          return { report: `${unit.id} is good` };
        },
        inputs: { before: { from: 'approve.frame', of: 'previous', on_change: 'tell' } },
        outputs: { report: 'r/{unit}' },
      },
      approve: { run: ({ unit }) => ({ frame: `frame ${unit.id}` }), outputs: { frame: 'f/{unit}' } },
    },
  };
  await run(env, definition);
  seen.length = 0;
  env.disk.remove(`${root}/r/a`);
  env.disk.remove(`${root}/r/b`);
  expect((await run(env, definition)).heading.status).toBe('completed');
  expect(seen).toEqual(['a after nothing', 'b after frame a']);
});

it('goes on in a folder that was renamed', async () => {
  const env = memoryEnvironment();
  const ran: string[] = [];
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'moved',
    units: ['a', 'b'],
    layout: { run: 'runs/{date}_x' },
    phases: {
      draw: {
        run: ({ unit }) => {
          ran.push(unit.id);
          return { out: unit.id };
        },
        outputs: { out: '{run}/o/{unit}' },
      },
    },
  };
  const first = await run(env, definition);
  env.disk.rename(`${root}/runs/20261115_x`, `${root}/runs/kept`);
  const second = await run(env, definition);
  expect(second).toMatchObject({ kind: 'unchanged', heading: { run: first.heading.run } });
  env.disk.remove(`${root}/runs/kept/o/b`);
  await run(env, definition);
  expect(ran).toEqual(['a', 'b', 'b']);
  expect(readText(env, 'runs/kept/o/b')).toBe('b');
  expect(env.disk.stat(`${root}/runs/20261115_x`)).toBeUndefined();
});
