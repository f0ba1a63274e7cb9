import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../test/fixtures/manifests.ts';
import { largestStage, placePipeline, runFolderName, runFoldersParent } from './layout.ts';

const top = 'pawl: 1\npipeline: p\n';
const identity = 'identity: { character: blaze, move: idle }\n';
const body = 'units: [u, v]\nphases: { a: { run: { command: [x] }, outputs: { o: "out/{unit}.md" } } }\n';
const layout = (keys: string) => `${top}${identity}${body}layout: { ${keys} }\n`;

describe('the folder of a run', () => {
  it('is named by the day and the identity', async () => {
    const { pipeline } = await loadText(layout('run: "runs/{date}_{character}_{move}"'));
    expect(runFolderName(pipeline, { day: '20261115', id: '' })).toBe('runs/20261115_blaze_idle');
    expect(runFoldersParent(pipeline)).toBe('runs');
  });

  it('may lie at the top, or have one name for all', async () => {
    const top = await loadText(layout('run: "{character}"'));
    expect(runFoldersParent(top.pipeline)).toBe('');
    expect(runFolderName(top.pipeline, { day: '20261115', id: '' })).toBe('blaze');
    const fixed = await loadText(layout('run: runs/current'));
    expect(runFolderName(fixed.pipeline, { day: '20261115', id: '' })).toBe('runs/current');
  });

  it('is where all runs lie when nothing is said', async () => {
    const { pipeline } = await loadText(`${top}${body}`);
    expect(runFolderName(pipeline, { day: '20261115', id: '' })).toBeUndefined();
    expect(runFoldersParent(pipeline)).toBeUndefined();
  });

  it.each([
    ['Blaze The Second', 'Blaze-The-Second'],
    ['a/b\\c', 'a-b-c'],
    ['../../etc', 'etc'],
    ['..', 'run'],
    ['.git', 'git'],
    ['-rf', 'rf'],
    ['{date}', 'date-'],
    ['日本', 'run'],
    ['a\u202eb\u0000c', 'a-b-c'],
    ['x'.repeat(1000), 'x'.repeat(64)],
  ])('makes a safe name of the identity %j', async (character, name) => {
    const { pipeline } = await loadText(layout('run: "runs/{character}"'));
    const odd = { ...pipeline, identity: { ...pipeline.identity, character } };
    expect(runFolderName(odd, { day: '20261115', id: '' })).toBe(`runs/${name}`);
  });

  it('has its fields in the last part only: the runs lie side by side', async () => {
    expect(await problemsOf(layout('run: "runs/{character}/{date}"'))).toMatchObject([
      { code: 'wrong-type', path: 'layout.run', place: { line: 6, column: 16 } },
    ]);
  });

  it('knows the day and the identity, and nothing else', async () => {
    expect(await problemsOf(layout('run: "runs/{date}_{charcter}_{unit}"'))).toMatchObject([
      {
        code: 'pattern-unknown-field',
        path: 'layout.run',
        facts: { found: 'charcter', valid: ['date', 'id', 'character', 'move'], suggestion: 'character' },
      },
      { code: 'pattern-unknown-field', path: 'layout.run', facts: { found: 'unit' } },
    ]);
  });

  it.each(['runs/{date:08}', 'runs/{character:03}'])('has no numbers to pad: %s', async (run) => {
    expect(await codesOf(layout(`run: "${run}"`))).toEqual(['wrong-type layout.run']);
  });

  it.each([
    ['/runs/{date}', 'path-absolute'],
    ['../runs/{date}', 'path-outside'],
    ['.pawl/{date}', 'path-reserved'],
  ])('stays in the workspace, and out of what is Pawl’s own: %s', async (run, code) => {
    expect(await codesOf(layout(`run: "${run}"`))).toEqual([`${code} layout.run`]);
  });

  it('with a brace that is no field is told once', async () => {
    expect(await codesOf(layout('run: "runs/{date"'))).toEqual(['pattern-unknown-field layout.run']);
  });
});

