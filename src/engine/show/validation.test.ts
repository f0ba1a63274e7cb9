import { describe, expect, it } from 'vitest';
import { started } from '../../../test/fixtures/events.ts';
import { answer, ask } from '../../../test/fixtures/people.ts';
import { line, phase } from '../../../test/fixtures/pipelines.ts';
import { World } from '../../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../../pipeline/define.ts';
import { noOverrides } from '../../planner/overrides.ts';
import type { Plan } from '../../planner/plan.ts';
import type { ValidationCheck, ValidationRow } from '../observe/task-answers.ts';
import { type Validated, validate } from './validation.ts';

const spec = { path: 'out/{unit}.spec', on_edit: 'ask' } as const;

/** From an idea to code: the spec is guarded like the idea, and a table in the ADR is checked. */
const feature: PipelineDefinition = {
  pawl: 1,
  pipeline: 'feature',
  inputs: {
    idea: { path: 'idea.md', on_change: 'ask' },
    law: { path: 'law.md', on_change: 'block' },
    tone: { path: 'tone.md', on_change: 'rerun' },
    notes: { path: 'notes.md', on_change: 'ignore' },
  },
  units: ['a', 'b'],
  phases: {
    ...phase('spec', { inputs: { idea: 'idea', notes: 'notes' }, outputs: { out: spec } }),
    ...phase('adr', {
      inputs: { spec: 'spec.out', law: 'law', tone: 'tone' },
      prompt: 'adr.md',
      outputs: { out: { path: 'out/{unit}.adr', check: 'non-empty' } },
    }),
    ...phase('code', {
      inputs: { adr: 'adr.out' },
      outputs: { one: 'out/{unit}.one', two: 'out/{unit}.two', log: { path: 'log/{unit}', optional: true } },
    }),
  },
};

const files = { 'idea.md': '1', 'law.md': '1', 'tone.md': '1', 'notes.md': '1', 'adr.md': '1' };

/** Of `a` everything is done, of `b` everything but the code. */
async function world(definition = feature): Promise<World> {
  const made = await World.of(definition, files);
  made.run('b/code');
  return made;
}

interface Asked extends Partial<Omit<Validated, 'filesIn'>> {
  /** Files by attempt: `a/code#1`. */
  readonly left?: Readonly<Record<string, readonly string[]>>;
  readonly looked?: string[];
}

function rows(of: World, { left = {}, looked = [], ...more }: Asked = {}): ValidationRow[] {
  const plan: Plan = of.plan();
  return validate({
    loaded: of.loaded,
    manifest: 'pawl.yaml',
    ledger: of.ledger,
    found: plan,
    plan,
    facts: of.facts,
    overrides: noOverrides,
    isHeld: false,
    filesIn: ({ unit, phase: name, attempt }) => {
      const step = `${unit}/${name}#${attempt}`;
      looked.push(step);
      return { folder: step, files: (left[step] ?? []).map((file) => `${step}/${file}`) };
    },
    ...more,
  });
}

function check(of: World, name: ValidationCheck, more: Asked = {}): Omit<ValidationRow, 'check'>[] {
  return rows(of, more).flatMap(({ check: of, ...row }) => (of === name ? [row] : []));
}

/** `changed idea.md > asks-person`, one for each row. */
function told(of: World, name: ValidationCheck, more: Asked = {}): string[] {
  return check(of, name, more).map(({ result, subjects, follows }) => {
    const what = subjects.map((one) => one.path ?? one.id ?? `${one.unit}/${one.phase}`);
    return [result, ...what, ...(follows === undefined ? [] : ['>', follows.code])].join(' ');
  });
}

it('tells of every check, also where all is in order', async () => {
  const of = await world();
  expect(rows(of)).toEqual([
    // The manifest, the template, three declared files that somebody cares for, and two specs.
    { check: 'sources', result: 'ok', count: 7, of: 7, subjects: [], follows: undefined },
    { check: 'artifacts', result: 'ok', count: 7, of: 7, subjects: [], follows: undefined },
    {
      check: 'unfinished',
      result: 'none',
      count: 1,
      of: 1,
      subjects: [{ unit: 'b', phase: 'code' }],
      follows: undefined,
    },
    { check: 'checks', result: 'ok', count: 2, of: 2, subjects: [], follows: undefined },
    { check: 'questions', result: 'none', count: 0, of: 0, subjects: [], follows: undefined },
  ]);
});

it('tells of a run in which nothing is done yet that there is nothing', async () => {
  const of = await World.of(feature, files);
  of.begin();
  expect(rows(of).map(({ check: name, result, of: total }) => `${name} ${result} ${total}`)).toEqual([
    'sources ok 5',
    'artifacts none 0',
    'unfinished none 2',
    'checks none 0',
    'questions none 0',
  ]);
});

