import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { showDiff } from './diff.ts';
import { showLogs } from './logs.ts';
import { planPipeline } from './plan.ts';
import { listRuns } from './runs.ts';
import { showStatus } from './status.ts';
import { whyStep } from './why.ts';

/** Two letters: one is finished in its second round, the other fails. */
async function begun() {
  const world = letters();
  world.work.read = ({ unit, iteration: round }) => ({
    report: { status: unit.id === 'bob' || round > 1 ? 'pass' : 'fail' },
  });
  world.work.seal = ({ unit, inputs, folder, respond }) => {
    folder();
    respond(`an answer about ${unit.id}`);
    if (unit.id === 'bob') throw new Error('no wax');
    return { letter: inputs.text?.text() ?? '' };
  };
  const answer = await run(world.env, world.definition);
  return { ...world, answer };
}

/** A run whose holder is gone without a word, in the middle of a cell. */
async function interrupted() {
  const world = letters({ units: ['ann'] });
  let reached: (() => void) | undefined;
  const there = new Promise<void>((resolve) => {
    reached = resolve;
  });
  world.work.read = () => {
    reached?.();
    return new Promise(() => undefined);
  };
  void run(world.env, world.definition);
  await there;
  return { ...world, next: nextProcess(world.env) };
}

describe('the status', () => {
  it('says what keeps a run from starting anything', async () => {
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'stuck',
      units: ['a'],
      phases: {
        one: {
          run: () => Promise.reject(new Error('no ink')),
          outputs: { text: '{unit}.md' },
          retries: { attempts: 1, backoff: '0s' },
        },
      },
    };
    const env = memoryEnvironment();
    await run(env, definition);
    const target = { path: root, pipeline: definePipeline(definition) };
    expect(demand(await showStatus(nextProcess(env), target)).stuck).toMatchObject([
      { unit: 'a', phase: 'one', why: { code: 'attempts-used-up' } },
    ]);
    const other = await begun();
    expect(demand(await showStatus(other.env, other.target))).not.toHaveProperty('stuck');
  });

  it('is one cell of the matrix for each unit and phase', async () => {
    const { env, target } = await begun();
    const status = demand(await showStatus(env, target));
    expect(status.phases).toEqual(['draft', 'mend', 'read', 'seal']);
    expect(status.units.map(({ unit, cells: steps }) => [unit, ...steps.map((step) => step.status)])).toEqual(
      [
        ['ann', 'succeeded', 'succeeded', 'succeeded', 'succeeded'],
        ['bob', 'succeeded', 'skipped', 'succeeded', 'failed'],
      ],
    );
    expect(status.units[0]?.cells[2]).toEqual({
      phase: 'read',
      status: 'succeeded',
      iteration: 2,
      attempts: 2,
      verdict: 'pass',
      passed: true,
    });
    expect(status.counts).toMatchObject({ succeeded: 6, skipped: 1, failed: 1 });
    expect(status.heading.status).toBe('stopped');
    expect(status.holder).toBeUndefined();
  });

  it('of a cell that was asked for again and failed is failed', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    await run(env, definition);
    work.read = () => Promise.reject('no');
    work.draft = () => ({ text: 'another' });
    await run(env, definition, { rerunFrom: 'draft' });
    env.disk.remove(`${root}/out/ann.draft`);
    work.draft = () => Promise.reject('no ink');
    await run(env, definition);
    const [ann] = demand(await showStatus(env, target)).units;
    expect(ann?.cells[0]).toMatchObject({ phase: 'draft', status: 'failed' });
  });

  it('of a run that somebody holds says who', async () => {
    const { env, target } = await interrupted();
    const other = { ...nextProcess(env) };
    other.host.dead.clear();
    const status = demand(await showStatus(other, target));
    expect(status.heading.status).toBe('running');
    expect(status.holder).toMatchObject({ pid: 1, host: 'here' });
    expect(status.units[0]?.cells.map((step) => step.status)).toEqual([
      'succeeded',
      'skipped',
      'running',
      'pending',
    ]);
  });

  it('of a run whose holder is gone is interrupted, and so is the cell in flight', async () => {
    const { next, target } = await interrupted();
    const status = demand(await showStatus(next, target));
    expect(status.heading.status).toBe('interrupted');
    expect(status.holder).toBeUndefined();
    expect(status.units[0]?.cells.map((step) => step.status)).toEqual([
      'succeeded',
      'skipped',
      'interrupted',
      'pending',
    ]);
  });

  it('needs a run', async () => {
    const { env, target } = letters();
    expect(failureOf(await showStatus(env, target))).toEqual({ reason: 'no-run', workspace: '.' });
    expect(demand(await listRuns(env, target))).toEqual({ runs: [] });
  });
});

