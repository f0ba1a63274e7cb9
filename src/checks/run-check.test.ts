import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { OutputCheck } from '../model/definition.ts';
import { type CheckContext, runCheck } from './run-check.ts';

let root: string;
let context: CheckContext;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-check-'));
  context = {
    disk: nodeDisk,
    file: join(root, 'out put.txt'),
    scratch: { below: join(root, 'scratch'), name: 'out put.txt' },
    cwd: root,
    env: { PATH: process.env.PATH ?? '' },
    timeoutMs: 30_000,
  };
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

async function outcome(
  check: OutputCheck,
  content: string | Uint8Array,
  more: Partial<CheckContext> = {},
): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const result = await runCheck(check, bytes, { ...context, ...more });
  return result.passed ? 'passed' : result.detail;
}

describe('non-empty', () => {
  test.each([
    ['x', 'passed'],
    ['\n\n x', 'passed'],
    ['\0', 'passed'],
    ['', 'empty'],
    [' \t\r\n', 'only-white-space'],
  ])('%j: %s', async (content, expected) => {
    expect(await outcome({ kind: 'non-empty' }, content)).toBe(expected);
  });
});

describe('json', () => {
  test.each([
    '{"a":[1,null]}',
    '3',
    '"text"',
    ' [] \n',
    '"[[[["',
    '{"__proto__":1}',
    `${'['.repeat(200)}${']'.repeat(200)}`,
  ])('passes %j', async (content) => {
    expect(await outcome({ kind: 'json' }, content)).toBe('passed');
  });

  test.each([
    ['', 'empty'],
    [`${'['.repeat(201)}${']'.repeat(201)}`, 'nested deeper than 200'],
    [`${'{"a":'.repeat(201)}`, 'nested deeper than 200'],
    ['['.repeat(5_000_000), 'nested deeper than 200'],
    ['\uFEFF{}', 'byte-order-mark'],
  ])('%#: %s', async (content, expected) => {
    expect(await outcome({ kind: 'json' }, content)).toBe(expected);
  });

  test.each(['{', '{"a":1,}', 'NaN', "{'a':1}", '{} {}', '"half', '// note\n{}'])(
    'refuses %j in words',
    async (content) => {
      expect(await outcome({ kind: 'json' }, content)).toMatch(/JSON/);
    },
  );

  test('half a character is no text', async () => {
    expect(await outcome({ kind: 'json' }, Uint8Array.of(0x22, 0xc3, 0x22))).toBe('not-utf8');
  });
});

describe('regex', () => {
  const regex = (pattern: string, flags = ''): OutputCheck => ({ kind: 'regex', pattern, flags });

  test.each([
    ['^# ', 'm', 'text\n# Title', 'passed'],
    ['^# ', '', 'text\n# Title', 'no match for /^# /'],
    ['title', 'i', '# TITLE', 'passed'],
    ['b', 'g', 'ab', 'passed'],
    ['a', 'y', 'ab', 'passed'],
    ['b', 'y', 'ab', 'no match for /b/y'],
    ['^\\p{Lu}', 'u', 'Élan', 'passed'],
    ['', '', '', 'passed'],
  ])('/%s/%s on %j: %s', async (pattern, flags, content, expected) => {
    expect(await outcome(regex(pattern, flags), content)).toBe(expected);
  });

  test('an invalid pattern or flag is a failed check that says so', async () => {
    expect(await outcome(regex('('), 'x')).toMatch(/Invalid regular expression/);
    expect(await outcome(regex('x', 'qq'), 'x')).toMatch(/Invalid flags/);
  });

  test('what is not text does not match', async () => {
    expect(await outcome(regex('x'), Uint8Array.of(0xff, 0xfe))).toBe('not-utf8');
  });

  test.each(['^(a+)+$', '(a|a)*b', '(.*)*\\1x'])(
    'a pattern that would run for ever is ended: %s',
    async (pattern) => {
      expect(await outcome(regex(pattern), `${'a'.repeat(5_000)}!`, { patternTimeoutMs: 50 })).toMatch(
        /^no answer within 50 ms|call stack/,
      );
      // And the next check is none the worse for it.
      expect(await outcome(regex('x+'), 'x', { patternTimeoutMs: 30_000 })).toBe('passed');
    },
  );
});

describe('without the bytes at hand', () => {
  test('they are read from the file', async () => {
    fs.writeFileSync(context.file, '{}');
    expect(await runCheck({ kind: 'json' }, undefined, context)).toEqual({ passed: true });
  });

  test('a missing or unreadable file fails the check', async () => {
    expect(await runCheck({ kind: 'json' }, undefined, context)).toEqual({
      passed: false,
      detail: 'file-missing',
    });
    const disk = new MemoryDisk();
    disk.putFile('/x', '{}');
    let code = 'EIO';
    disk.failWhen(() => ({ kind: 'error', code }));
    expect(await runCheck({ kind: 'json' }, undefined, { ...context, disk, file: '/x' })).toMatchObject({
      detail: 'EIO',
    });
    code = 'EFBIG';
    expect(await runCheck({ kind: 'json' }, undefined, { ...context, disk, file: '/x' })).toMatchObject({
      detail: 'too-large-to-check',
    });
  });
});