describe('what results were made from', () => {
  it.each([
    ['idea.md', 'changed idea.md > asks-person'],
    ['law.md', 'changed law.md > refused'],
    ['adr.md', 'changed adr.md > refused'],
    ['tone.md', 'changed tone.md > runs-again'],
    ['notes.md', 'ok'],
  ])('and has changed: %s', async (path, words) => {
    const of = await world();
    await of.change({ [path]: '2' });
    expect(told(of, 'sources')).toEqual([words]);
  });

  it.each([
    ['idea.md', 'missing idea.md > refused'],
    ['tone.md', 'missing tone.md > refused'],
    ['adr.md', 'missing adr.md > refused'],
  ])('and is gone: %s', async (path, words) => {
    const of = await world();
    await of.change({ [path]: undefined });
    expect(told(of, 'sources')).toEqual([words]);
  });

  it('is told as what it is: manifest, fields of a unit', async () => {
    const of = await world();
    await of.change({}, { ...feature, units: [{ id: 'a', size: 2 }, 'b'] });
    expect(told(of, 'sources')).toEqual(['changed pawl.yaml units.a > refused']);
  });

  it('is one file, however many results were made from it', async () => {
    const of = await world();
    await of.change({ 'law.md': '2' });
    expect(check(of, 'sources')).toMatchObject([{ count: 1, of: 7, subjects: [{ path: 'law.md' }] }]);
  });

  it('may run again also where the phase still waits for another one', async () => {
    const of = await world();
    await of.change({ 'tone.md': '2' });
    of.setFact('out/a.spec', { kind: 'missing' });
    of.setFact('out/b.spec', { kind: 'missing' });
    expect(of.decisions()).toMatchObject({ 'a/adr': 'wait for spec', 'b/adr': 'wait for spec' });
    expect(told(of, 'sources')).toEqual(['changed tone.md > runs-again']);
  });

  it('may be a guarded output: it is asked about, once, and not told as an artifact too', async () => {
    const of = await world();
    of.edit('out/a.spec', 'mine');
    expect(told(of, 'sources')).toEqual(['changed out/a.spec > asks-person']);
    expect(check(of, 'artifacts')).toMatchObject([{ result: 'ok', count: 6, of: 7 }]);
  });

  it('is told with what a person has decided about it', async () => {
    const of = await world();
    await of.change({ 'idea.md': '2' });
    of.edit('out/b.spec', 'mine');
    expect(ask(of)).toEqual(['C1', 'C2']);
    expect(check(of, 'sources')).toMatchObject([
      {
        follows: { code: 'asks-person' },
        subjects: [
          { path: 'idea.md', id: 'C1' },
          { path: 'out/b.spec', id: 'C2' },
        ],
      },
    ]);
    answer(of, 'C1', 'approved');
    answer(of, 'C2', 'approved', { restart: 'adr' });
    expect(check(of, 'sources')).toMatchObject([
      { follows: { code: 'keeps' }, subjects: [{ id: 'C1' }] },
      { follows: { code: 'restarts', from: 'adr' }, subjects: [{ id: 'C2' }] },
    ]);
  });

  it('is let pass by an option', async () => {
    const of = await world();
    await of.change({ 'law.md': '2', 'adr.md': '2' });
    const overrides = { ...noOverrides, allowPromptChange: { reason: 'better' } };
    expect(told(of, 'sources', { overrides })).toEqual([
      'changed adr.md > allowed',
      'changed law.md > refused',
    ]);
  });
});

