import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { groupOf } from '../support/processes.ts';
import { tempFolder } from '../support/temp.ts';
import { callWithoutRoot } from '../support/without-root.ts';
import { calls, has, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

const good = `pawl: 1
pipeline: good
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    prompt: t.md
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

/** The manifest that is right but for one thing. */
function wrong(from: string, to: string): string {
  if (!good.includes(from)) throw new Error(`the manifest does not hold: ${from}`);
  return good.replace(from, to);
}

interface BadManifest {
  readonly name: string;
  readonly manifest: string;
  readonly code: string;
  /** Where it stands, as an editor can jump to it. */
  readonly place: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What the message has to say besides. */
  readonly says?: string;
}

const badManifests: BadManifest[] = [
  {
    name: 'an unknown key',
    manifest: wrong('outputs: { text: "out/{unit}.one.txt" }', 'output: { text: "out/{unit}.one.txt" }'),
    code: 'unknown-key',
    place: 'pawl.yaml:7:5',
    says: 'outputs',
  },
  {
    name: 'a wrong type',
    manifest: wrong('units: [a, b]', 'units: 7'),
    code: 'wrong-type',
    place: 'pawl.yaml:3:8',
  },
  {
    name: 'a unit id that is there twice',
    manifest: wrong('[a, b]', '[a, b, a]'),
    code: 'duplicate-unit',
    place: 'pawl.yaml:3:15',
  },
  {
    name: 'units that differ only in what some disks ignore',
    manifest: wrong('[a, b]', '[aa, b, Aa]'),
    code: 'duplicate-unit',
    place: 'pawl.yaml:3:16',
  },
  {
    name: 'phases that need each other',
    manifest: wrong('  one:\n', '  one:\n    needs: [two]\n'),
    code: 'need-cycle',
    place: 'pawl.yaml:6:12',
  },
  {
    name: 'units that need each other',
    manifest: wrong('[a, b]', '[{ id: a, needs: [b] }, { id: b, needs: [a] }]'),
    code: 'unit-cycle',
    place: 'pawl.yaml:3:',
  },
  {
    name: 'a template with a syntax error',
    manifest: good,
    files: { 't.md': 'first line\nand {% for %} here\n' },
    code: 'template-syntax',
    place: 't.md:2:5',
  },
  {
    name: 'a template that includes itself',
    manifest: good,
    files: { 't.md': 'a {% include "u.md" %}', 'u.md': 'b {% include "t.md" %}' },
    code: 'template-includes-itself',
    place: 't.md:1:3',
  },
  {
    name: 'a template that is not there',
    manifest: wrong('t.md', 'not-there.md'),
    code: 'template-missing',
    place: 'pawl.yaml:9:13',
    says: 'not-there.md',
  },
  {
    name: 'an output path with ..',
    manifest: wrong('"out/{unit}.one.txt"', '"../{unit}.one.txt"'),
    code: 'path-outside',
    place: 'pawl.yaml:7:22',
  },
  {
    name: 'an absolute output path',
    manifest: wrong('"out/{unit}.one.txt"', '"/tmp/{unit}.one.txt"'),
    code: 'path-absolute',
    place: 'pawl.yaml:7:22',
  },
  {
    name: 'an output in the folder of the engine',
    manifest: wrong('"out/{unit}.one.txt"', '".pawl/{unit}.one.txt"'),
    code: 'path-reserved',
    place: 'pawl.yaml:7:22',
  },
  {
    name: 'a unit id with path characters',
    manifest: wrong('[a, b]', '["../a", b]'),
    code: 'bad-name',
    place: 'pawl.yaml:3:9',
    says: '../a',
  },
  {
    name: 'a unit id that some systems take for a device',
    manifest: wrong('[a, b]', '[con, b]'),
    code: 'reserved-name',
    place: 'pawl.yaml:3:9',
  },
  {
    name: 'two phases with one output',
    manifest: wrong('"out/{unit}.two.txt"', '"out/{unit}.one.txt"'),
    code: 'duplicate-output',
    place: 'pawl.yaml:12:22',
  },
  {
    name: 'an output that every unit would write',
    manifest: wrong('"out/{unit}.one.txt"', '"out/all.txt"'),
    code: 'output-not-per-unit',
    place: 'pawl.yaml:7:22',
  },
  { name: 'no units', manifest: wrong('[a, b]', '[]'), code: 'no-units', place: 'pawl.yaml:3:' },
  {
    name: 'duplicate keys',
    manifest: wrong('pipeline: good', 'pipeline: good\npipeline: better'),
    code: 'yaml-duplicate-key',
    place: 'pawl.yaml:3:1',
  },
  {
    name: 'a custom tag',
    manifest: wrong('pipeline: good', 'pipeline: !!js/function "() => 1"'),
    code: 'yaml-custom-tag',
    place: 'pawl.yaml:2:',
  },
  {
    name: 'a shell string with a template variable in it',
    manifest: wrong('{ function: ./phases.mjs#step }', '{ command: [sh, -c, "echo {unit}"] }'),
    code: 'shell-with-template',
    place: 'pawl.yaml:6:',
  },
  {
    name: 'a variable that loads code into every child',
    manifest: wrong(
      '{ function: ./phases.mjs#step }',
      '{ command: [node, x.mjs], env: { NODE_OPTIONS: --inspect } }',
    ),
    code: 'env-forbidden',
    place: 'pawl.yaml:6:',
  },
  {
    name: 'a need that is no phase',
    manifest: wrong('  two:\n', '  two:\n    needs: [oen]\n'),
    code: 'unknown-need',
    place: 'pawl.yaml:9:13',
    says: 'did you mean one',
  },
  {
    name: 'YAML that cannot be read',
    manifest: wrong('units: [a, b]', 'units: [a, b'),
    code: 'yaml-syntax',
    place: 'pawl.yaml:4:',
  },
];

describe('a manifest with', () => {
  it.each(badManifests)('$name is refused with its place', async (bad) => {
    const work = workspaceWith(bad.manifest, { 't.md': 'Say {{ unit.id }}.', ...bad.files });
    const refused = await pawlJson<Refused>(work, 'run');
    expect(refused).toMatchObject({ ok: false, exitCode: 2, reason: 'manifest-invalid' });
    const problem = refused.problems.find(({ code }) => code === bad.code);
    expect(problem, JSON.stringify(refused.problems)).toBeDefined();
    const { file, line, column } = problem?.place ?? { file: '', line: 0, column: 0 };
    expect(`${file}:${line}:${column}`.startsWith(bad.place), `${file}:${line}:${column}`).toBe(true);
    expect(problem?.message).toContain(bad.says ?? '');
    expectUntouched(work);
  });

  it('several mistakes tells them all at once, each with a caret', async () => {
    const bad = wrong('units: [a, b]', 'units: [a, a]').replace('    prompt:', '    promt:');
    const refused = await pawl(workspaceWith(bad), 'run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('pawl.yaml:3:12');
    expect(refused.stderr).toContain('pawl.yaml:9:5');
    expect(refused.stderr).toContain('did you mean prompt');
    expect(refused.stderr).toContain('2 problems');
    expect(refused.stderr.match(/\| +\^/g)).toHaveLength(2);
  });
});

describe('a manifest that is', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    .concat(Array.from({ length: 120 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`))
    .join('\n');

  it.each([
    ['nested 20,000 deep', Buffer.from(`pawl: 1\nx: ${deep}\n`), 'yaml-too-deep'],
    ['nested by indentation', Buffer.from(nestedByIndentation(400)), 'yaml-too-deep'],
    ['a bomb of aliases', Buffer.from(`${bomb}\n${good}`), 'yaml-too-many-aliases'],
    ['in UTF-16', Buffer.from(`\uFEFF${good}`, 'utf16le'), 'not-utf8'],
    ['binary', Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 37) % 256)), 'not-utf8'],
  ])('%s is refused, and the process lives', async (_, bytes, code) => {
    const work = workspaceWith('');
    write(work, 'pawl.yaml', bytes);
    const refused = await pawlJson<Refused>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 2, reason: 'manifest-invalid', problems: [{ code }] });
    expect(refused.finished.code).toBe(2);
    expectUntouched(work);
  });

  it('100 MB large is refused before it is read', async () => {
    const work = workspaceWith(good);
    // Sparse: it is its size that counts.
    truncateSync(join(work.root, 'pawl.yaml'), 100 * 1024 * 1024);
    const refused = await pawlJson<Refused>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 2, problems: [{ code: 'file-too-large' }] });
    expectUntouched(work);
  });

  it('empty, missing or a folder is said so', async () => {
    const empty = workspaceWith('');
    expect((await pawl(empty, 'run')).code).toBe(2);
    const nothing: TestWorkspace = { ...empty, root: tempFolder() };
    const missing = await pawl(nothing, 'run');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no manifest');
    mkdirSync(join(nothing.root, 'pawl.yaml'));
    expect((await pawl(nothing, 'run')).code).toBe(2);
  });

  it('not readable for this user is said so', async ({ skip }) => {
    const work = workspaceWith(good);
    const call = callWithoutRoot(work) ?? skip('no other user can reach this workspace');
    chmodSync(join(work.root, 'pawl.yaml'), 0o000);
    const refused = await call('run');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('pawl.yaml');
    expect(refused.stderr).not.toMatch(/^\s+at /m);
  });
});