describe('a run', () => {
  it('is found by its id, or by enough of it', async () => {
    const { env, target, answer } = await begun();
    const { run: id } = answer.heading;
    for (const name of [id, id.slice(0, 20)])
      expect((await showStatus(env, { ...target, run: name })).ok).toBe(true);
    expect(failureOf(await showStatus(env, { ...target, run: `${id}x` }))).toMatchObject({
      reason: 'run-not-found',
      id: `${id}x`,
      near: [id],
    });
  });

  it('of another identity is another run', async () => {
    const { env, definition, target } = await begun();
    const other = { ...definition, identity: { who: 'carl' } };
    const answer = await run(env, other);
    expect(answer.kind).toBe('new');
    expect(demand(await listRuns(env, target)).runs).toHaveLength(2);
    expect(demand(await showStatus(env, { ...target, pipeline: definePipeline(other) })).heading.run).toBe(
      answer.heading.run,
    );
  });
});

describe('the logs of a cell', () => {
  it('tell every attempt, with what it left', async () => {
    const { env, definition, target, work } = await begun();
    work.seal = () => ({ letter: 'x' });
    await run(env, definition);
    const { attempts, unit, phase } = demand(
      await showLogs(env, { ...target, cell: 'bob/seal', attempt: 'all' }),
    );
    expect({ unit, phase }).toEqual({ unit: 'bob', phase: 'seal' });
    expect(attempts.map(({ attempt, outcome, failure }) => ({ attempt, outcome, failure }))).toEqual([
      { attempt: 1, outcome: 'failed', failure: 'function-threw' },
      { attempt: 2, outcome: 'succeeded', failure: undefined },
    ]);
    expect(attempts[0]?.message).toContain('no wax');
    expect(attempts[0]?.files).toEqual([
      { name: 'response.txt', kind: 'answer', text: 'an answer about bob', cut: false },
    ]);
    expect(attempts[1]?.files).toEqual([]);
  });

  it('tell the round, and what was superseded', async () => {
    const { env, definition, target } = await begun();
    const rounds = demand(await showLogs(env, { ...target, cell: 'ann/read', attempt: 'all' })).attempts;
    expect(rounds.map(({ iteration: round, superseded }) => [round, superseded])).toEqual([
      [1, false],
      [2, false],
    ]);
    await run(env, definition, { rerunFrom: 'read', unit: 'ann' });
    const after = demand(await showLogs(env, { ...target, cell: 'ann/read', attempt: 'all' })).attempts;
    expect(after.map(({ superseded }) => superseded)).toEqual([true, true, false, false]);
  });

  it('tell an attempt in doubt from one that runs', async () => {
    const { env, next, target } = await interrupted();
    const other = nextProcess(env);
    other.host.dead.clear();
    const outcome = async (who: typeof env) =>
      demand(await showLogs(who, { ...target, cell: 'ann/read' })).attempts[0]?.outcome;
    expect(await outcome(next)).toBe('in-doubt');
    expect(await outcome(other)).toBe('running');
  });

  it('can be asked for one attempt', async () => {
    const { env, target } = await begun();
    const one = demand(await showLogs(env, { ...target, cell: 'ann/read', attempt: 2 }));
    expect(one.attempts.map(({ attempt }) => attempt)).toEqual([2]);
    expect(failureOf(await showLogs(env, { ...target, cell: 'ann/read', attempt: 7 }))).toEqual({
      reason: 'usage',
      problem: { code: 'unknown-attempt', cell: 'ann/read', attempt: 7, valid: [1, 2] },
    });
  });

  it('show a long file up to a limit', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    work.draft = ({ respond }) => {
      respond('x'.repeat(100_000));
      return { text: 'x' };
    };
    await run(env, definition);
    const [attempt] = demand(await showLogs(env, { ...target, cell: 'ann/draft' })).attempts;
    const response = attempt?.files.find(({ name }) => name === 'response.txt');
    expect(response).toMatchObject({ cut: true });
    expect(response?.text).toHaveLength(64 * 1024);
  });
});