describe('artifacts', () => {
  it('that are missing or damaged make their phase incomplete, and each kind is one row', async () => {
    const of = await world();
    of.setFact('out/a.spec', { kind: 'missing' });
    of.setFact('out/a.two', { kind: 'missing' });
    of.setFact('out/b.adr', { kind: 'damaged', damage: { kind: 'not-a-file' } });
    expect(told(of, 'artifacts')).toEqual([
      'missing out/a.spec out/a.two > runs-again',
      'damaged out/b.adr > runs-again',
    ]);
    expect(check(of, 'artifacts')[0]).toMatchObject({
      count: 2,
      of: 7,
      subjects: [{ unit: 'a', phase: 'spec' }, { phase: 'code' }],
    });
    // They are told once: what is left of the others is in order.
    expect(check(of, 'sources')).toMatchObject([{ result: 'ok', count: 6, of: 7 }]);
    expect(check(of, 'checks')).toMatchObject([{ result: 'ok', count: 1, of: 2 }]);
  });

  it('that did not get to their place are put there, now or when what they wait for is done', async () => {
    const of = await world();
    of.setFact('out/a.adr', { kind: 'unpromoted' });
    expect(told(of, 'artifacts')).toEqual(['missing out/a.adr > restores']);
    of.setFact('out/a.spec', { kind: 'missing' });
    expect(told(of, 'artifacts')).toEqual([
      'missing out/a.spec > runs-again',
      'missing out/a.adr > restores',
    ]);
  });

  it('that were edited are refused, or let pass by an option', async () => {
    const of = await world();
    of.edit('out/a.one', 'mine');
    expect(check(of, 'artifacts')).toMatchObject([
      { result: 'changed', count: 1, follows: { code: 'refused' } },
    ]);
    const overrides = { ...noOverrides, forceResume: { reason: 'mine' } };
    expect(told(of, 'artifacts', { overrides })).toEqual(['changed out/a.one > allowed']);
  });

  it('that the manifest takes in are told, also after they were', async () => {
    const on = { out: { path: 'out/{unit}.one', on_edit: 'adopt' } } as const;
    const of = await World.of(line({ phases: { ...phase('one', { outputs: on }), ...phase('two') } }));
    of.run('b/two');
    of.edit('out/a.one', 'mine');
    const found = of.plan();
    const facts = { ...of.facts, outputs: new Map(of.facts.outputs) };
    expect(of.override({})).toEqual([]);
    expect(told(of, 'artifacts', { found, facts })).toEqual(['changed out/a.one > adopts']);
  });

  it('of a phase that cannot run say so', async () => {
    const of = await World.of(line({ phases: phase('one', { retries: { attempts: 1 } }) }));
    of.run();
    of.setFact('out/a.one', { kind: 'missing' });
    of.fail('a/one');
    expect(told(of, 'artifacts')).toEqual(['missing out/a.one > stops']);
  });
});

describe('checks', () => {
  it('that fail are told with the reason, and run their phase again', async () => {
    const of = await world();
    const damage = { kind: 'check-failed', check: 'non-empty', detail: 'it is empty' } as const;
    of.setFact('out/b.adr', { kind: 'damaged', damage });
    expect(check(of, 'checks')).toEqual([
      {
        result: 'damaged',
        count: 1,
        of: 2,
        subjects: [{ path: 'out/b.adr', unit: 'b', phase: 'adr', detail: 'it is empty' }],
        follows: { code: 'runs-again' },
      },
    ]);
    expect(check(of, 'artifacts')).toMatchObject([{ result: 'ok', count: 6, of: 7 }]);
  });
});

