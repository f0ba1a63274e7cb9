import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  eventsOf,
  memoryEnvironment,
  readText,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { runPipeline } from '../../engine/run/run.ts';
import { definePipeline } from '../../pipeline/define.ts';
import type { PhaseFunction, PhaseTask } from '../executors/task.ts';

/* What a phase takes from other units; what it takes from its own is in `carry-out.test.ts`. */

type Phases = NonNullable<CodePipeline['phases']>;

const draw: PhaseFunction = ({ unit }) => ({ picture: `picture of ${unit.id}` });

/** Frames that are drawn, and a sheet that is packed of them by this function. */
function sheet(pack: PhaseFunction, more: { phases?: Phases; failures?: 'allow'; inputs?: object } = {}) {
  const drawn: Phases = { draw: { run: draw, outputs: { picture: 'frames/{unit}.txt' } } };
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'sheet',
    stages: [
      {
        name: 'frames',
        units: { count: 3, id: 'f.{index}' },
        phases: more.phases ?? drawn,
        ...(more.failures && { failures: more.failures }),
      },
      {
        name: 'export',
        units: ['sheet'],
        phases: {
          pack: {
            run: pack,
            inputs: { frames: { from: 'draw.picture', of: 'every' }, ...more.inputs },
            outputs: { out: 'sheet.txt' },
          },
        },
      },
    ],
  };
  return definition;
}

/** Every frame on a line. */
const join3: PhaseFunction = ({ every }) => ({
  out: (every.frames ?? []).map((file) => `${file.unit}: ${file.text()}`).join('\n'),
});

const failureOf = (env: ReturnType<typeof memoryEnvironment>) => {
  const event = eventsOf(env).findLast(({ type }) => type === 'attempt_failed');
  return event?.type === 'attempt_failed' ? { reason: event.reason, facts: event.facts } : undefined;
};

describe('what every unit has made', () => {
  it('is handed over file by file, in the order of the units', async () => {
    const env = memoryEnvironment();
    let told: PhaseTask | undefined;
    await run(
      env,
      sheet((task) => {
        told = task;
        return join3(task);
      }),
    );
    expect(readText(env, 'sheet.txt')).toBe('f.0: picture of f.0\nf.1: picture of f.1\nf.2: picture of f.2');
    expect(told?.every.frames?.map(({ path }) => path)).toEqual(
      [0, 1, 2].map((index) => `${root}/frames/f.${index}.txt`),
    );
    expect(Object.keys(told?.inputs ?? {})).toEqual([]);
  });

  it('is recorded with the attempt that made each', async () => {
    const env = memoryEnvironment();
    await run(env, sheet(join3));
    const started = eventsOf(env).findLast((event) => event.type === 'attempt_started');
    const inputs = Object.entries(started?.type === 'attempt_started' ? (started.inputs ?? {}) : {});
    expect(inputs.map(([name, ref]) => `${name} ${ref.split(' ')[0]}`)).toEqual([
      'frames/f.0 f.0/draw#1',
      'frames/f.1 f.1/draw#1',
      'frames/f.2 f.2/draw#1',
    ]);
  });

  it('is told apart by the whole name of the input', async () => {
    const env = memoryEnvironment();
    const phases: Phases = {
      draw: { run: draw, outputs: { picture: 'frames/{unit}.txt' } },
      shade: { run: ({ unit }) => ({ shadow: `shadow of ${unit.id}` }), outputs: { shadow: 's/{unit}.txt' } },
    };
    let told: PhaseTask['every'] = {};
    const pack: PhaseFunction = ({ every }) => {
      told = every;
      return { out: '' };
    };
    const also = {
      'frames.dark': { from: 'shade.shadow', of: 'every' },
      frame: { from: 'draw.picture', of: 'every' },
    };
    await run(env, sheet(pack, { phases, inputs: also }));
    const paths = (name: string) =>
      told[name]?.map(({ path }) => path.slice(root.length + 1, root.length + 3));
    expect([paths('frames'), paths('frames.dark'), paths('frame')]).toEqual([
      ['fr', 'fr', 'fr'],
      ['s/', 's/', 's/'],
      ['fr', 'fr', 'fr'],
    ]);
  });

  it('is what was recorded, whatever lies there meanwhile', async () => {
    const env = memoryEnvironment();
    let path = '';
    const pack: PhaseFunction = (task) => {
      path = task.every.frames?.[0]?.path ?? '';
      return join3(task);
    };
    const meddle: PhaseFunction = (task) => {
      if (task.unit.id === 'f.2') env.disk.putFile(`${root}/frames/f.0.txt`, 'edited');
      return draw(task);
    };
    const phases: Phases = { draw: { run: meddle, outputs: { picture: 'frames/{unit}.txt' } } };
    const definition = { ...sheet(pack, { phases }), pace: { concurrency: 1 } };
    await run(env, definition);
    expect(readText(env, 'sheet.txt')).toContain('f.0: picture of f.0');
    expect(path).toMatch(/\/attempts\/sheet\/pack\/1\/inputs\/frames\/f\.0$/);
    expect(readText(env, 'frames/f.0.txt')).toBe('edited');
  });

  it('that is neither there nor in the store fails the attempt, with the unit', async () => {
    const env = memoryEnvironment();
    const lose: PhaseFunction = (task) => {
      if (task.unit.id === 'f.2') {
        env.disk.putFile(`${root}/frames/f.1.txt`, 'edited');
        for (const path of filesBelow(env, `${root}/.pawl/objects`)) env.disk.remove(path);
      }
      const ballast = names.map((name) => [name, `${task.unit.id} ${name}`.padEnd(60_000)]);
      return { ...(draw(task) as Record<string, string>), ...Object.fromEntries(ballast) };
    };
    // So much that nothing of it is had from memory any more.
    const names = Array.from({ length: 40 }, (_, at) => `ballast${at}`);
    const paths = Object.fromEntries(names.map((name) => [name, `ballast/{unit}/${name}`]));
    const phases: Phases = { draw: { run: lose, outputs: { picture: 'frames/{unit}.txt', ...paths } } };
    const answer = await run(env, { ...sheet(join3, { phases }), pace: { concurrency: 1 } });
    expect(answer.heading.status).toBe('stopped');
    expect(failureOf(env)).toEqual({
      reason: 'input-unavailable',
      facts: { input: 'frames/f.1', path: 'frames/f.1.txt' },
    });
  });

  it('is without that of units that have none', async () => {
    const env = memoryEnvironment();
    const some: PhaseFunction = ({ unit }): Record<string, string> =>
      unit.id === 'f.1' ? {} : { picture: unit.id };
    const phases: Phases = {
      draw: { run: some, outputs: { picture: { path: 'frames/{unit}.txt', optional: true } } },
    };
    await run(env, sheet(join3, { phases }));
    expect(readText(env, 'sheet.txt')).toBe('f.0: f.0\nf.2: f.2');
  });

  it('is without that of units that were given up', async () => {
    const env = memoryEnvironment();
    const failing: PhaseFunction = (task) => {
      if (task.unit.id === 'f.1') throw new Error('no ink');
      return draw(task);
    };
    const phases: Phases = { draw: { run: failing, retries: 1, outputs: { picture: 'frames/{unit}.txt' } } };
    const answer = await run(env, sheet(join3, { phases, failures: 'allow' }));
    expect(answer.heading.status).toBe('completed');
    expect(readText(env, 'sheet.txt')).toBe('f.0: picture of f.0\nf.2: picture of f.2');
  });
});

