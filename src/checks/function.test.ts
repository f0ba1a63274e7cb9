import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { callProcess } from '../base/call-process.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { type CheckContext, runCheck } from './run-check.ts';

const source = `
export const yes = () => true;
export const nothing = () => {};
export const later = async () => true;
export const no = () => false;
export const text = (file) => file.text() === 'good' || 'it says ' + file.text();
export const throws = () => { throw new Error('too dark'); };
export const mistaken = () => missing.property;
export const rejects = () => Promise.reject('a text');
export const oddly = () => { throw Object.create(null); };
export const count = () => 1;
export const none = () => null;
export const never = () => new Promise(() => {});
export const wordy = () => 'x'.repeat(9000);
export const json = (file) => file.json().score > 0.5;
export const greedy = (file) => { file.bytes().fill(0); return file.bytes()[0] === 103; };
export const tells = (file) => JSON.stringify([file.path, file.unit]);
export const notAFunction = 3;
`;

const modules = callProcess({});
let root: string;
let context: CheckContext;
const unit = { id: 'f_03', index: 3, data: { mood: 'calm' }, needs: [] };

beforeAll(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-function-'));
  fs.writeFileSync(join(root, 'checks.mjs'), source);
  fs.writeFileSync(join(root, 'broken.mjs'), 'export const isGood = (;');
  fs.writeFileSync(join(root, 'stuck.mjs'), 'await new Promise(() => {}); export const isGood = () => true;');
});
afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  const file = join(root, 'staged');
  const scratch = { below: join(root, 'scratch'), name: 'out.txt' };
  const { importModule } = modules;
  context = { disk: nodeDisk, file, scratch, cwd: root, env: {}, importModule, unit, timeoutMs: 30_000 };
});

async function outcome(
  name: string,
  content: string | null = 'good',
  more: Partial<CheckContext> = {},
  module = 'checks.mjs',
): Promise<string> {
  const bytes = content === null ? undefined : Buffer.from(content);
  const result = await runCheck({ kind: 'function', module, name }, bytes, { ...context, ...more });
  return result.passed ? 'passed' : result.detail;
}

describe('a check function', () => {
  test.each([
    ['yes', 'passed'],
    ['nothing', 'passed'],
    ['later', 'passed'],
    ['text', 'passed'],
    ['no', 'the function said no'],
    ['throws', 'too dark'],
    ['mistaken', 'ReferenceError: missing is not defined'],
    ['rejects', 'a text'],
    ['oddly', 'threw object'],
    ['count', 'the function returned number, expected true, false or a text'],
    ['none', 'the function returned null, expected true, false or a text'],
  ])('%s: %s', async (name, expected) => {
    expect(await outcome(name)).toBe(expected);
  });

  test('says in its own words what is bad, not without end', async () => {
    expect(await outcome('text', 'bad')).toBe('it says bad');
    expect(await outcome('wordy')).toHaveLength(2001);
    expect(await outcome('json', '{"score":0.9}')).toBe('passed');
    expect(await outcome('json', '{"score":0.1}')).toBe('the function said no');
    expect(await outcome('json', '{')).toMatch(/^SyntaxError: /);
  });

  test('is told the file and its unit', async () => {
    const [path, told] = JSON.parse(await outcome('tells'));
    expect(path).toMatch(/\/scratch\/[^/]+\/out\.txt$/);
    expect(told).toEqual({ index: 3, mood: 'calm', id: 'f_03' });
  });

  test('cannot change the bytes that are kept', async () => {
    const bytes = Buffer.from('good');
    const check = { kind: 'function', module: 'checks.mjs', name: 'greedy' } as const;
    expect(await runCheck(check, bytes, context)).toEqual({ passed: true });
    expect(bytes.toString()).toBe('good');
  });

  test('reads the file when its bytes are not at hand', async () => {
    const disk = new MemoryDisk();
    disk.putFile('/out', 'good');
    expect(await outcome('text', null, { disk, file: '/out' })).toBe('passed');
    expect(await outcome('text', null, { disk, file: '/gone' })).toBe('file-missing');
    disk.failWhen(() => ({ kind: 'error', code: 'EIO' }));
    expect(await outcome('text', null, { disk, file: '/out' })).toBe('EIO');
  });

  test('that does not answer in time is not waited for', async () => {
    expect(await outcome('never', 'good', { timeoutMs: 20 })).toBe('no answer within 20 ms');
    expect(await outcome('isGood', 'good', { timeoutMs: 20 }, 'stuck.mjs')).toBe('no answer within 20 ms');
  });

  test('is given up when the run is interrupted, and not begun after that', async () => {
    const stop = new AbortController();
    const asked = outcome('never', 'good', { signal: stop.signal });
    stop.abort();
    expect(await asked).toBe('interrupted');
    expect(await outcome('yes', 'good', { signal: stop.signal })).toBe('interrupted');
  });

  test.each(['absent', 'notAFunction'])('that is none is told with those that are: %s', async (name) => {
    expect(await outcome(name)).toMatch(
      new RegExp(`^function-missing: checks.mjs#${name}; exported: .*\\byes\\b`),
    );
  });

  test('of a module that is not there or does not load', async () => {
    expect(await outcome('isGood', 'good', {}, 'absent.mjs')).toBe(
      'function-missing: absent.mjs#isGood: file-missing',
    );
    expect(await outcome('isGood', 'good', {}, 'broken.mjs')).toMatch(
      /^function-missing: broken.mjs#isGood: /,
    );
  });
});
