import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';

const out = (unit: string, name: string) => `out/${unit}.${name}`;

describe('a cell without a result', () => {
  it('runs when nothing is before it, and waits for what is', async () => {
    const world = await World.of(line());
    expect(world.decisions()).toEqual({
      'a/one': 'run never-ran',
      'a/two': 'wait for one',
      'a/three': 'wait for two',
      'b/one': 'run never-ran',
      'b/two': 'wait for one',
      'b/three': 'wait for two',
    });
    expect(world.plan()).toMatchObject({ finished: false, refusals: [], notices: [] });
  });

  it('runs again when its holder died', async () => {
    const world = await World.of(line());
    world.die('a/one');
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'interrupted', attempt: 1 } });
  });

  it('runs again when it failed', async () => {
    const world = await World.of(line());
    world.fail('a/one', 'timed-out');
    expect(world.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'failed-before', attempt: 1, failure: 'timed-out' },
    });
  });

  it('runs again when it was interrupted, and knows by which attempt', async () => {
    const world = await World.of(line());
    world.die('a/one');
    world.fold({ type: 'attempt_interrupted', unit: 'a', phase: 'one', attempt: 1, ms: 1 });
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'interrupted', attempt: 1 } });
  });

  it('says what it will consume', async () => {
    const world = await World.of(line());
    world.run('a/two');
    const decision = world.decision('a/two');
    const made = decision.do === 'run' ? decision.made : undefined;
    const one = world.ledger.steps.get('a/one')?.results[0]?.outputs.out;
    expect(one).toBeDefined();
    expect(made?.inputs).toEqual(
      new Map([['out', { ref: `one#1 ${one?.hash}`, output: one, superseded: false }]]),
    );
  });
});

describe('a budget of attempts', () => {
  const budget = line({ phases: { ...phase('one', { retries: 2 }), ...phase('two') } });

  it('holds over every resume, and stops the cell when it is used up', async () => {
    const world = await World.of(budget);
    world.fail('a/one');
    world.fold({ type: 'run_ended', status: 'stopped' }, { type: 'run_resumed', boot: 'b' });
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'failed-before' } });
    world.fail('a/one', 'timed-out');
    expect(world.decision('a/one')).toMatchObject({
      do: 'stop',
      why: { code: 'attempts-used-up', attempts: 2, failure: 'timed-out' },
    });
    expect(world.decisions()).toMatchObject({ 'a/two': 'wait for one', 'b/one': 'run never-ran' });
  });

  it('does not count attempts that nobody let end', async () => {
    const world = await World.of(budget);
    for (const _ of [1, 2, 3]) world.die('a/one');
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'interrupted', attempt: 3 } });
  });

  it('is granted anew by a rerun that a person asks for', async () => {
    const world = await World.of(budget);
    world.fail('a/one');
    world.fail('a/one');
    expect(world.override({ rerun: { from: 'one', units: undefined } })).toEqual([]);
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'rerun-requested' } });
  });

  it('is new after a success', async () => {
    const world = await World.of(budget);
    world.fail('a/one');
    world.run();
    world.setFact(out('a', 'one'), { kind: 'missing' });
    world.fail('a/one');
    expect(world.decision('a/one')).toMatchObject({ do: 'run' });
  });
});

describe('an attempt in doubt', () => {
  const asks = line({ phases: { ...phase('one', { on_interrupt: 'ask' }), ...phase('two') } });

  it('refuses where the manifest wants to be asked', async () => {
    const world = await World.of(asks);
    world.die('a/one');
    expect(world.plan().refusals).toEqual([{ guard: 'in-doubt', unit: 'a', phase: 'one', attempt: 1 }]);
    expect(world.decisions()).toMatchObject({ 'a/one': 'refuse in-doubt', 'a/two': 'wait for one' });
  });

  it('is opened by no override but a rerun of that cell', async () => {
    const world = await World.of(asks);
    world.die('a/one');
    const all = { force: { reason: 'r' }, forceResume: { reason: 'r' } };
    expect(world.override(all)).toHaveLength(1);
    expect(world.override({ rerun: { from: 'two', units: undefined } })).toHaveLength(1);
    expect(world.override({ rerun: { from: 'one', units: (unit) => unit === 'b' } })).toHaveLength(1);
    expect(world.override({ rerun: { from: 'one', units: (unit) => unit === 'a' } })).toEqual([]);
    expect(world.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'rerun-requested' } });
  });
});

