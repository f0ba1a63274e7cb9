import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../index.ts';
import type { Face } from '../face.ts';
import { act as look } from './checkpoints.ts';
import { act } from './decide.ts';

let folder: string;

const streams = [process.stdin, process.stderr];
const before = streams.map((stream) => Object.getOwnPropertyDescriptor(stream, 'isTTY'));

function sitAtTerminal(isThere: boolean): void {
  for (const stream of streams)
    Object.defineProperty(stream, 'isTTY', { value: isThere, configurable: true });
}

beforeEach(() => {
  sitAtTerminal(false);
  folder = mkdtempSync(join(tmpdir(), 'pawl-decide-'));
});

afterEach(() => {
  vi.unstubAllEnvs();
  streams.forEach((stream, nth) => {
    const was = before[nth];
    if (was === undefined) Reflect.deleteProperty(stream, 'isTTY');
    else Object.defineProperty(stream, 'isTTY', was);
  });
  rmSync(folder, { recursive: true, force: true });
});

/** A run that waits for a person, under C1. */
async function waiting(top = ''): Promise<void> {
  writeFileSync(join(folder, 'phases.mjs'), "export const write = () => ({ text: 'a text' });\n");
  writeFileSync(
    join(folder, 'pawl.yaml'),
    `pawl: 1\npipeline: p\nunits: [u]\n${top}phases:\n` +
      '  write: { run: { function: ./phases.mjs#write }, outputs: { text: text.md }, checkpoint: Text }\n',
  );
  expect(await run({ path: folder })).toMatchObject({
    ok: true,
    value: { heading: { status: 'waiting_human' } },
  });
}

const decide = (command: 'approve' | 'reject', ids: string[], options: Record<string, unknown> = {}) =>
  act({ command, arguments: ids, options: { dir: folder, ...options } }, { canAsk: false } as Face);

test('a phase cannot decide about its own run, whatever it says', async () => {
  vi.stubEnv('PAWL_UNIT', 'a');
  vi.stubEnv('PAWL_PHASE', 'lint');
  expect(await decide('approve', ['C1'], { note: 'fine' })).toEqual({
    ok: false,
    failure: { reason: 'inside-phase', command: 'approve', cell: 'a/lint' },
  });
});

test('without a terminal nobody can choose, and no answer stands for none', async () => {
  await waiting('channels: [script]\n');
  expect(await decide('approve', [])).toMatchObject({
    failure: { reason: 'missing-argument', command: 'approve', argument: '<checkpoint>' },
  });
});

test('without a terminal it is a program that decides, and the manifest has to allow that', async () => {
  await waiting();
  expect(await decide('approve', ['C1'], { note: 'fine' })).toMatchObject({
    failure: { reason: 'channel-closed', id: 'C1', channel: 'script', allowed: ['terminal', 'page'] },
  });
  sitAtTerminal(true);
  expect(await decide('approve', ['C1'])).toMatchObject({ ok: true, value: { command: 'approve' } });
});

test('a rejection says why', async () => {
  await waiting('channels: [script]\n');
  expect(await decide('reject', ['C1'])).toMatchObject({
    failure: { reason: 'missing-value', option: '--feedback' },
  });
  expect(await decide('reject', ['C1'], { feedback: 'too short' })).toMatchObject({
    value: { command: 'reject', answer: { decision: 'rejected', checkpoint: { redo: 'write' } } },
  });
  const history = await look(
    { command: 'checkpoints', arguments: [], options: { dir: folder, history: true } },
    {} as Face,
  );
  expect(history).toMatchObject({
    value: { answer: { checkpoints: [{ id: 'C1', decided: { note: 'too short', channel: 'script' } }] } },
  });
});

test('what is asked can be looked at, by its number', async () => {
  await waiting();
  const show = (...ids: string[]) =>
    look({ command: 'show', arguments: ids, options: { dir: folder } }, {} as Face);
  expect(await show()).toMatchObject({ failure: { reason: 'missing-argument', command: 'show' } });
  expect(await show('C7')).toMatchObject({ failure: { reason: 'no-such-question', open: ['C1'] } });
  expect(await show('C1')).toMatchObject({
    value: { answer: { checkpoint: { id: 'C1' }, files: [{ path: 'text.md', text: 'a text' }] } },
  });
});
