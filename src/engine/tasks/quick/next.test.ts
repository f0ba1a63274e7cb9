import { beforeEach, describe, expect, it } from 'vitest';
import {
  copyOf,
  manifest,
  next,
  nextPath,
  remembered,
  runFolder,
  startedWorld,
} from '../../../../test/fixtures/claimed.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  type TestEnvironment,
} from '../../../../test/fixtures/memory.ts';
import { hashBytes } from '../../../base/hash.ts';
import { definePipeline } from '../../../pipeline/define.ts';
import { takeGcTurn } from '../../gc/turn.ts';
import { keepHead } from '../../open/head.ts';
import { runPipeline } from '../../run/run.ts';
import { sealOf } from '../../settled/seal.ts';
import { completeTask } from '../complete.ts';
import { heartbeat } from '../end.ts';
import type { NextRequest } from '../next.ts';
import { quickNext } from './next.ts';

let env: TestEnvironment;

const quick = (actor = 'bob', more: Partial<NextRequest> = {}) =>
  quickNext(env, { path: root, actor, ...more });
const put = (path: string, text: string) => env.disk.putFile(`${root}/${path}`, text);
const run = () => `${root}/${runFolder(env)}`;

/** Changes what is remembered, as nobody but the program can. */
function rewrite(change: (lines: string[]) => string[]): void {
  const lines = new TextDecoder().decode(env.disk.read(nextPath)).trimEnd().split('\n').slice(0, -1);
  const body = change(lines)
    .map((line) => `${line}\n`)
    .join('');
  env.disk.putFile(nextPath, `${body}${sealOf(hashBytes(body))}`);
}

const replaced = (what: string, by: string) => () =>
  rewrite((lines) => lines.map((line) => line.replace(what, by)));

beforeEach(async () => {
  env = await startedWorld();
  put('runs/kept/notes.txt', 'no run');
  demand(await next(env, 'ann'));
  env = nextProcess(env);
});

describe('what is remembered', () => {
  it('is handed out while everything is as it was', async () => {
    expect(await quick()).toMatchObject({
      ok: true,
      value: { actor: 'bob', task: { unit: 't2', actor: 'bob' } },
    });
    expect(await quick('cy')).toMatchObject({ ok: true, value: { task: { unit: 't4' } } });
    expect(await quick('cy')).toMatchObject({
      ok: true,
      value: { task: { unit: 't7' }, holding: [{ unit: 't4' }] },
    });
  });

  it('is handed out to whoever has the role', async () => {
    expect(await quick('bob', { role: 'executor' })).toMatchObject({ ok: true });
    expect(await quick('bob', { role: 'verifier' })).toBeUndefined();
  });

  it('passes over what touches what somebody has at hand', async () => {
    // t1 has src/: of t0, t2 and t6 only t2 may be worked on beside it.
    const units = [];
    for (const actor of ['bob', 'cy', 'dee', 'ed']) {
      const answer = await quick(actor);
      units.push(answer?.ok ? answer.value.task?.unit : answer);
    }
    expect(units).toEqual(['t2', 't4', 't7', 't5']);
    expect(await quick('flo')).toBeUndefined();
  });

  it('is read with a new process for each, and stays true', async () => {
    for (const actor of ['bob', 'bob', 'bob']) {
      env = nextProcess(env);
      expect(await quick(actor)).toMatchObject({ ok: true });
    }
  });

  it.each<[string, Partial<NextRequest>]>([
    ['a unit', { unit: 't2' }],
    ['a run', { run: '2026' }],
    [
      'a pipeline in code',
      { pipeline: definePipeline({ pawl: 1, pipeline: 'x', units: ['u'], phases: {} }) },
    ],
    ['the runner', { actor: 'runner' }],
    ['nobody who could be', { actor: '../x' }],
    ['a file', { path: `${root}/pawl.yaml` }],
  ])('is not for who asks for %s', async (_, more) => {
    expect(await quick('bob', more)).toBeUndefined();
  });
});