it('a declared file that is edited while the run goes on is handed over as the manifest found it', async () => {
  const env = memoryEnvironment({ 'style.md': 'plain' });
  const style = (text: string) => env.disk.putFile(`${root}/style.md`, text);
  const write: PhaseFunction = ({ unit, inputs }) => {
    const text = inputs.style?.text() ?? '';
    // Put back before the end: nothing but the results would ever tell.
    style(unit.id === 'a' ? 'florid' : 'plain');
    return { out: text };
  };
  await run(env, {
    pawl: 1,
    pipeline: 'letters',
    inputs: { style: 'style.md' },
    units: ['a', 'b', 'c'],
    phases: { write: { run: write, inputs: { style: 'style' }, outputs: { out: 'out/{unit}.txt' } } },
    pace: { concurrency: 1 },
  });
  expect(['a', 'b', 'c'].map((unit) => readText(env, `out/${unit}.txt`))).toEqual([
    'plain',
    'plain',
    'plain',
  ]);
});

describe('what the unit before has made', () => {
  /** Each continues what the one before it has drawn. */
  const strip = (more: Partial<CodePipeline> = {}): CodePipeline => ({
    pawl: 1,
    pipeline: 'strip',
    units: ['a', 'b', 'c'],
    phases: {
      draw: {
        run: ({ unit, inputs }) => ({ out: `${inputs.before?.text() ?? ''}${unit.id}` }),
        inputs: { before: { from: 'draw.out', of: 'previous' } },
        outputs: { out: 'out/{unit}.txt' },
      },
    },
    ...more,
  });

  it('is handed over, and the first finds nothing', async () => {
    const env = memoryEnvironment();
    const answer = await run(env, strip());
    expect(answer.heading.status).toBe('completed');
    expect(['a', 'b', 'c'].map((unit) => readText(env, `out/${unit}.txt`))).toEqual(['a', 'ab', 'abc']);
  });

  it('is not read back: it has only just been made', async () => {
    const env = memoryEnvironment();
    const read: string[] = [];
    env.disk.failWhen(({ operation, path }) => {
      if (operation === 'read') read.push(path);
      return undefined;
    });
    await run(env, strip());
    expect(read.filter((path) => path.startsWith(`${root}/out/`))).toEqual([]);
  });

  it('lies where its path says, whatever happened to the file meanwhile', async () => {
    const env = memoryEnvironment();
    const seen: (string | undefined)[] = [];
    const draw: PhaseFunction = ({ unit, inputs }) => {
      if (unit.id === 'b') seen.push(inputs.before?.path);
      if (unit.id === 'c') env.disk.putFile(`${root}/out/b.txt`, 'edited');
      if (unit.id === 'c')
        seen.push(inputs.before?.path, readText(env, relative(root, inputs.before?.path ?? '')));
      return { out: `${inputs.before?.text() ?? ''}${unit.id}` };
    };
    const inputs = { before: { from: 'draw.out', of: 'previous' as const } };
    await run(env, strip({ phases: { draw: { run: draw, inputs, outputs: { out: 'out/{unit}.txt' } } } }));
    expect(seen[0]).toBe(`${root}/out/a.txt`);
    expect(seen[1]).toMatch(/\/attempts\/c\/draw\/1\/inputs\/before$/);
    expect(seen[2]).toBe('ab');
    expect([readText(env, 'out/b.txt'), readText(env, 'out/c.txt')]).toEqual(['edited', 'abc']);
  });

  it('is made anew first when it is gone', async () => {
    const env = memoryEnvironment();
    await run(env, strip());
    env.disk.remove(`${root}/out/a.txt`);
    const answer = await run(env, strip());
    expect(answer.ran).toEqual({ succeeded: 1, failed: 0 });
    expect(answer.heading.status).toBe('completed');
  });
});