describe('why', () => {
  it('a cell stands: every part is as it was', async () => {
    const { env, target } = await begun();
    const why = demand(await whyStep(env, { ...target, cell: 'ann/draft' }));
    expect(why).toMatchObject({
      status: 'succeeded',
      iteration: 1,
      attempts: 1,
      verdict: { do: 'reuse' },
      failure: undefined,
    });
    expect(why.parts.map(({ name, path, same }) => [name, path, same])).toEqual([
      ['definition', undefined, true],
      ['template system', 'system.md', true],
      ['template phase', 'draft.md', true],
    ]);
    expect(why.outputs).toEqual([
      { name: 'text', path: 'out/ann.draft', hash: hashBytes('Dear ann'), state: 'intact' },
    ]);
  });

  it('a cell is refused: the part that changed, with both hashes', async () => {
    const { env, target } = await begun();
    env.disk.putFile(`${root}/system.md`, 'You write well.\n');
    const why = demand(await whyStep(env, { ...target, cell: 'ann/draft' }));
    expect(why).toMatchObject({ status: 'blocked', verdict: { do: 'refuse' } });
    expect(why.parts.filter(({ same }) => !same)).toEqual([
      {
        name: 'template system',
        path: 'system.md',
        recorded: hashBytes('You write.\n'),
        now: hashBytes('You write well.\n'),
        same: false,
      },
    ]);
  });

  it('a cell is kept by a person: the part that it was really made from', async () => {
    const { env, definition, target } = await begun();
    env.disk.putFile(`${root}/system.md`, 'You write well.\n');
    const next = nextProcess(env);
    await run(next, definition, { forceResume: true, reason: 'good as it is' });
    const why = demand(await whyStep(nextProcess(next), { ...target, cell: 'ann/draft' }));
    expect(why.verdict).toMatchObject({ do: 'reuse', result: { kept: { reason: 'good as it is' } } });
    const [recorded, now] = [hashBytes('You write.\n'), hashBytes('You write well.\n')];
    expect(why.parts.filter(({ same }) => !same)).toMatchObject([{ name: 'template system', recorded, now }]);
  });

  it('a cell runs again: what it would consume now', async () => {
    const { env, definition, target, work } = await begun();
    env.disk.remove(`${root}/out/ann.draft`);
    work.draft = () => ({ text: 'Hello' });
    const stop = new AbortController();
    const observer = {
      begun: () => undefined,
      progress: ({ type }: { type: string }) => void (type === 'attempt-succeeded' && stop.abort()),
    };
    await run(env, definition, { stop: stop.signal, observer });
    const why = demand(await whyStep(env, { ...target, cell: 'ann/read' }));
    expect(why.verdict).toMatchObject({ do: 'run', why: { code: 'input-changed', input: 'text' } });
    expect(why.parts.find(({ name }) => name === 'input text')).toMatchObject({
      now: hashBytes('Hello'),
      same: false,
    });
  });

  it('a cell failed, and one waits', async () => {
    const { env, target } = await begun();
    const failed = demand(await whyStep(env, { ...target, cell: 'bob/seal' }));
    expect(failed).toMatchObject({
      status: 'failed',
      verdict: { do: 'run', why: { code: 'failed-before' } },
      failure: { reason: 'function-threw' },
    });
    const { env: fresh, target: before } = letters();
    const waits = demand(await whyStep(fresh, { ...before, cell: 'bob/seal' }));
    expect(waits).toMatchObject({
      heading: undefined,
      status: 'pending',
      verdict: { do: 'wait' },
      parts: [],
      outputs: [],
    });
  });

  it('an output is not as it was', async () => {
    const { env, target } = await begun();
    const state = async () => demand(await whyStep(env, { ...target, cell: 'ann/seal' })).outputs[0]?.state;
    expect(await state()).toBe('intact');
    env.disk.putFile(`${root}/out/ann.letter`, 'edited');
    expect(await state()).toBe('edited');
    env.disk.remove(`${root}/out/ann.letter`);
    expect(await state()).toBe('missing');
  });

  it('a start state is another one', async () => {
    const chain: CodePipeline = {
      pawl: 1,
      pipeline: 'chain',
      state: { path: 'state.json', initial: 'seed.json' },
      units: { list: ['a', 'b'], order: 'chain' },
      phases: {
        step: {
          run: ({ unit, state }) => ({ state: { ...(state?.json() as object), [unit.id]: true }, out: 'x' }),
          state: 'write',
          outputs: { out: 'out/{unit}.txt' },
        },
      },
    };
    const env = memoryEnvironment({ 'seed.json': '{}' });
    const target = { path: root, pipeline: definePipeline(chain) };
    const state = async (step: string) =>
      demand(await whyStep(env, { ...target, cell: step })).parts.find(({ name }) => name === 'state');
    await run(env, chain);
    expect(await state('a/step')).toMatchObject({ path: 'seed.json', same: true });
    expect(await state('b/step')).toMatchObject({ path: 'state/a.json', same: true });
    env.disk.putFile(`${root}/seed.json`, '{"mood":"dark"}');
    expect(await state('a/step')).toMatchObject({
      recorded: hashBytes('{}'),
      now: hashBytes('{"mood":"dark"}'),
      same: false,
    });
    await run(env, chain, { rerunFrom: 'step', unit: 'a' });
    expect(await state('a/step')).toMatchObject({ same: true });
    expect(await state('b/step')).toMatchObject({ same: false });
  });
});