const changes: readonly [string, () => unknown][] = [
  ['another program', replaced('"program":"', '"program":"0.0.0 ')],
  ['another version of the format', replaced('"version":2', '"version":3')],
  [
    'a broken seal',
    () => env.disk.putFile(nextPath, `${new TextDecoder().decode(env.disk.read(nextPath))} `),
  ],
  ['a line that says nothing', () => rewrite(([one = '', two = '']) => [one, two, '[]'])],
  ['a reboot', () => Object.assign(env.host.self, { boot: 'boot-2' })],
  ['the manifest', () => put('pawl.yaml', `${manifest}# more\n`)],
  ['a template', () => put('do.md', 'Do it.')],
  ['an override', () => put('my.md', 'Mine.')],
  ['a declared file', () => put('guide.md', 'Mind.')],
  ['a declared file that is gone', () => env.disk.remove(`${root}/guide.md`)],
  ['the list of tasks', () => env.disk.putFile(`${run()}/tasks.json`, '{"tasks":[]}')],
  ['an output that nobody has made', () => put('notes/t5.md', 'mine')],
  ['another run, found by its name', () => put('.pawl/runs/other.json', '{"folder":"x"}')],
  ['another run, found by its place', () => env.disk.makeFolder(`${root}/runs/other`)],
  ['a journal in a folder that had none', () => env.disk.makeFolder(`${root}/runs/kept/events`)],
  ['a path that leads outside', () => env.disk.putLink(`${root}/notes`, '/elsewhere')],
  ['another actor', () => env.disk.makeFolder(`${run()}/events/other`)],
  [
    'an actor instead of another',
    () => {
      env.disk.rename(`${run()}/events/ann`, `${run()}/events/bea`);
    },
  ],
  ['an actor that is gone', () => env.disk.rename(`${run()}/events/ann`, `${run()}/ann`)],
  ['more of a journal', () => env.disk.append(`${run()}/events/ann/000003.jsonl`).write(Buffer.from('\n'))],
  [
    'a later segment of the same length',
    () => {
      const bytes = env.disk.read(`${run()}/events/ann/000003.jsonl`) ?? '';
      env.disk.putFile(`${run()}/events/ann/000004.jsonl`, bytes);
    },
  ],
  ['a later segment', () => put(`${runFolder(env)}/events/ann/000009.jsonl`, '')],
  ['more known outside than there is', () => keepHead(env, root, runFolder(env), headOf('ann', 99))],
  ['a lease that has run out', () => env.clock.advance(10 * 60_000)],
  ['a clock that went back', () => env.clock.advance(-1)],
  ['somebody who removes things', () => takeGcTurn(env, root)],
];

const headOf = (actor: string, seq: number) =>
  new Map([[actor, { epoch: 1, length: 1, seq, sum: '', at: '' }]]);

describe('it is not believed after', () => {
  it.each(changes)('%s', async (_, change) => {
    await change();
    const before = env.disk.list(`${run()}/events`);
    expect(await quick()).toBeUndefined();
    expect(env.disk.list(`${run()}/events`)).toEqual(before);
  });
});

/** Between the first look and the turn at the desk. */
describe('it is not believed when, while the desk was waited for,', () => {
  const duringTurn = async (change: () => unknown) => {
    let isDone = false;
    env.disk.watch((call, moment) => {
      if (isDone || moment !== 'after' || call.operation !== 'link' || !call.path.includes('/desk/')) return;
      isDone = true;
      queueMicrotask(change);
    });
    return await quick();
  };

  it('somebody wrote', async () => {
    expect(await duringTurn(() => env.disk.makeFolder(`${run()}/events/zoe`))).toBeUndefined();
  });

  it('something else came to be remembered', async () => {
    const notice = '"notices":[{"code":"unit-removed","unit":"x"}]';
    expect(await duringTurn(replaced('"notices":[]', notice))).toBeUndefined();
  });

  it('somebody else was handed the same', async () => {
    // Whoever has to wait lets the others go on, and no time passes.
    const clock = { ...env.clock, sleep: () => new Promise<void>((go) => setImmediate(go)) };
    const [one, two] = await Promise.all(
      ['bob', 'cy'].map((actor, at) => {
        const host = { ...env.host, self: { ...env.host.self, pid: 100 + at } };
        return quickNext({ ...env, clock, host }, { path: root, actor });
      }),
    );
    const units = [one, two].map((answer) => (answer?.ok ? answer.value.task?.unit : undefined));
    expect(units.toSorted()).toEqual(['t2', 't4']);
  });
});

