import { describe, expect, it } from 'vitest';
import { answer, ask, questionsIn } from '../../test/fixtures/people.ts';
import { gate, line, phase, tries } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { RevisionRequested } from '../model/event.ts';
import type { Question } from '../model/reason.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

type Point = NonNullable<NonNullable<PipelineDefinition['phases']>[string]['checkpoint']>;

/** `one`, `two`, `three`, each taking what the one before has made; `two` has the checkpoint. */
const phases = (checkpoint: Point) => ({
  ...phase('one'),
  ...phase('two', { inputs: { text: 'one.out' }, checkpoint }),
  ...phase('three', { inputs: { text: 'two.out' } }),
});
const asking = (checkpoint: Point, more: Partial<PipelineDefinition> = {}) =>
  World.of(line({ units: ['a'], phases: phases(checkpoint), ...more }));

function onlyQuestion(world: World): Question {
  const [question, ...others] = questionsIn(world);
  if (question === undefined || others.length > 0) throw new Error('not one question');
  return question;
}

const redo = (world: World, from: string) => world.override({ rerun: { from, units: undefined } });
const outOf = (world: World, name: string) =>
  world.ledger.steps.get(`a/${name}`)?.results[0]?.outputs.out?.hash;

describe('a checkpoint after a phase', () => {
  it('lets nothing build on what was made before a person has approved it', async () => {
    const world = await asking('Text');
    expect(world.run()).toEqual(['a/one#1', 'a/two#1']);
    expect(world.decisions()).toEqual({
      'a/one': 'reuse',
      'a/two': 'stop checkpoint-asks',
      'a/three': 'wait for two',
    });
    expect(onlyQuestion(world)).toEqual({
      id: undefined,
      question: 'approval',
      unit: 'a',
      phase: 'two',
      place: 'after Text',
      name: 'Text',
      shown: { 'two.out': outOf(world, 'two') },
      channels: ['terminal', 'page'],
      redo: 'two',
      expiresMs: undefined,
    });
    expect(world.plan()).toMatchObject({ finished: false, refusals: [] });
  });

  it('is asked once: looking again finds the same question', async () => {
    const world = await asking('Text');
    world.run();
    expect(ask(world)).toEqual(['C1']);
    expect(ask(world)).toEqual(['C1']);
    expect(onlyQuestion(world).id).toBe('C1');
    expect(world.run()).toEqual([]);
  });

  it('that is approved goes on, and runs nothing before it', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
    expect(world.plan().finished).toBe(true);
    expect(ask(world)).toEqual([]);
  });

  it('is not asked again about the same bytes, however often they are made', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    world.run();
    redo(world, 'two');
    expect(world.run()).toEqual(['a/two#2', 'a/three#2']);
    expect(ask(world)).toEqual([]);
  });

  it('is asked again about other bytes, and again about the first ones never', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    world.run();
    world.makers.set('a/two', () => ({ out: 'other' }));
    redo(world, 'two');
    expect(world.run()).toEqual(['a/two#2']);
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    world.run();
    world.makers.delete('a/two');
    redo(world, 'two');
    world.run();
    expect(ask(world)).toEqual([]);
  });

  it('binds the word to what was asked about: bytes that changed since are asked about anew', async () => {
    const world = await asking('Text');
    world.run();
    expect(ask(world)).toEqual(['C1']);
    world.makers.set('a/two', () => ({ out: 'other' }));
    redo(world, 'two');
    world.run();
    expect(onlyQuestion(world).id).toBeUndefined();
    expect(ask(world)).toEqual(['C2']);
  });

  it('of one name with another is asked each for itself, one after the other', async () => {
    const world = await asking(['Review', 'Review']);
    world.run();
    expect(ask(world)).toEqual(['C1']);
    expect(onlyQuestion(world).place).toBe('after Review');
    answer(world, 'C1', 'approved');
    expect(world.run()).toEqual([]);
    expect(ask(world)).toEqual(['C2']);
    expect(onlyQuestion(world)).toMatchObject({ name: 'Review', place: 'after Review 2' });
    answer(world, 'C2', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
  });

  it('of one name with that of another phase or unit is asked for itself', async () => {
    const world = await World.of(
      line({
        phases: { ...phase('one', { checkpoint: 'Review' }), ...phase('two', { checkpoint: 'Review' }) },
      }),
    );
    world.run();
    expect(ask(world)).toEqual(['C1', 'C2']);
    answer(world, 'C1', 'approved');
    expect(world.run()).toEqual(['a/two#1']);
    expect(ask(world)).toEqual(['C3', 'C2']);
  });

  it('shows what it is told to, and is bound to that', async () => {
    const world = await asking({ name: 'Both', show: ['one.out', 'two.out'], back_to: 'one' });
    world.run();
    expect(onlyQuestion(world)).toMatchObject({
      shown: { 'one.out': outOf(world, 'one'), 'two.out': outOf(world, 'two') },
      redo: 'one',
    });
    ask(world);
    answer(world, 'C1', 'approved');
    world.makers.set('a/two', () => ({ out: 'the same' }));
    redo(world, 'two');
    world.run();
    expect(ask(world)).toEqual(['C2']);
  });

  it('tells attempts that make no file from each other', async () => {
    const world = await World.of(
      line({
        units: ['a'],
        phases: { one: { run: { command: ['true'] }, checkpoint: 'Done?' }, ...phase('two') },
      }),
    );
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    expect(world.run()).toEqual(['a/two#1']);
    redo(world, 'one');
    world.run();
    expect(ask(world)).toEqual(['C2']);
  });

  it('asks about what has to be put back when it is there again', async () => {
    const world = await asking('Text');
    world.run();
    world.setFact('out/a.two', { kind: 'unpromoted' });
    expect(world.decisions()).toMatchObject({ 'a/two': 'restore out', 'a/three': 'wait for two' });
    expect(questionsIn(world)).toEqual([]);
    world.putBack();
    world.setFact('out/a.two', undefined);
    expect(ask(world)).toEqual(['C1']);
  });
});