describe('a cell with a result', () => {
  it('is reused while nothing has changed', async () => {
    const world = await World.of(line());
    expect(world.run()).toEqual(['a/one#1', 'a/two#1', 'a/three#1', 'b/one#1', 'b/two#1', 'b/three#1']);
    expect(new Set(Object.values(world.decisions()))).toEqual(new Set(['reuse']));
    expect(world.plan().finished).toBe(true);
    expect(world.run()).toEqual([]);
  });

  it('runs again with everything that hangs on it when an output is missing', async () => {
    const world = await World.of(line());
    world.run();
    world.setFact(out('a', 'two'), { kind: 'missing' });
    expect(world.decision('a/two')).toMatchObject({
      do: 'run',
      why: { code: 'output-missing', output: 'out', path: 'out/a.two' },
      had: { attempt: 1 },
    });
    expect(world.decisions()).toMatchObject({
      'a/one': 'reuse',
      'a/three': 'wait for two',
      'b/three': 'reuse',
    });
  });

  it('runs again when an output is damaged', async () => {
    const world = await World.of(line());
    world.run();
    const damage = { kind: 'check-failed', check: 'json', detail: 'cut off' } as const;
    world.setFact(out('a', 'two'), { kind: 'damaged', damage });
    expect(world.decision('a/two')).toMatchObject({
      do: 'run',
      why: { code: 'output-damaged', output: 'out', path: 'out/a.two', damage },
    });
  });

  it('has outputs put back that never got to their place', async () => {
    const world = await World.of(line());
    world.run();
    world.setFact(out('a', 'two'), { kind: 'unpromoted' });
    expect(world.decisions()).toMatchObject({ 'a/two': 'restore out', 'a/three': 'reuse' });
    expect(world.plan()).toMatchObject({ finished: false, refusals: [] });
  });

  it('refuses when an output was edited, and nothing that hangs on it starts', async () => {
    const world = await World.of(line());
    world.run('a/three');
    const after = world.edit(out('a', 'two'), 'mine');
    const before = world.ledger.steps.get('a/two')?.results[0]?.outputs.out?.hash;
    expect(world.plan().refusals).toEqual([
      { guard: 'output-edited', unit: 'a', phase: 'two', output: 'out', path: 'out/a.two', before, after },
    ]);
    expect(world.decisions()).toMatchObject({ 'a/two': 'refuse output-edited' });
    expect(world.plan().finished).toBe(false);
  });

  it('refuses an edit below a rerun before anything is paid for', async () => {
    const world = await World.of(line());
    world.run();
    world.setFact(out('a', 'one'), { kind: 'missing' });
    world.edit(out('a', 'three'), 'mine');
    expect(world.decisions()).toMatchObject({
      'a/one': 'run output-missing',
      'a/two': 'wait for one',
      'a/three': 'refuse output-edited',
    });
    expect(world.plan().refusals).toHaveLength(1);
  });

  it('refuses an edit above a rerun too', async () => {
    const world = await World.of(line());
    world.run();
    world.edit(out('a', 'one'), 'mine');
    world.setFact(out('a', 'three'), { kind: 'missing' });
    expect(world.decisions()).toMatchObject({
      'a/one': 'refuse output-edited',
      'a/three': 'run output-missing',
    });
    expect(world.plan().refusals).toHaveLength(1);
  });

  it('names every trouble: an edited output beside a missing one refuses', async () => {
    const two = { a: 'out/{unit}.a', b: 'out/{unit}.b' };
    const world = await World.of(line({ phases: phase('one', { outputs: two }) }));
    world.run();
    world.setFact('out/a.a', { kind: 'missing' });
    world.edit('out/a.b', 'mine');
    expect(world.decisions()).toMatchObject({ 'a/one': 'refuse output-edited' });
  });
});

describe('early cut-off', () => {
  it('reuses what hangs on a cell that ran again with the same bytes', async () => {
    const world = await World.of(line());
    world.run();
    world.setFact(out('a', 'one'), { kind: 'missing' });
    expect(world.run()).toEqual(['a/one#2']);
    expect(world.plan().finished).toBe(true);
  });

  it('runs what hangs on a cell that ran again with other bytes, as far as they differ', async () => {
    const world = await World.of(line());
    world.run();
    const before = world.ledger.steps.get('a/one')?.results[0]?.outputs.out?.hash;
    world.makers.set('a/one', () => ({ out: 'another' }));
    world.makers.set('a/two', () => ({ out: 'two whatever comes' }));
    world.setFact(out('a', 'one'), { kind: 'missing' });
    expect(world.run('a/two')).toEqual(['a/one#2']);
    expect(world.decision('a/two')).toMatchObject({
      do: 'run',
      why: { code: 'input-changed', input: 'out', before, after: hashBytes('another') },
    });
    expect(world.run()).toEqual(['a/two#2', 'a/three#2']);
    world.makers.set('a/one', () => ({ out: 'yet another' }));
    world.setFact(out('a', 'one'), { kind: 'missing' });
    expect(world.run()).toEqual(['a/one#3', 'a/two#3']);
    expect(world.plan().finished).toBe(true);
  });
});

describe('inputs', () => {
  it('come from the first phase of the list that has one', async () => {
    const phases = {
      ...phase('one'),
      ...phase('two', { inputs: {} }),
      ...phase('three', { needs: ['one', 'two'], inputs: { it: ['two.out', 'one.out'] } }),
    };
    const world = await World.of(line({ phases }));
    world.run('a/three');
    const decision = world.decision('a/three');
    const ref = decision.do === 'run' ? decision.made.inputs.get('it')?.ref : '';
    expect(ref).toMatch(/^two#1 sha256:/);
  });

  it('that a result did not have count as changed', async () => {
    const world = await World.of(line());
    world.run();
    world.fold({
      type: 'results_kept',
      steps: ['a/two'],
      revision: 1,
      guard: 'file-changed',
      reason: '',
      inputs: {},
    });
    const after = world.ledger.steps.get('a/one')?.results[0]?.outputs.out?.hash;
    expect(world.decision('a/two')).toMatchObject({
      do: 'run',
      why: { code: 'input-changed', input: 'out', before: undefined, after },
    });
  });
});

it('tells units that the pipeline does not list any more, and leaves them alone', async () => {
  const world = await World.of(line());
  world.run();
  await world.change({}, line({ units: ['a'] }));
  const { notices, units } = world.plan();
  expect(notices).toEqual([{ code: 'unit-removed', unit: 'b' }]);
  expect([...units.keys()]).toEqual(['a']);
});