describe('the answer is the same as that of the whole look', () => {
  const both = async (actor: string) => {
    const whole = copyOf(env);
    whole.disk.remove(nextPath);
    const [one, other] = [await quick(actor), await next(whole, actor)];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    return demand(other);
  };

  it('when leases have run out', async () => {
    await quick('bob');
    env.clock.advance(10 * 60_000);
    expect(demand(await next(env, 'cy'))).toMatchObject({
      task: { unit: 't1', attempt: 2 },
      tasks: { inDoubt: 1 },
    });
    expect(await both('dee')).toMatchObject({ task: { unit: 't2', attempt: 2 }, tasks: { inDoubt: 0 } });
  });

  it('when somebody has again what others had before', async () => {
    env = await startedWorld({}, [
      { id: 'a' },
      { id: 'b', priority: 5 },
      { id: 'c' },
      { id: 'd', priority: 9 },
    ]);
    demand(await next(env, 'bob', { unit: 'b' }));
    env.clock.advance(10 * 60_000);
    for (const unit of ['a', 'c', 'b']) expect(demand(await next(env, 'zed')).task?.unit).toBe(unit);
    expect((await both('zed')).holding.map(({ unit }) => unit)).toEqual(['b', 'a', 'c']);
  });

  it('when a unit has several phases that nobody waits for', async () => {
    const phases = '{ one: { run: { agent: x } }, two: { run: { agent: x }, needs: [] } }';
    env = memoryEnvironment({ 'pawl.yaml': `pawl: 1\npipeline: p\nunits: [u, v, w]\nphases: ${phases}\n` });
    demand(await runPipeline(env, { path: root }));
    const whole = copyOf(env);
    for (let nth = 0; nth < 7; nth++) {
      whole.disk.remove(nextPath);
      const [one, other] = [await next(env, `a${nth}`), await next(whole, `a${nth}`)];
      expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    }
  });

  it('when somebody writes beside it', async () => {
    let isDone = false;
    env.disk.watch((call, moment) => {
      if (isDone || moment !== 'after' || call.operation !== 'write' || !call.path.includes('/bob/000001'))
        return;
      isDone = true;
      queueMicrotask(() => env.disk.makeFolder(`${run()}/events/zoe`));
    });
    const before = env.disk.read(nextPath);
    expect(await quick('bob')).toMatchObject({ ok: true, value: { task: { unit: 't2' } } });
    expect(env.disk.read(nextPath)).toEqual(before);
    expect(await quick('cy')).toBeUndefined();
  });

  it('or none, where a journal does not end as it did', async () => {
    const path = `${run()}/events/ann/000003.jsonl`;
    const bytes = Uint8Array.from(env.disk.read(path) ?? []);
    bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
    env.disk.putFile(path, bytes);
    expect(await quick('bob')).toBeUndefined();
  });

  it('or none, where a recorded output was edited', async () => {
    put('notes/t1.md', 'mine');
    demand(await completeTask(env, { path: root, actor: 'ann', unit: 't1' }));
    expect(remembered(env)).toBeDefined();
    put('notes/t1.md', 'ours');
    expect(await quick('bob')).toBeUndefined();
  });
});

