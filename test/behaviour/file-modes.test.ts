import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type TestWorkspace, withEnv, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

/** The same workspace for a user with this umask. */
function withUmask(work: TestWorkspace, umask: string): TestWorkspace {
  const set = `process.umask(0o${umask})`;
  return withEnv(work, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(set)}` });
}

function modes({ root }: TestWorkspace, ...paths: string[]): Record<string, string> {
  const modeOf = (path: string) => (statSync(join(root, path)).mode & 0o777).toString(8);
  return Object.fromEntries(paths.map((path) => [path, modeOf(path)]));
}

/** What others may read of what Pawl keeps for itself; what an attempt wrote is as its command made it. */
function openTo(work: TestWorkspace, folder: string): string[] {
  const entries = readdirSync(join(work.root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name).slice(work.root.length + 1));
  const own = paths.filter((path) => !/\/attempts\/.*\/outputs\//.test(path));
  return [folder, ...own].filter((path) => (statSync(join(work.root, path)).mode & 0o077) !== 0);
}

const tools = {
  'build.mjs': `
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
const { outputs } = JSON.parse(readFileSync(process.env.PAWL_TASK, 'utf8'));
writeFileSync(outputs.tool, '#!/bin/sh\\nexit 0\\n');
chmodSync(outputs.tool, 0o755);
writeFileSync(outputs.text, 'text\\n');
`,
  'note.mjs': `export const note = ({ inputs }) => ({ note: 'a note\\n', state: '{"n":1}' });\n`,
  'first.json': '{"n":0}',
};

const manifest = `
pawl: 1
pipeline: tools
units: { list: [a], order: chain }
state: { path: state.json, initial: first.json, snapshots: "states/{unit}.json" }
layout: { ledger: "history/{unit}.json", progress: shown/progress.json, audit_log: logs/audit.jsonl, brief: brief.yaml }
phases:
  build:
    run: { command: [node, build.mjs] }
    outputs:
      tool: { path: "bin/{unit}.sh", check: { command: ["{file}"] } }
      text: "text/{unit}.txt"
  note:
    run: { function: ./note.mjs#note }
    outputs: { note: "notes/{unit}.md" }
    state: write
`;

describe('what a run makes', () => {
  it('follows the umask and stays executable at the paths of the user, and is private in .pawl', async () => {
    const work = withUmask(workspaceWith(manifest, tools), '027');
    await expectCode(work, 0, 'run');
    const outputs = { bin: '750', 'bin/a.sh': '750', text: '750', 'text/a.txt': '640', 'notes/a.md': '640' };
    expect(modes(work, ...Object.keys(outputs))).toEqual(outputs);
    const projections = {
      'states/a.json': '640',
      'state.json': '640',
      history: '750',
      'history/a.json': '640',
      shown: '750',
      'shown/progress.json': '640',
      logs: '750',
      'logs/audit.jsonl': '640',
      'brief.yaml': '640',
    };
    expect(modes(work, ...Object.keys(projections))).toEqual(projections);
    expect(openTo(work, '.pawl')).toEqual([]);

    rmSync(join(work.root, 'bin'), { recursive: true });
    await expectCode(work, 0, 'run', '--restore');
    expect(modes(work, 'bin', 'bin/a.sh')).toEqual({ bin: '750', 'bin/a.sh': '750' });

    // What a person has made executable is restored as it was adopted.
    write(work, 'text/a.txt', 'edited\n');
    chmodSync(join(work.root, 'text/a.txt'), 0o744);
    await expectCode(work, 0, 'adopt', 'text/a.txt', '--reason', 'by hand');
    rmSync(join(work.root, 'text/a.txt'));
    await expectCode(work, 0, 'run', '--restore');
    expect(modes(work, 'text/a.txt')).toEqual({ 'text/a.txt': '750' });
  });

  it('and an executable that an agent hands in stays one, in a run whose folder the manifest names', async () => {
    const work = withUmask(workspaceWith(task), '022');
    await expectCode(work, 75, 'run');
    await expectCode(work, 0, 'next', '--actor', 'a1');
    write(work, 'bin/a.sh', '#!/bin/sh\n');
    chmodSync(join(work.root, 'bin/a.sh'), 0o700);
    await expectCode(work, 0, 'complete', 'a', '--actor', 'a1');
    await expectCode(work, 0, 'run');
    const [run = ''] = readdirSync(join(work.root, 'runs'));
    const folder = `runs/${run}`;
    expect(modes(work, 'bin/a.sh', 'runs', folder)).toEqual({
      'bin/a.sh': '755',
      runs: '755',
      [folder]: '755',
    });
    for (const own of ['events', 'attempts', 'staging']) expect(openTo(work, `${folder}/${own}`)).toEqual([]);
    expect(modes(work, `${folder}/run.json`)).toEqual({ [`${folder}/run.json`]: '600' });
  });
});

const task = `
pawl: 1
pipeline: tools
units: [a]
layout: { run: "runs/{id}" }
phases:
  code:
    run: { task: coder, lease: 10m }
    outputs: { code: "bin/{unit}.sh" }
`;