it('is that of the only unit of an earlier stage', async () => {
  const env = memoryEnvironment();
  await run(env, {
    pawl: 1,
    pipeline: 'anchored',
    stages: [
      {
        name: 'anchor',
        units: ['anchor'],
        phases: { fix: { run: () => ({ out: 'A' }), outputs: { out: 'a.txt' } } },
      },
      {
        name: 'frames',
        units: ['x', 'y'],
        phases: {
          draw: {
            run: ({ unit, inputs }) => ({ out: `${inputs.anchor?.text()}${unit.id}` }),
            inputs: { anchor: 'fix.out' },
            outputs: { out: 'out/{unit}.txt' },
          },
        },
      },
    ],
  });
  expect([readText(env, 'out/x.txt'), readText(env, 'out/y.txt')]).toEqual(['Ax', 'Ay']);
});

describe('a command', () => {
  const node = process.execPath;
  const command = (...argv: string[]) => ({ command: [node, ...argv] });

  it('finds what every unit has made in a list, by its argument and by its environment', async () => {
    const folder = tempFolder({
      'draw.cjs': 'require("fs").writeFileSync(process.env.PAWL_OUTPUT_PICTURE, process.env.PAWL_UNIT)',
      'pack.cjs': `const { readFileSync, writeFileSync } = require('fs');
const list = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const task = JSON.parse(readFileSync(process.env.PAWL_TASK, 'utf8'));
const same = [process.env.PAWL_INPUT_FRAMES, task.inputs.frames].every((path) => path === process.argv[2]);
const texts = list.map(({ unit, path }) => unit + '=' + readFileSync(path, 'utf8'));
writeFileSync(process.argv[3], [same, ...texts].join(' '));`,
    });
    const frames = { from: 'draw.picture', of: 'every' as const };
    const pipeline = definePipeline<PhaseFunction>({
      pawl: 1,
      pipeline: 'sheet',
      stages: [
        {
          name: 'frames',
          units: ['f0', 'f1'],
          phases: { draw: { run: command('draw.cjs'), outputs: { picture: 'f/{unit}.txt' } } },
        },
        {
          name: 'export',
          units: ['sheet'],
          phases: {
            pack: {
              run: command('pack.cjs', '{input.frames}', '{output.out}'),
              inputs: { frames },
              outputs: { out: 'sheet.txt' },
            },
          },
        },
      ],
    });
    const answer = demand(await runPipeline(realEnvironment(folder), { path: folder, pipeline }));
    expect(answer.heading.status).toBe('completed');
    expect(readFileSync(join(folder, 'sheet.txt'), 'utf8')).toBe('true f0=f0 f1=f1');
  });

  it('finds nothing where the unit before would be', async () => {
    const folder = tempFolder({
      'draw.cjs': `const { readFileSync, writeFileSync } = require('fs');
const [, , before, out] = process.argv;
const text = before === '' ? String(process.env.PAWL_INPUT_BEFORE) : readFileSync(before, 'utf8');
writeFileSync(out, text + ' ' + process.env.PAWL_UNIT);`,
    });
    const pipeline = definePipeline<PhaseFunction>({
      pawl: 1,
      pipeline: 'strip',
      units: ['a', 'b'],
      phases: {
        draw: {
          run: command('draw.cjs', '{input.before}', '{output.out}'),
          inputs: { before: { from: 'draw.out', of: 'previous' } },
          outputs: { out: 'out/{unit}.txt' },
        },
      },
    });
    demand(await runPipeline(realEnvironment(folder), { path: folder, pipeline }));
    expect(readFileSync(join(folder, 'out/b.txt'), 'utf8')).toBe('undefined a b');
  });
});

function filesBelow(env: ReturnType<typeof memoryEnvironment>, folder: string): string[] {
  return (env.disk.list(folder) ?? []).flatMap((name) => {
    const path = `${folder}/${name}`;
    return env.disk.stat(path)?.kind === 'folder' ? filesBelow(env, path) : [path];
  });
}