describe('what is unfinished', () => {
  const unfinished = (of: World, more: Asked = {}) => told(of, 'unfinished', more);

  it('is nothing where all is done, or waits for a person', async () => {
    const of = await world({ ...feature, units: ['a'] });
    of.run();
    expect(check(of, 'unfinished')).toMatchObject([{ result: 'none', of: 0, subjects: [] }]);
  });

  it.each([
    ['none', []],
    ['none', ['task.json', 'context.json', 'prompt.md', 'stdout.log', 'inputs/adr', 'input-every.json']],
    ['partial', ['outputs/one']],
    ['partial', ['outputs/log']],
    ['partial', ['stdout.log', 'draft.md']],
    ['complete', ['outputs/one', 'outputs/two']],
    ['complete', ['completion/one', 'completion/two', 'draft.md']],
  ])('is %s of an attempt that left %j', async (result, left) => {
    const of = await world();
    of.die('b/code');
    const [row, ...more] = check(of, 'unfinished', { left: { 'b/code#1': left } });
    expect(more).toEqual([]);
    expect(row).toMatchObject({ result, count: 1, of: 1, follows: { code: 'runs-again' } });
    const own = left.filter((file) => !/json|prompt|log$|inputs/.test(file) || file === 'outputs/log');
    expect(row?.subjects).toEqual([
      {
        unit: 'b',
        phase: 'code',
        attempt: 1,
        ...(own.length > 0 && { files: own.map((file) => `b/code#1/${file}`) }),
      },
    ]);
  });

  it('may lie at the declared paths, where nobody has made it', async () => {
    const of = await world();
    of.facts.unknown.push({
      unit: 'b',
      phase: 'code',
      output: 'one',
      path: 'out/b.one',
      origin: { kind: 'unknown' },
    });
    expect(check(of, 'unfinished')).toMatchObject([
      { result: 'partial', subjects: [{ files: ['out/b.one'] }], follows: { code: 'moves-aside' } },
    ]);
    of.facts.unknown.push({
      unit: 'b',
      phase: 'code',
      output: 'two',
      path: 'out/b.two',
      origin: { kind: 'unknown' },
    });
    expect(unfinished(of)).toEqual(['complete b/code > moves-aside']);
  });

  // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; retries are never awaited
  const whoAsks = { attempts: 1, then: 'ask' } as const;
  const withCode = (more: object): PipelineDefinition => ({
    ...feature,
    phases: { ...feature.phases, ...phase('code', { inputs: { adr: 'adr.out' }, ...more }) },
  });

  it.each([
    [{ on_interrupt: 'continue' }, 'none b/code > continues'],
    [{ again: 'continue' }, 'none b/code > continues'],
    [{ on_interrupt: 'ask' }, 'none b/code > refused'],
    [{ on_interrupt: 'rerun' }, 'none b/code > runs-again'],
  ])('becomes what the manifest says: %j', async (more, words) => {
    const of = await world(withCode(more));
    of.die('b/code');
    expect(unfinished(of)).toEqual([words]);
    expect(unfinished(of, { isHeld: true })).toEqual([
      words.includes('refused') ? words : 'none b/code > waits',
    ]);
  });

  it('may have failed: then it is tried again, or stays, or a person is asked', async () => {
    const of = await world(withCode({ retries: { attempts: 1 } }));
    of.fail('b/code');
    expect(unfinished(of, { left: { 'b/code#1': ['outputs/out'] } })).toEqual(['complete b/code > stops']);
    const asking = await world(withCode({ retries: whoAsks }));
    asking.fail('b/code');
    expect(unfinished(asking)).toEqual(['none b/code > asks-person']);
    const again = await world(withCode({ retries: { attempts: 2 } }));
    again.fail('b/code');
    expect(unfinished(again)).toEqual(['none b/code > runs-again']);
  });

  it('is somebody’s who has claimed it', async () => {
    const of = await world(withCode({ run: { task: 'coder' } }));
    of.facts.unknown.push({
      unit: 'b',
      phase: 'code',
      output: 'out',
      path: 'out/b.code',
      origin: { kind: 'unknown' },
    });
    // Whoever claims it may hand it in.
    expect(unfinished(of)).toEqual(['complete b/code']);
    of.fold(started('b/code#1', { lease: '2999-01-01T00:00:00.000Z' }));
    expect(unfinished(of)).toEqual(['complete b/code > waits']);
  });

  it('is what was under way, and of that only a few folders are looked into', async () => {
    const units = Array.from({ length: 30 }, (_, nth) => `u${nth}`);
    const of = await World.of(line({ units }));
    of.begin();
    const looked: string[] = [];
    expect(check(of, 'unfinished', { looked })).toMatchObject([{ result: 'none', count: 30, of: 30 }]);
    expect(check(of, 'unfinished')[0]?.subjects).toHaveLength(20);
    expect(looked).toEqual([]);
    for (const unit of units.slice(0, 12)) of.die(`${unit}/one`);
    expect(check(of, 'unfinished', { looked })).toMatchObject([{ result: 'none', count: 8, of: 12 }]);
    expect(looked).toHaveLength(8);
  });
});

describe('questions', () => {
  const asking: PipelineDefinition = {
    ...feature,
    phases: { ...feature.phases, ...phase('spec', { outputs: { out: spec }, checkpoint: 'Spec approval' }) },
  };

  it('are told that wait for a person, and answers while they count for something', async () => {
    const of = await World.of(asking, files);
    of.run();
    expect(check(of, 'questions')).toMatchObject([
      { result: 'asks', count: 2, subjects: [{ name: 'Spec approval', unit: 'a', phase: 'spec' }, {}] },
    ]);
    const [first = '', second = ''] = ask(of);
    expect(told(of, 'questions')).toEqual([`asks ${first} ${second} > asks-person`]);
    answer(of, first, 'approved');
    expect(told(of, 'questions')).toEqual([`asks ${second} > asks-person`, `ok ${first}`]);
    answer(of, second, 'rejected', { note: 'shorter' });
    expect(check(of, 'questions')).toMatchObject([
      {
        result: 'ok',
        subjects: [
          { id: first, detail: 'approved' },
          { id: second, detail: 'rejected' },
        ],
      },
    ]);
    // It is the same again, and asked about again: the answer counts no longer.
    of.run();
    expect(told(of, 'questions')).toEqual(['asks b/spec > asks-person', `ok ${first}`]);
    // So it does when there are other bytes.
    const [third = ''] = ask(of);
    answer(of, third, 'rejected', { note: 'longer' });
    of.makers.set('b/spec', () => ({ out: 'a longer one' }));
    of.run();
    expect(told(of, 'questions')).toEqual(['asks b/spec > asks-person', `ok ${first}`]);
  });

  it('about a declared file count while it has the same bytes', async () => {
    const of = await world();
    await of.change({ 'idea.md': '2' });
    const [id = ''] = ask(of);
    answer(of, id, 'approved');
    expect(told(of, 'questions')).toEqual([`ok ${id}`]);
    await of.change({ 'idea.md': '3' });
    expect(check(of, 'questions')).toMatchObject([
      { result: 'asks', subjects: [{ name: 'idea.md changed' }] },
    ]);
  });
});