describe('the diff', () => {
  it('has nothing to show where nothing has changed', async () => {
    const { env, target } = await begun();
    expect(demand(await showDiff(env, target))).toEqual({ diffs: [], unshown: [] });
  });

  it('shows a changed template once, line by line', async () => {
    const { env, target } = await begun();
    env.disk.putFile(`${root}/system.md`, 'You write well.\n');
    expect(demand(await showDiff(env, target)).diffs).toEqual([
      {
        title: 'system.md',
        before: { path: 'system.md', hash: hashBytes('You write.\n') },
        after: { path: 'system.md', hash: hashBytes('You write well.\n') },
        lines: [
          { kind: 'removed', text: 'You write.' },
          { kind: 'added', text: 'You write well.' },
        ],
      },
    ]);
  });

  it('shows an edited output against what was made', async () => {
    const { env, target } = await begun();
    env.disk.putFile(`${root}/out/ann.letter`, 'My own\n');
    const { diffs } = demand(await showDiff(env, { ...target, cell: 'ann/seal' }));
    expect(diffs.map(({ title, lines }) => [title, lines.map(({ kind }) => kind)])).toEqual([
      ['out/ann.letter', ['removed', 'added']],
    ]);
    expect(demand(await showDiff(env, { ...target, cell: 'ann/draft' })).diffs).toEqual([]);
  });

  it('shows a template that is gone', async () => {
    const { env, target } = await begun();
    env.disk.remove(`${root}/draft.md`);
    const { diffs } = demand(await showDiff(env, target));
    expect(diffs).toMatchObject([
      {
        title: 'draft.md',
        after: { hash: undefined },
        lines: [{ kind: 'removed', text: 'Draft {{ unit.id }}.' }],
      },
    ]);
  });

  it('shows the manifest', async () => {
    const { env, target } = await begun();
    const { phases, ...rest } = letters().definition;
    const draft = phases?.draft;
    if (draft === undefined) throw new Error('no draft');
    const changed = { ...rest, phases: { ...phases, draft: { ...draft, params: { words: 3 } } } };
    const { diffs } = demand(await showDiff(env, { ...target, pipeline: definePipeline(changed) }));
    expect(diffs[0]?.lines.filter(({ kind }) => kind === 'added').map(({ text }) => text.trim())).toContain(
      '"words": 3',
    );
  });

  it('shows another start state', async () => {
    const seeded: CodePipeline = {
      pawl: 1,
      pipeline: 'seeded',
      state: { path: 'state.json', initial: 'seed.json' },
      units: ['a'],
      phases: {
        step: { run: () => ({ state: '{}', out: 'x' }), state: 'write', outputs: { out: 'out/{unit}.txt' } },
      },
    };
    const env = memoryEnvironment({ 'seed.json': '{}\n' });
    await run(env, seeded);
    env.disk.putFile(`${root}/seed.json`, '{"mood":"dark"}\n');
    const { diffs } = demand(await showDiff(env, { path: root, pipeline: definePipeline(seeded) }));
    expect(diffs).toMatchObject([
      {
        title: 'seed.json',
        lines: [
          { kind: 'removed', text: '{}' },
          { kind: 'added', text: '{"mood":"dark"}' },
        ],
      },
    ]);
  });

  it('knows no cell that is not there', async () => {
    const { env, target } = await begun();
    expect(failureOf(await showDiff(env, { ...target, cell: 'ann/saal' }))).toMatchObject({
      reason: 'usage',
      problem: { code: 'unknown-cell', near: ['ann/seal'] },
    });
  });

  it('shows the cells of a unit, or of a phase, that is named alone', async () => {
    const { env, target } = await begun();
    const near = async (step: string) => failureOf(await whyStep(env, { ...target, cell: step }));
    expect(await near('ann')).toMatchObject({
      problem: { near: ['ann/draft', 'ann/mend', 'ann/read', 'ann/seal'] },
    });
    expect(await near('seal')).toMatchObject({ problem: { near: ['ann/seal', 'bob/seal'] } });
  });
});