describe('nothing is remembered', () => {
  const rememberedWith = async (text: string) => {
    env = await startedWorld({ 'pawl.yaml': text, 'more/x.md': 'more' });
    demand(await next(env, 'ann'));
    return remembered(env)?.left;
  };
  const with_ = (line: string, by: string) => manifest.replace(line, by);

  it('but what there is', async () => {
    expect(await rememberedWith(manifest)).toBe(4);
  });

  it.each<[string, string]>([
    [
      'with a limit',
      with_('        inputs: { guide', '        limits: { attempts: 9 }\n        inputs: { guide'),
    ],
    ['with a path for each attempt', with_('notes/{unit}.md', 'notes/{unit}.{attempt}.md')],
    [
      'with logs of other tools',
      `${manifest}foreign: { unit: [unit], events: { done: { means: succeeded, phase: implement } } }\n`,
    ],
    [
      'with a list that is searched for',
      `${manifest}  - { name: more, units: { glob: "more/*.md" }, phases: { more: { run: { agent: x } } } }\n`,
    ],
  ])('%s', async (_, text) => {
    expect(await rememberedWith(text)).toBeUndefined();
  });

  it('of a pipeline given in code', async () => {
    const code: CodePipeline = {
      pawl: 1,
      pipeline: 'code',
      units: ['u', 'v'],
      phases: { do: { run: { agent: 'x' } } },
    };
    const pipeline = definePipeline(code);
    env.disk.remove(nextPath);
    demand(await runPipeline(env, { path: root, pipeline }));
    demand(await next(env, 'ann', { pipeline }));
    expect(remembered(env)).toBeUndefined();
  });

  it('of a manifest with a name of its own', async () => {
    env = memoryEnvironment({
      'team.yaml': 'pawl: 1\npipeline: x\nunits: [u, v]\nphases: { do: { run: { agent: x } } }\n',
    });
    demand(await runPipeline(env, { path: root }));
    demand(await next(env, 'ann'));
    expect(remembered(env)).toBeUndefined();
  });

  it('while outputs are to be proven after a reboot', async () => {
    env.disk.remove(nextPath);
    Object.assign(env.host.self, { boot: 'boot-2' });
    demand(await next(env, 'bob'));
    expect(remembered(env)).toBeUndefined();
  });

  it('while there is a finding', async () => {
    env.disk.remove(nextPath);
    const path = `${run()}/events/runner/000001.jsonl`;
    env.disk.putFile(path, `\uFEFF${new TextDecoder().decode(env.disk.read(path))}`);
    expect(demand(await next(env, 'bob')).findings).not.toEqual([]);
    expect(remembered(env)).toBeUndefined();
  });

  it('while a guard would refuse, also by whoever may speak all the same', async () => {
    put(
      'pawl.yaml',
      manifest.replace('needs: [implement]', 'needs: [implement]\n        params: { by: two }'),
    );
    demand(await heartbeat(env, { path: root, actor: 'ann', unit: 't1' }));
    expect(failureOf(await next(env, 'bob')).reason).toBe('refused');
  });

  it('while several runs may be meant', async () => {
    env.disk.remove(nextPath);
    demand(await runPipeline(env, { path: root, fresh: true }));
    const first = env.disk.list(`${root}/.pawl/runs`)?.at(-1);
    const { task } = demand(await next(env, 'bob', { run: first?.replace('.json', '') }));
    expect(task?.unit).toBe('t2');
    expect(remembered(env)).toBeUndefined();
  });

  it('while an output is not as recorded', async () => {
    put('notes/t1.md', 'mine');
    demand(await completeTask(env, { path: root, actor: 'ann', unit: 't1' }));
    env.disk.remove(nextPath);
    put('notes/t1.md', 'edited');
    await next(env, 'bob');
    expect(remembered(env)).toBeUndefined();
  });

  it('while the runner holds the run, or left it without a word', async () => {
    env.disk.remove(nextPath);
    const [segment = ''] = env.disk.list(`${run()}/events/runner`) ?? [];
    const path = `${run()}/events/runner/${segment}`;
    const text = new TextDecoder().decode(env.disk.read(path));
    env.disk.putFile(path, text.slice(0, text.lastIndexOf('{"closed"')));
    await next(env, 'bob');
    expect(remembered(env)).toBeUndefined();
  });

  it('of units that were listed by what is no longer so', async () => {
    const list = JSON.stringify({ tasks: [{ id: 'n1' }, { id: 'n2' }] });
    env.disk.putFile(`${run()}/tasks.json`, list);
    const answer = demand(await next(env, 'bob'));
    expect(answer.task?.unit).toBe('n1');
    expect(await quick('cy')).toMatchObject({ ok: true, value: { task: { unit: 'n2' } } });
  });

  it('of what was written in the very moment', async () => {
    env.disk.remove(nextPath);
    const stat = env.disk.stat(`${root}/pawl.yaml`)?.mtimeMs ?? 0;
    env.clock.ms = stat + 5;
    await next(env, 'bob');
    expect(remembered(env)).toBeUndefined();
  });
});
