import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testFace } from '../../../test/support/test-face.ts';
import type { TestCall } from '../../../test/support/test-io.ts';
import { run } from '../../index.ts';
import { parseCall } from '../parse.ts';
import { checkpointsCommand } from './checkpoints.ts';
import { performDecision } from './perform-decision.ts';
import { showCommand } from './show.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-decide-'));
});

afterEach(() => {
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

function decide(
  command: 'approve' | 'reject',
  ids: string[],
  options: Record<string, unknown> = {},
  at: Partial<TestCall> = {},
) {
  return performDecision({ command, arguments: ids, options: { dir: folder, ...options } }, testFace({}, at));
}

test('a phase cannot decide about its own run, whatever it says', async () => {
  const variables = { PAWL_UNIT: 'a', PAWL_PHASE: 'lint' };
  expect(await decide('approve', ['C1'], { note: 'fine' }, { variables })).toEqual({
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
  expect(await decide('approve', ['C1'], {}, { columns: 80 })).toMatchObject({
    ok: true,
    value: { command: 'approve' },
  });
});

test('a rejection says why', async () => {
  await waiting('channels: [script]\n');
  expect(await decide('reject', ['C1'])).toMatchObject({
    failure: { reason: 'missing-value', option: '--feedback' },
  });
  expect(await decide('reject', ['C1'], { feedback: 'too short' })).toMatchObject({
    value: { command: 'reject', answer: { decision: 'rejected', checkpoint: { redo: 'write' } } },
  });
  const history = await checkpointsCommand.perform(
    { command: 'checkpoints', arguments: [], options: { dir: folder, history: true } },
    testFace(),
  );
  expect(history).toMatchObject({
    value: { answer: { checkpoints: [{ id: 'C1', decided: { note: 'too short', channel: 'script' } }] } },
  });
});

test('what is asked can be looked at, by its number', async () => {
  await waiting();
  const show = (...ids: string[]) =>
    showCommand.perform({ command: 'show', arguments: ids, options: { dir: folder } }, testFace());
  expect(parseCall(['show'])).toMatchObject({ failure: { reason: 'missing-argument', command: 'show' } });
  expect(await show('C7')).toMatchObject({ failure: { reason: 'no-such-question', open: ['C1'] } });
  expect(await show('C1')).toMatchObject({
    value: { answer: { checkpoint: { id: 'C1' }, files: [{ path: 'text.md', text: 'a text' }] } },
  });
});