describe('a checkpoint before a phase', () => {
  it('is asked about what the phase would take, before it is paid for', async () => {
    const world = await asking({ name: 'Go', when: 'before' });
    expect(world.run()).toEqual(['a/one#1']);
    expect(world.decisions()).toMatchObject({ 'a/two': 'stop checkpoint-asks', 'a/three': 'wait for two' });
    expect(onlyQuestion(world)).toMatchObject({
      place: 'before Go',
      shown: { 'one.text': outOf(world, 'one') },
      redo: 'one',
    });
    ask(world);
    answer(world, 'C1', 'approved');
    expect(world.run()).toEqual(['a/two#1', 'a/three#1']);
  });

  it('is not asked again for another attempt at the same', async () => {
    const world = await asking({ name: 'Go', when: 'before' });
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    world.fail('a/two');
    world.die('a/two');
    expect(world.run()).toEqual(['a/two#3', 'a/three#1']);
    expect(ask(world)).toEqual([]);
  });

  it('is asked again when the phase would take something else', async () => {
    const world = await asking({ name: 'Go', when: 'before' });
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    world.makers.set('a/one', () => ({ out: 'other' }));
    redo(world, 'one');
    expect(world.run()).toEqual(['a/one#2']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('that is rejected has done again what it would take, with the feedback, and asks again', async () => {
    const world = await asking({ name: 'Go', when: 'before' });
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'too short' });
    expect(world.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'rejected', checkpoint: 'C1', feedback: 'too short' },
    });
    expect(world.run()).toEqual(['a/one#2']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('that is rejected where nothing comes before stops the unit for good', async () => {
    const world = await World.of(
      line({ units: ['a'], phases: phase('one', { checkpoint: { name: 'Go', when: 'before' } }) }),
    );
    expect(world.run()).toEqual([]);
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'not this one' });
    expect(world.decision('a/one')).toMatchObject({
      do: 'stop',
      why: { code: 'checkpoint-rejected', id: 'C1', name: 'Go', note: 'not this one' },
    });
    expect(world.run()).toEqual([]);
    expect(ask(world)).toEqual([]);
  });
});