describe('{run}', () => {
  const inRun = (path: string) =>
    `${top}units: [u]\nphases: { a: { run: { command: [x] }, outputs: { o: "${path}" } } }\n`;

  it.each([
    [inRun('{run}/{unit}.md'), 'phases.a.outputs.o'],
    [layout('ledger: "{run}/{unit}.json"'), 'layout.ledger'],
    [layout('progress: "{run}/state.json"'), 'layout.progress'],
    [layout('audit_log: "{run}/log.jsonl"'), 'layout.audit_log'],
    [`${top}${body}state: { path: "{run}/s.json", initial: i.json }\n`, 'state.path'],
  ])('is unknown where runs have no folder of their own', async (manifest, path) => {
    expect(await problemsOf(manifest)).toMatchObject([
      { code: 'pattern-unknown-field', path, facts: { found: 'run' } },
    ]);
  });

  it('stays as it is until there is a run', async () => {
    const { pipeline } = await loadText(
      `${inRun('{run}/{unit}.md')}layout: { run: "runs/{date}", progress: "{run}/state.json" }\n`,
    );
    expect(pipeline.stages[0]?.phases[0]?.outputs[0]?.path).toBe('{run}/{unit}.md');
    expect(pipeline.layout.progress).toBe('{run}/state.json');
  });

  it('is the only field of a file that there is once', async () => {
    expect(await codesOf(layout('run: "runs/{date}", progress: "{run}/{unit}.json"'))).toEqual([
      'pattern-unknown-field layout.progress',
    ]);
    expect(await codesOf(layout('run: "runs/{date}", progress: "{run:03}.json"'))).toEqual([
      'wrong-type layout.progress',
    ]);
  });

  it.each([
    ['run.json'],
    ['manifest.lock.json'],
    ['snapshot'],
    ['settled'],
    ['imported/{unit}.md'],
    ['desk/x'],
    ['events/runner/x'],
    ['attempts/x'],
    ['staging/x'],
    ['aside/x'],
    ['EVENTS/x'],
  ])('holds %s of Pawl’s own: no output may lie there', async (path) => {
    const manifest = `${inRun(`{run}/${path}`)}layout: { run: "runs/{date}" }\n`;
    expect(await codesOf(manifest)).toEqual(['duplicate-output phases.a.outputs.o']);
    expect(await codesOf(manifest.replaceAll('{run}', 'kept'))).toEqual([]);
  });

  it('of a file that people read clashes with what a phase makes', async () => {
    const manifest = (path: string) =>
      `${inRun(path)}layout: { run: "runs/{date}", progress: "{run}/state.json", audit_log: "{run}/log.jsonl" }\n`;
    expect(await codesOf(manifest('{run}/state.json'))).toEqual(['duplicate-output phases.a.outputs.o']);
    expect(await codesOf(manifest('{run}/LOG.jsonl'))).toEqual(['duplicate-output phases.a.outputs.o']);
    expect(await codesOf(manifest('{run}/other.json'))).toEqual([]);
  });

  it.each([
    ['pawl.yaml', 'pawl.yaml'],
    ['outline.yaml', 'inputs.outline'],
    ['t.md', 'a.prompt.phase'],
    ['{run}/run.json', '{run}/run.json'],
    ['{run}/state.json', 'state.path'],
  ])('and no file that people read takes the place of %s', async (progress, other) => {
    const manifest = `${top}${identity}inputs: { outline: outline.yaml }
state: { path: "{run}/state.json", initial: seed.json }
units: [u]
phases: { a: { run: { command: [x] }, prompt: t.md, inputs: { o: outline } } }
layout: { run: "runs/{date}", progress: "${progress}" }
`;
    const files = { 'outline.yaml': '', 't.md': '' };
    expect(await problemsOf(manifest, files)).toMatchObject([
      { code: 'duplicate-output', path: 'layout.progress', facts: { other } },
    ]);
    const log = manifest.replace('progress:', 'audit_log:');
    expect(await codesOf(log, files)).toEqual(['duplicate-output layout.audit_log']);
  });

  it.each([
    ['{run}/run.json', '{run}/run.json'],
    ['outline.yaml', 'inputs.outline'],
    ['SEED.json', 'state.initial'],
  ])('nor does the state that is shown take the place of %s', async (path, other) => {
    const manifest = `${top}${identity}inputs: { outline: outline.yaml }
state: { path: "${path}", initial: seed.json }
units: [u]
phases: { a: { run: { command: [x] }, inputs: { o: outline } } }
layout: { run: "runs/{date}" }
`;
    expect(await problemsOf(manifest, { 'outline.yaml': '' })).toMatchObject([
      { code: 'duplicate-output', path: 'state.path', facts: { other } },
    ]);
  });
});

describe('a placed pipeline', () => {
  const whole = `${top}${identity}
state: { path: "{run}/state.json", initial: seed.json, snapshots: "{run}/state/{unit}.json" }
units: { list: [u, v], order: chain }
phases:
  a: { run: { command: [x] }, prompt: t.md, state: write, outputs: { o: "{run}/out/{unit}_{attempt:02}.md", p: "kept/{unit}.md" } }
layout: { run: "runs/{date}_{character}", ledger: "{run}/l/{unit}.json", progress: "{run}/progress.json", audit_log: "{run}/log.jsonl" }
`;
  const files = { 't.md': 'text' };

  it('has its files in the folder of the run', async () => {
    const { pipeline } = placePipeline(await loadText(whole, files), 'runs/today$&');
    expect(pipeline.stages[0]?.phases[0]?.outputs.map(({ path }) => path)).toEqual([
      'runs/today$&/out/{unit}_{attempt:02}.md',
      'kept/{unit}.md',
      'runs/today$&/state/{unit}.json',
    ]);
    expect(pipeline.state).toMatchObject({
      path: 'runs/today$&/state.json',
      initial: 'seed.json',
      snapshots: 'runs/today$&/state/{unit}.json',
    });
    expect(pipeline.layout).toMatchObject({
      run: 'runs/{date}_{character}',
      ledger: 'runs/today$&/l/{unit}.json',
      progress: 'runs/today$&/progress.json',
      auditLog: 'runs/today$&/log.jsonl',
    });
  });

  it('depends on the same in every run', async () => {
    const loaded = await loadText(whole, files);
    const [one, two] = ['runs/1', 'runs/2'].map((folder) => placePipeline(loaded, folder));
    expect(one?.statics).toBe(loaded.statics);
    expect(one?.pipeline.manifest).toEqual(two?.pipeline.manifest);
    expect(loaded.pipeline.stages[0]?.phases[0]?.outputs[0]?.path).toContain('{run}');
  });

  it('is the same where runs have no folder of their own', async () => {
    const loaded = await loadText(`${top}${body}`);
    expect(placePipeline(loaded, '.pawl/runs/x')).toBe(loaded);
  });
});

it('is about the stage with the most units, the first of several', async () => {
  const stage = (name: string, units: string) =>
    `  - { name: ${name}, units: [${units}], phases: { ${name}: { run: { command: [x] } } } }\n`;
  const { pipeline } = await loadText(
    `${top}stages:\n${stage('one', 'a')}${stage('two', 'b, c')}${stage('three', 'd, e')}`,
  );
  expect(largestStage(pipeline.stages).name).toBe('two');
});
