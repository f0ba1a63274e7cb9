import { describe, expect, test } from 'vitest';
import { type Call, pathOf, targetOf } from './call.ts';
import { commands } from './commands.ts';
import { nearCommands, parseCall } from './parse.ts';
import { overridesOf, pacingOf, selectionOf } from './selection.ts';

function parsed(...argv: string[]): Call {
  const call = parseCall(argv);
  if (!call.ok) throw new Error(JSON.stringify(call.failure));
  return call.value;
}

function problem(...argv: string[]) {
  const call = parseCall(argv);
  return call.ok ? call.value : call.failure;
}

test('a command, its arguments and options', () => {
  expect(
    parsed('run', 'examples/book', '--rerun-from', 'write', '--unit=ch*', '--no-deps', '--json'),
  ).toEqual({
    command: 'run',
    arguments: ['examples/book'],
    path: 'examples/book',
    options: { rerunFrom: 'write', unit: ['ch*'], deps: false, json: true, color: true, input: true },
  });
});

test('global options are understood before and after the command', () => {
  for (const argv of [
    ['--json', 'status'],
    ['status', '--json'],
  ]) {
    expect(parsed(...argv).options).toMatchObject({ json: true });
  }
  expect(parsed('status', '--no-color', '-q').options).toEqual({ color: false, input: true, quiet: true });
});

test('a selection has its place in the request', () => {
  const all = ['--unit', 'a,b', '--unit', '!c', '--phase', 'p', '--failed', '--outdated', '--limit', '3'];
  expect(selectionOf(parsed('run', ...all, '--until', 'q', '--no-deps'))).toEqual({
    ok: true,
    value: {
      unit: ['a,b', '!c'],
      phase: ['p'],
      failed: true,
      outdated: true,
      limit: 3,
      until: 'q',
      noDeps: true,
    },
  });
  expect(selectionOf(parsed('run', '--limit', '-1'))).toMatchObject({ ok: false });
  expect(pacingOf(parsed('run', '-j', '4', '--max-usd', '.5'))).toEqual({
    ok: true,
    value: { jobs: 4, maxUsd: 0.5 },
  });
});

test('every override has its place in the request, and nothing else opens it', () => {
  const all = [
    '--rerun-from',
    'p',
    '--rerun-all',
    '--resume-allow-prompt-change',
    '--force-resume',
    '--force',
    '--past-limits',
    '--restore',
    '--adopt-existing',
    '--replace-existing',
    '--reason',
    'r',
    '--deep',
    '--rerun-changed',
    '--keep-change',
    'prompt:write',
    '--keep-change',
    'code:write',
  ];
  expect(overridesOf(parsed('run', ...all))).toEqual({
    rerunFrom: 'p',
    rerunAll: true,
    allowPromptChange: true,
    forceResume: true,
    force: true,
    pastLimits: true,
    restore: true,
    adoptExisting: true,
    replaceExisting: true,
    reason: 'r',
    deep: true,
    rerunChanged: true,
    keepChanged: false,
    rerunChange: [],
    keepChange: ['prompt:write', 'code:write'],
  });
  expect(overridesOf(parsed('run', '--force'))).toMatchObject({
    force: true,
    forceResume: false,
    allowPromptChange: false,
  });
  expect(overridesOf(parsed('run', '--force-resume'))).toMatchObject({ force: false, forceResume: true });
});

test('the workspace is an argument of some commands, a manifest that -C names one of all', () => {
  expect(targetOf(parsed('status', 'w', '--run', '2026'))).toEqual({ path: 'w', run: '2026' });
  expect(targetOf(parsed('why', 'a/b', '--dir', 'w'))).toEqual({ path: 'w', run: undefined });
  expect(pathOf(parsed('run'))).toBeUndefined();
  expect(pathOf(parsed('next', 'w', '--dir', 'pawl.yaml'))).toBe('w');
  expect(pathOf(parsed('checkpoints', '--dir', 'other.yaml'))).toBe('other.yaml');
});

test('many targets', () => {
  expect(parsed('adopt', 'a.md', 'b/c', '--reason', 'mine').arguments).toEqual(['a.md', 'b/c']);
});