describe('a rejection', () => {
  it('has the phase done again with the feedback, and is not the gate: the result is asked about', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'too cold' });
    expect(world.decision('a/two')).toMatchObject({
      do: 'run',
      why: { code: 'rejected', checkpoint: 'C1', feedback: 'too cold' },
    });
    world.makers.set('a/two', () => ({ out: 'warmer' }));
    expect(world.run()).toEqual(['a/two#2']);
    expect(world.decisions()).toMatchObject({ 'a/two': 'stop checkpoint-asks', 'a/three': 'wait for two' });
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
  });

  it('is followed by another question also where the bytes are the same', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'look again' });
    expect(world.run()).toEqual(['a/two#2']);
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
  });

  it('may be followed by another one: everything that was said is handed on', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'too cold' });
    world.run();
    ask(world);
    answer(world, 'C2', 'rejected', { note: 'too warm' });
    expect(world.decision('a/two')).toMatchObject({ do: 'run', why: { checkpoint: 'C2' } });
    expect(world.ledger.steps.get('a/two')?.feedback?.map(({ text }) => text)).toEqual([
      'too cold',
      'too warm',
    ]);
    world.run();
    expect(ask(world)).toEqual(['C3']);
  });

  it('that sends back to an earlier phase runs that one, and then what hangs on it', async () => {
    const world = await asking({ name: 'Text', back_to: 'one' });
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'wrong idea' });
    expect(world.decisions()).toMatchObject({ 'a/one': 'run rejected', 'a/two': 'wait for one' });
    world.makers.set('a/one', () => ({ out: 'another idea' }));
    expect(world.run()).toEqual(['a/one#2', 'a/two#2']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('outlives a crash in the middle: what was begun is begun again, and asked about', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'too cold' });
    world.die('a/two');
    expect(world.run()).toEqual(['a/two#3']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('is settled by whoever puts another file there and has it adopted', async () => {
    const world = await asking('Text');
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'too cold' });
    world.edit('out/a.two', 'mine');
    expect(world.override({ forceResume: { reason: 'written by hand' } })).toEqual([]);
    expect(world.run()).toEqual([]);
    expect(ask(world)).toEqual(['C2']);
  });
});

describe('a question that expires', () => {
  const hour = 3_600_000;
  const later = (world: World, ms: number) => {
    world.facts.now = new Date(Date.parse(world.facts.now) + ms).toISOString();
  };

  it('is asked again when nobody has answered in time', async () => {
    const world = await asking({ name: 'Text', expires: '1h' });
    world.run();
    expect(ask(world)).toEqual(['C1']);
    expect(onlyQuestion(world).expiresMs).toBe(hour);
    later(world, hour - 1);
    expect(onlyQuestion(world).id).toBe('C1');
    later(world, 1);
    expect(onlyQuestion(world).id).toBeUndefined();
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
  });

  it('does not take back an answer that was given in time', async () => {
    const world = await asking({ name: 'Text', expires: '1h' });
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    later(world, 2 * hour);
    expect(world.run()).toEqual(['a/three#1']);
  });
});