describe('command', () => {
  const run = (...argv: string[]) => outcome({ kind: 'command', argv }, '');
  const script = (code: string, ...more: string[]) => run(process.execPath, '-e', code, ...more);

  test('exit 0 passes', async () => {
    expect(await script('')).toBe('passed');
  });

  test('any other end fails, with what was said at the end', async () => {
    expect(await script('console.error("bad line 3"); process.exit(2)')).toBe('exit 2: bad line 3');
    expect(await script('console.log("on stdout"); process.exit(1)')).toBe('exit 1: on stdout');
    expect(await script('process.exit(1)')).toBe('exit 1');
    expect(await script('process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)')).toBe(
      'killed by SIGTERM',
    );
  });

  test('only the end of much output is kept, whole characters of it', async () => {
    const detail = await script('process.stderr.write("é".repeat(500000) + "END", () => process.exit(1))');
    expect(detail).toMatch(/^exit 1: é+END$/);
    expect(detail.length).toBeLessThan(2_100);
  });

  test('{file} is put into arguments, never into a shell', async () => {
    const code = 'process.exit(require("fs").readFileSync(process.argv[1], "utf8") === "content" ? 0 : 1)';
    const reads: OutputCheck = { kind: 'command', argv: [process.execPath, '-e', code, '{file}'] };
    expect(await outcome(reads, 'content')).toBe('passed');
    const name = `$&$(touch broken)`;
    const echo = 'console.error(process.argv[1]); process.exit(1)';
    const argv = [process.execPath, '-e', echo, 'a={file}'];
    const scratch = { below: join(root, 'scratch'), name };
    const said = await outcome({ kind: 'command', argv }, '', { scratch });
    expect(said.startsWith(`exit 1: a=${scratch.below}/`)).toBe(true);
    expect(said.endsWith(`/${name}`)).toBe(true);
    expect(fs.existsSync(join(root, 'broken'))).toBe(false);
  });

  test('it gets a copy under the name, alone in a folder that is gone afterwards', async () => {
    const code = `
      const fs = require('fs'), path = require('path'), [file] = process.argv.slice(1);
      const said = [path.basename(file), fs.readdirSync(path.dirname(file)), fs.readFileSync(file, 'utf8')];
      fs.writeFileSync(file, 'changed');
      fs.mkdirSync(path.join(path.dirname(file), 'cache/deep'), { recursive: true });
      fs.writeFileSync(path.join(path.dirname(file), 'cache/deep/file'), '');
      console.error(JSON.stringify(said)); process.exit(1)`;
    const argv = [process.execPath, '-e', code, '{file}'];
    fs.writeFileSync(context.file, 'content');
    for (const bytes of [Buffer.from('content'), undefined]) {
      const checked = await runCheck({ kind: 'command', argv }, bytes, context);
      expect(checked).toMatchObject({ detail: 'exit 1: ["out put.txt",["out put.txt"],"content"]' });
      expect(fs.readFileSync(context.file, 'utf8')).toBe('content');
      expect(fs.readdirSync(join(root, 'scratch'))).toEqual([]);
    }
  });

  test('it runs where it is told, with that environment and no input', async () => {
    const code = `
      const input = require('fs').readFileSync(0).length;
      console.error([process.cwd() === require('fs').realpathSync(process.argv[1]), process.env.HOME, input].join());
      process.exit(1)`;
    expect(await script(code, root)).toBe('exit 1: true,,0');
  });

  test('a missing program, or none, fails and says so', async () => {
    expect(await run('pawl-no-such-program', '{file}')).toBe('command-not-found: pawl-no-such-program');
    expect(await run()).not.toBe('passed');
    expect(await run('a\0b')).toMatch(/null bytes/);
    fs.writeFileSync(join(root, 'not-executable'), 'x');
    expect(await run(join(root, 'not-executable'))).toMatch(/^command-not-executable: .*not-executable$/);
  });

  test('the time limit ends it', async () => {
    const argv = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    let pid = 0;
    const onProcess = (started: number) => {
      pid = started;
    };
    expect(await outcome({ kind: 'command', argv }, '', { timeoutMs: 100, onProcess })).toBe(
      'no answer within 100 ms',
    );
    await gone(pid);
  });

  test('the whole group is ended, also what it started', async () => {
    const code = `
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync('started', String(child.pid));
      require('fs').renameSync('started', 'grandchild');
      setInterval(() => {}, 1000)`;
    const stop = new AbortController();
    const argv = [process.execPath, '-e', code];
    const ended = outcome({ kind: 'command', argv }, '', { signal: stop.signal });
    await expect.poll(() => fs.existsSync(join(root, 'grandchild')), { timeout: 20_000 }).toBe(true);
    stop.abort();
    expect(await ended).toBe('interrupted');
    await gone(Number(fs.readFileSync(join(root, 'grandchild'), 'utf8')));
  });

  test('what a finished program left running is ended and not waited for', async () => {
    const code = `
      const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('fs').writeFileSync('grandchild', String(child.pid));
      process.exit(0)`;
    expect(await script(code)).toBe('passed');
    await gone(Number(fs.readFileSync(join(root, 'grandchild'), 'utf8')));
  });

  test('a signal ends it', async () => {
    const stop = new AbortController();
    const argv = [process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    let pid = 0;
    const onProcess = (started: number) => {
      pid = started;
      stop.abort();
    };
    expect(await outcome({ kind: 'command', argv }, '', { signal: stop.signal, onProcess })).toBe(
      'interrupted',
    );
    await gone(pid);
    expect(await outcome({ kind: 'command', argv }, '', { signal: stop.signal })).toBe('interrupted');
  });
});

/** The kernel takes a moment to clear away what was killed. */
async function gone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(1);
  await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie without a waiting parent does not run any more.
  return !/^\d+ \(.*\) Z/s.test(readOrEmpty(`/proc/${pid}/stat`));
}

function readOrEmpty(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