describe('what cannot be meant', () => {
  test('unknown commands, with what was meant', () => {
    expect(problem('rnu')).toEqual({ reason: 'unknown-command', name: 'rnu', near: ['run'] });
    expect(problem('statsu')).toEqual({ reason: 'unknown-command', name: 'statsu', near: ['status'] });
    expect(problem('list')).toEqual({ reason: 'unknown-command', name: 'list', near: ['runs', 'status'] });
    expect(problem('xyzzy')).toEqual({ reason: 'unknown-command', name: 'xyzzy', near: [] });
  });

  test('unknown options, with what was meant', () => {
    expect(problem('run', '--rerun-form', 'x')).toEqual({
      reason: 'unknown-option',
      option: '--rerun-form',
      command: 'run',
      near: ['--rerun-from'],
    });
    expect(problem('--jsno', 'run')).toEqual({
      reason: 'unknown-option',
      option: '--jsno',
      command: 'run',
      near: ['--json'],
    });
  });

  test('an option of another command is unknown', () => {
    expect(problem('plan', '--takeover')).toMatchObject({ reason: 'unknown-option', option: '--takeover' });
  });

  test('missing arguments and values', () => {
    expect(problem('prompt')).toEqual({ reason: 'missing-argument', command: 'prompt', argument: '<cell>' });
    expect(problem('run', '--reason')).toEqual({
      reason: 'missing-value',
      command: 'run',
      option: '--reason <text>',
    });
    expect(problem('--json')).toEqual({ reason: 'missing-argument', command: '', argument: 'a command' });
  });

  test('too many arguments', () => {
    expect(problem('run', 'a', 'b')).toEqual({ reason: 'too-many-arguments', command: 'run', extra: ['b'] });
    expect(problem('schema', 'a')).toEqual({ reason: 'too-many-arguments', command: 'schema', extra: ['a'] });
  });
});

test('no command has two options of one name, and every flag can be parsed', () => {
  for (const { name, options, arguments: taken } of commands) {
    const flags = options.map((option) => option.flags.split(/[ ,]+/).find((word) => word.startsWith('--')));
    expect(new Set(flags).size, name).toBe(flags.length);
    const argv = options.flatMap(({ flags: written }) => {
      const flag = written.split(/[ ,]+/).find((word) => word.startsWith('--')) ?? '';
      return written.includes('<') ? [flag, 'x'] : [flag];
    });
    const needed = taken.filter((argument) => argument.name.startsWith('<')).map(() => 'a/b');
    expect(parsed(name, ...needed, ...argv).command).toBe(name);
  }
});

test('every command without an argument of its own takes the path of a workspace', () => {
  const without = commands.filter((command) => command.arguments.length === 0).map(({ name }) => name);
  // These are about no workspace, or read it from what calls them.
  expect(without).toEqual(['statusline', 'schema']);
  const named = commands.filter((command) => command.arguments[0]?.name === '[run]').map(({ name }) => name);
  expect(named).toEqual(['inspect', 'graph', 'report']);
});

test('values are typed behind their option, in the same word, or several at once', () => {
  expect(parsed('run', '-j4').options).toMatchObject({ jobs: '4' });
  expect(parsed('run', '--jobs=4', '-q').options).toMatchObject({ jobs: '4', quiet: true });
  expect(parsed('run', '--reason', '--force').options).toMatchObject({ reason: '--force' });
  expect(
    parsed('complete', 'T1', '--output', 'a=b', 'c=d', '--actor', 'ann', '--output', 'e=f'),
  ).toMatchObject({
    arguments: ['T1'],
    options: { actor: 'ann', output: ['a=b', 'c=d', 'e=f'] },
  });
});

test('the value of --resume may be left out', () => {
  expect(parsed('run', '--resume').options).toMatchObject({ resume: true });
  expect(parsed('run', '--resume', '--json').options).toMatchObject({ resume: true, json: true });
  expect(parsed('run', '--resume', '2026')).toMatchObject({ arguments: [], options: { resume: '2026' } });
  const attached = parsed('run', '--resume=2026', 'book');
  expect(attached).toMatchObject({ arguments: ['book'], options: { resume: '2026' } });
  expect(attached.attached?.has('--resume')).toBe(true);
});

test('what follows -- is no option', () => {
  expect(parsed('adopt', '--reason', 'r', '--', '--odd.md').arguments).toEqual(['--odd.md']);
  expect(problem('run', '--', 'a', '--json')).toMatchObject({ reason: 'too-many-arguments' });
});

test('a value for an option that takes none is refused', () => {
  expect(problem('run', '--json=yes')).toEqual({
    reason: 'unknown-option',
    option: '--json=yes',
    command: 'run',
    near: ['--json'],
  });
});

test('of an option and its opposite the last one counts', () => {
  expect(parsed('run', '--reuse', '--no-reuse').options.reuse).toBe(false);
  expect(parsed('run', '--no-reuse', '--reuse').options.reuse).toBe(true);
  expect(parsed('run').options).not.toHaveProperty('reuse');
  expect(parsed('run').options).toMatchObject({ deps: true });
});

test('a word that is spelled nearly so, or what other tools call it', () => {
  expect(nearCommands('statsu')).toEqual(['status']);
  expect(nearCommands('exitcodes')).toEqual([]);
  expect(nearCommands('exitcodes', ['exit-codes'])).toEqual(['exit-codes']);
  expect(nearCommands('ls')).toEqual(['runs', 'status']);
  expect(nearCommands('constructor')).toEqual([]);
});

test('only commands are offered', () => {
  const names = new Set(['--version', ...commands.map(({ name }) => name)]);
  const words = ['list', 'continue', 'rerun', 'new', 'stop', 'check', 'validate', 'clean', 'version'];
  expect(words.flatMap((word) => nearCommands(word)).filter((name) => !names.has(name))).toEqual([]);
  expect(words.filter((word) => nearCommands(word).length === 0 || names.has(word))).toEqual([]);
});