describe('the plan', () => {
  it('is shown before there is a run, and nothing is written', async () => {
    const { env, target } = letters();
    const { calls } = env.disk;
    const answer = demand(await planPipeline(env, target));
    expect(answer).toMatchObject({ heading: undefined, counts: { run: 2, wait: 4, skip: 2 } });
    expect(env.disk.calls).toBe(calls);
  });

  it('is what a run with the same request does', async () => {
    const { env, definition, target, ran } = await begun();
    const { plan, counts } = demand(await planPipeline(env, { ...target, rerunFrom: 'read', unit: 'ann' }));
    const planned = [...plan.units.values()].flatMap(({ cells: steps }) =>
      steps.filter(({ decision }) => decision.do === 'run').map(({ unit, phase }) => `${unit}/${phase}`),
    );
    expect(planned).toEqual(['ann/read']);
    expect(counts.run).toBe(1);
    ran.length = 0;
    await run(env, definition, { rerunFrom: 'read', unit: 'ann' });
    expect(ran.filter((step) => planned.includes(step)).length).toBeGreaterThanOrEqual(1);
    expect(ran.every((step) => step.startsWith('ann/') && step !== 'ann/draft')).toBe(true);
  });

  it('leaves the run as it is', async () => {
    const { env, target } = await begun();
    demand(await planPipeline(env, { ...target, rerunAll: true }));
    const again = demand(await planPipeline(env, target));
    expect(again.counts).toMatchObject({ run: 1, reuse: 6 });
  });

  it('shows refusals that no flag opens', async () => {
    const { env, target } = await begun();
    env.disk.putFile(`${root}/system.md`, 'You write well.\n');
    const answer = demand(await planPipeline(env, target));
    expect(answer.plan.refusals.map(({ guard }) => guard)).toEqual(['prompt-changed', 'prompt-changed']);
    const opened = demand(await planPipeline(env, { ...target, allowPromptChange: true, reason: 'r' }));
    expect(opened.plan.refusals).toEqual([]);
    expect(opened.counts.run).toBe(2);
  });
});