describe('attempts that are used up', () => {
  const failing = async (then: 'stop' | 'ask') => {
    const world = await World.of(
      line({ units: ['a'], phases: { ...phase('one', { retries: tries(2, then) }), ...phase('two') } }),
    );
    world.fail('a/one');
    world.fail('a/one', 'timed-out');
    return world;
  };

  it('stop the unit without a question unless the manifest says so', async () => {
    const world = await failing('stop');
    expect(world.decision('a/one')).toMatchObject({
      do: 'stop',
      why: { code: 'attempts-used-up', attempts: 2, failure: 'timed-out' },
    });
  });

  it('are asked about, and a person may grant as many again', async () => {
    const world = await failing('ask');
    expect(world.decision('a/one')).toMatchObject({
      do: 'stop',
      why: {
        code: 'attempts-used-up',
        failure: 'timed-out',
        asks: { question: 'attempts', place: 'attempts', redo: undefined },
      },
    });
    expect(Object.keys(onlyQuestion(world).shown)).toEqual(['attempt 2']);
    expect(ask(world)).toEqual(['C1']);
    expect(world.run()).toEqual([]);
    answer(world, 'C1', 'approved');
    world.fail('a/one');
    expect(world.decisions()).toMatchObject({ 'a/one': 'run failed-before' });
    world.fail('a/one');
    expect(ask(world)).toEqual(['C2']);
    answer(world, 'C2', 'approved');
    expect(world.run()).toEqual(['a/one#5', 'a/two#1']);
  });

  it('stay used up where a person says no', async () => {
    const world = await failing('ask');
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'leave it' });
    expect(world.decision('a/one')).toMatchObject({
      do: 'stop',
      why: { code: 'checkpoint-rejected', id: 'C1', note: 'leave it' },
    });
    expect(ask(world)).toEqual([]);
  });
});

describe('a revision that a later phase asks for', () => {
  const request = (attempt: number, reason: string): RevisionRequested => ({
    ...{ type: 'revision_requested', unit: 'a', phase: 'two', attempt },
    ...{ to: 'one', reason, ms: 1 },
  });
  const revised = async () => {
    const world = await World.of(
      line({
        units: ['a'],
        phases: { ...phase('one'), ...phase('two', { inputs: { text: 'one.out' }, revises: ['one'] }) },
      }),
    );
    world.run('a/two');
    world.die('a/two');
    world.fold(request(1, 'a gap'));
    return world;
  };

  it('has the earlier phase done again, and then the later one', async () => {
    const world = await revised();
    expect(world.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'revision-requested', by: 'two#1', reason: 'a gap' },
    });
    expect(world.decisions()).toMatchObject({ 'a/two': 'wait for one' });
    expect(world.run()).toEqual(['a/one#2', 'a/two#2']);
    expect(world.plan().finished).toBe(true);
  });

  it('counts as no failed attempt', async () => {
    const world = await revised();
    world.run('a/two');
    world.die('a/two');
    world.fold(request(2, 'another gap'));
    expect(world.ledger.steps.get('a/two')).toMatchObject({ failures: 0, attempts: 2 });
    expect(world.decisions()).toMatchObject({ 'a/one': 'run revision-requested' });
    expect(world.run()).toEqual(['a/one#3', 'a/two#3']);
  });

  it('makes what was approved be asked about again only where it has other bytes', async () => {
    const world = await World.of(
      line({
        units: ['a'],
        phases: {
          ...phase('one', { checkpoint: 'Idea' }),
          ...phase('two', { inputs: { text: 'one.out' }, revises: ['one'] }),
        },
      }),
    );
    world.run();
    ask(world);
    answer(world, 'C1', 'approved');
    world.die('a/two');
    world.fold(request(1, 'a gap'));
    world.makers.set('a/one', () => ({ out: 'wider' }));
    expect(world.run()).toEqual(['a/one#2']);
    expect(ask(world)).toEqual(['C2']);
  });
});