describe('an output that leaves the workspace through a link', () => {
  it('is refused, and nothing is written there', async () => {
    const outside = tempFolder();
    const work = workspaceWith(good, { 't.md': 'x' });
    symlinkSync(outside, join(work.root, 'out'));
    const refused = await pawlJson<Refused>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 2, problems: [{ code: 'path-through-link' }, {}] });
    expect(calls(work)).toEqual([]);
  });

  it('that comes to be while it runs is refused, too', async () => {
    const outside = tempFolder();
    const work = workspaceWith(commandManifest('link-out.mjs'), {
      'link-out.mjs': `import { symlinkSync, writeFileSync } from 'node:fs';
symlinkSync(${JSON.stringify(outside)}, 'out');
writeFileSync(process.env.PAWL_OUTPUT_TEXT, 'x');`,
    });
    const failed = await pawlJson<Stopped>(work, 'run');
    expect(failed).toMatchObject({ exitCode: 1, stops: [{ why: { failure: 'output-outside' } }] });
    expect(has({ ...work, root: outside }, 'a.txt')).toBe(false);
  });
});

describe('a command whose output is', () => {
  it.each([
    ['a folder', "import { mkdirSync } from 'node:fs'; mkdirSync(process.env.PAWL_OUTPUT_TEXT);"],
    [
      'a link',
      "import { symlinkSync } from 'node:fs'; symlinkSync('/etc/hostname', process.env.PAWL_OUTPUT_TEXT);",
    ],
    [
      'a FIFO',
      "import { execFileSync } from 'node:child_process'; execFileSync('mkfifo', [process.env.PAWL_OUTPUT_TEXT]);",
    ],
  ])('%s has failed, and nobody waits for it', async (_, program) => {
    const work = workspaceWith(commandManifest('odd.mjs'), { 'odd.mjs': program });
    const failed = await pawlJson<Stopped>(work, 'run');
    expect(failed).toMatchObject({ exitCode: 1, stops: [{ why: { failure: 'output-not-a-file' } }] });
    expect(has(work, 'out/a.txt')).toBe(false);
  });

  it('not there has failed', async () => {
    const work = workspaceWith(commandManifest('idle.mjs'), { 'idle.mjs': '' });
    expect(await pawlJson<Stopped>(work, 'run')).toMatchObject({
      exitCode: 1,
      stops: [{ unit: 'a', phase: 'only', why: { failure: 'output-missing' } }],
    });
  });
});

describe('where an output belongs', () => {
  it('a FIFO is found and moved aside, and nobody waits for it', async () => {
    const work = workspaceWith(commandManifest('tool.mjs'));
    expect((await pawl(work, 'run')).code).toBe(0);
    execFileSync('sh', ['-c', 'rm out/a.txt && mkfifo out/a.txt'], { cwd: work.root });
    expect((await pawl(work, 'verify')).code).toBe(7);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('out/a.txt stood in the way; moved to');
  });
});

describe('a command', () => {
  it('that does not exist is a failed attempt that names it', async () => {
    const work = workspaceWith(commandManifest('x').replace('[node, x]', '[no-such-program, x]'));
    const failed = await pawl(work, 'run');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('no-such-program');
    expect(failed.stdout).toContain('a/only');
  });

  it('that fails is told with what it said last', async () => {
    const work = workspaceWith(commandManifest('bad.mjs'), {
      'bad.mjs': "process.stderr.write('the paper is out\\n'); process.exit(9);",
    });
    const failed = await pawl(work, 'run');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('the paper is out');
    expect(failed.stdout).toContain('exit code 9');
  });

  it('that hangs is ended by its time limit, with all that it has started', async () => {
    const hangs = `${commandManifest('x').replace('[node, x]', '[sh, hang.sh]')}    timeout: 500ms\n`;
    const work = workspaceWith(hangs, { 'hang.sh': 'sleep 1000 & sleep 1000 & wait\n' });
    const failed = await pawlJson<Stopped>(work, 'run');
    expect(failed).toMatchObject({ exitCode: 1, stops: [{ why: { failure: 'timed-out' } }] });
    const [started] = eventsOf(work, 'process_started');
    expect(groupOf(Number(started?.pid))).toEqual([]);
  });
});

function expectUntouched(work: TestWorkspace): void {
  expect(calls(work)).toEqual([]);
  expect(has(work, '.pawl')).toBe(false);
}

function nestedByIndentation(depth: number): string {
  return Array.from({ length: depth }, (_, n) => `${' '.repeat(n)}k:`).join('\n');
}

function commandManifest(program: string): string {
  return `
pawl: 1
pipeline: command
units: [a]
phases:
  only:
    run: { command: [node, ${program}] }
    outputs: { text: "out/{unit}.txt" }
`;
}

interface Refused {
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  }[];
}

interface Stopped {
  readonly stops: readonly object[];
}