describe('what was approved and then edited by a person', () => {
  const editing = async (checkpoint: Point = 'Text') => {
    const edited = { out: { path: 'out/{unit}.two', on_edit: 'ask' as const } };
    const world = await World.of(
      line({
        units: ['a'],
        phases: {
          ...phase('one'),
          ...phase('two', { inputs: { text: 'one.out' }, outputs: edited, checkpoint }),
          ...phase('three', { inputs: { text: 'two.out' } }),
        },
      }),
    );
    world.run();
    ask(world);
    return world;
  };
  const choose = (world: World, id: string, restart?: string) => {
    answer(world, id, 'approved', restart === undefined ? {} : { restart });
    expect(world.override({})).toEqual([]);
  };

  it('is not asked about twice: whoever chose to keep the edit was shown it', async () => {
    const world = await editing();
    answer(world, 'C1', 'approved');
    world.run();
    world.edit('out/a.two', 'mine');
    expect(ask(world)).toEqual(['C2']);
    choose(world, 'C2');
    expect(ask(world)).toEqual([]);
    expect(world.plan().finished).toBe(true);
  });

  it('is not asked about twice where what follows is done again', async () => {
    const world = await editing();
    answer(world, 'C1', 'approved');
    world.run();
    world.edit('out/a.two', 'mine');
    ask(world);
    choose(world, 'C2', 'three');
    expect(world.run()).toEqual(['a/three#2']);
  });

  it('is asked about where nobody had approved it before the edit', async () => {
    const world = await editing();
    world.edit('out/a.two', 'mine');
    expect(ask(world)).toEqual(['C2']);
    choose(world, 'C2');
    expect(world.run()).toEqual([]);
    expect(ask(world)).toEqual(['C3']);
    answer(world, 'C3', 'approved');
    expect(world.run()).toEqual(['a/three#1']);
  });

  it('is asked about where the phase makes something else after all', async () => {
    const world = await editing();
    answer(world, 'C1', 'approved');
    world.run();
    world.edit('out/a.two', 'mine');
    ask(world);
    world.makers.set('a/two', () => ({ out: 'anew' }));
    choose(world, 'C2', 'two');
    expect(world.run()).toEqual(['a/two#2']);
    expect(ask(world)).toEqual(['C3']);
  });

  it('is asked about at each of two checkpoints that had not been approved', async () => {
    const world = await editing(['First', 'Second']);
    answer(world, 'C1', 'approved');
    expect(ask(world)).toEqual(['C2']);
    world.edit('out/a.two', 'mine');
    expect(ask(world)).toEqual(['C3']);
    choose(world, 'C3');
    expect(ask(world)).toEqual(['C4']);
    expect(onlyQuestion(world).name).toBe('Second');
  });
});

describe('a gate that asks', () => {
  const judged = async (iterations: number) => {
    const world = await World.of(
      line({
        units: ['a'],
        phases: {
          ...phase('draw'),
          ...phase('look', { inputs: { text: 'draw.out' }, gate: gate('ask', 'draw', iterations) }),
          ...phase('hang', { inputs: { text: 'draw.out' } }),
        },
      }),
    );
    world.verdicts.set('a/look', ['fail']);
    return world;
  };

  it('shows the report, and a rejection sends back to where the loop begins', async () => {
    const world = await judged(1);
    world.run();
    expect(onlyQuestion(world)).toMatchObject({
      question: 'gate',
      place: 'gate',
      shown: { 'look.out': outOf(world, 'look'), 'draw.text': outOf(world, 'draw') },
      redo: 'draw',
    });
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'less red' });
    expect(world.decision('a/draw')).toMatchObject({
      do: 'run',
      why: { code: 'rejected', checkpoint: 'C1' },
    });
    expect(world.run()).toEqual(['a/draw#2']);
    expect(ask(world)).toEqual(['C2']);
  });

  it('shows the report of now, also where the phase takes that of the round before', async () => {
    const world = await World.of(
      line({
        units: ['a'],
        phases: {
          ...phase('draw'),
          ...phase('look', {
            inputs: { text: 'draw.out', out: 'look.out' },
            gate: gate('ask', 'draw', 2),
          }),
        },
      }),
    );
    world.verdicts.set('a/look', ['fail']);
    world.makers.set('a/look', ({ iteration: round }) => ({ out: `report ${round}` }));
    world.run();
    expect(onlyQuestion(world).shown['look.out']).toBe(hashBytes('report 2'));
  });

  it('lets the unit on without a question when what was sent back passes', async () => {
    const world = await judged(1);
    world.run();
    ask(world);
    answer(world, 'C1', 'rejected', { note: 'less red' });
    world.makers.set('a/draw', () => ({ out: 'blue' }));
    world.verdicts.set('a/look', ['pass']);
    expect(world.run()).toEqual(['a/draw#2', 'a/look#2', 'a/hang#1']);
    expect(ask(world)).toEqual([]);
  });
});
