import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.ts';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOf,
  copyOfBook,
  edit,
  hashes,
  read,
  readJson,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, templates);
  expect((await pawl(done, 'run')).code).toBe(0);
  expect(calls(done)).toHaveLength(8);
});

beforeEach(() => {
  work = copyOf(done);
});

describe('a changed prompt', () => {
  it('is refused before anything runs or is written, with each phase and both hashes', async () => {
    const before = hashes(work, '.pawl');
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    const refused = await pawlJson<Refused>(work, 'run');
    expect(refused.finished.code).toBe(4);
    expect(refused.refusals).toEqual(
      ['a', 'b'].map((unit) => ({
        guard: 'prompt-changed',
        unit,
        phase: 'write',
        role: 'phase',
        path: 't/write.md',
        before: hashBytes('Write. {{ inputs.text }}'),
        after: hashBytes('Write drier. {{ inputs.text }}'),
      })),
    );
    expect(hashes(work, '.pawl')).toEqual(before);

    const told = await pawl(work, 'run');
    expect(told.code).toBe(4);
    for (const word of ['t/write.md', 'write of a and b', '--resume-allow-prompt-change', 'pawl diff']) {
      expect(told.stderr).toContain(word);
    }
    expect(told.stderr).toContain(hashBytes('Write. {{ inputs.text }}').slice(0, 15));
    expect(told.stderr).toContain(hashBytes('Write drier. {{ inputs.text }}').slice(0, 15));
    expect(calls(work)).toEqual([]);
  });

  it('is shown line by line by diff', async () => {
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    const shown = await pawl(work, 'diff', 'a/write');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('t/write.md');
    expect(shown.stdout).toMatch(/^\s*-.*Write\. \{\{/m);
    expect(shown.stdout).toMatch(/^\s*\+.*Write drier\. \{\{/m);
    const { diffs } = await pawlJson<{ diffs: { lines: unknown[] }[] }>(work, 'diff');
    expect(diffs).toHaveLength(1);
    expect(diffs[0]?.lines).toContainEqual({ kind: 'removed', text: 'Write. {{ inputs.text }}' });
  });

  it('may not be allowed without a reason', async () => {
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    const usage = await pawl(work, 'run', '--resume-allow-prompt-change');
    expect(usage.code).toBe(2);
    expect(usage.stderr).toContain('--reason');
    const empty = await pawl(work, 'run', '--resume-allow-prompt-change', '--reason', '');
    expect(empty.code).toBe(2);
    expect(calls(work)).toEqual([]);
  });

  it('reruns, once allowed, what it affects and what depends on that, in the same run', async () => {
    const run = runFolder(work);
    const before = readJson(work, 'history/a.json') as History;
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    const allowed = await pawl(work, 'run', '--resume-allow-prompt-change', '--reason', 'a drier tone');
    expect(allowed.code).toBe(0);
    expect(runFolder(work)).toBe(run);
    expect(stepsCalled(work).toSorted()).toEqual(['a/check', 'a/write', 'b/check', 'b/write']);

    expect(eventsOf(work, 'override_used')).toMatchObject([
      {
        guard: 'prompt-changed',
        flag: '--resume-allow-prompt-change',
        reason: 'a drier tone',
        facts: {
          templates: [
            {
              path: 't/write.md',
              before: hashBytes('Write. {{ inputs.text }}'),
              after: hashBytes('Write drier. {{ inputs.text }}'),
            },
          ],
        },
      },
    ]);
    const after = readJson(work, 'history/a.json') as History;
    expect(after.phases.write).toMatchObject({
      prompt_hash_prev: before.phases.write?.prompt_hash,
      prompt_hash_new: after.phases.write?.prompt_hash,
      prompt_update_reason: 'a drier tone',
    });
    expect(after.phases.write?.prompt_hash).not.toBe(before.phases.write?.prompt_hash);
    expect(after.phases.plan).toEqual(before.phases.plan);
    expect(after.phases.check).not.toHaveProperty('prompt_update_reason');

    await expectNothingToDo(work);
    expect(calls(work)).toHaveLength(4);
  });

  it('needs no second permission when the run dies right after the first', async () => {
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    const args = ['run', '--resume-allow-prompt-change', '--reason', 'a drier tone'];
    expect((await pawlKilledAt(work, 'started', ...args)).signal).toBe('SIGKILL');
    expect(calls(work)).toEqual([]);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(new Set(stepsCalled(work))).toEqual(new Set(['a/check', 'a/write', 'b/check', 'b/write']));
  });

  it('reruns nothing and keeps every result when it is forced', async () => {
    const outputs = hashes(work, 'out');
    write(work, 't/write.md', 'Write drier. {{ inputs.text }}');
    expect((await pawl(work, 'run', '--force-resume')).code).toBe(2);
    const forced = await pawl(work, 'run', '--force-resume', '--reason', 'only a typo');
    expect(forced.code).toBe(0);
    expect(calls(work)).toEqual([]);
    expect(hashes(work, 'out')).toEqual(outputs);
    expect(eventsOf(work, 'override_used')).toMatchObject([
      { flag: '--force-resume', reason: 'only a typo' },
    ]);
    expect(eventsOf(work, 'results_kept')).toMatchObject([{ steps: ['a/write', 'b/write'] }]);
    await expectNothingToDo(work);
  });
});

describe('a changed template', () => {
  it.each([
    ['of the system', 't/system.md', 'system'],
    ['that is included', 't/_voice.md', 'include:t/_voice.md'],
  ])('%s affects every phase that uses it', async (_, path, role) => {
    write(work, path, `${read(work, path)} And be brief.`);
    const { refusals } = await pawlJson<Refused>(work, 'run');
    expect(refusals.map(({ unit, phase }) => `${unit}/${phase}`).toSorted()).toEqual([
      'a/plan',
      'a/write',
      'b/plan',
      'b/write',
    ]);
    expect(new Set(refusals.map((refusal) => refusal.role))).toEqual(new Set([role]));
    expect((await pawl(work, 'run', '--resume-allow-prompt-change', '--reason', 'brief')).code).toBe(0);
    expect(stepsCalled(work).toSorted()).toEqual(
      ['a/check', 'a/plan', 'a/write', 'b/check', 'b/plan', 'b/write'].toSorted(),
    );
    await expectNothingToDo(work);
  });

  it('of the book that comes to be is a change, too', async () => {
    write(work, 'book/write.md', 'Write for this book. {{ inputs.text }}');
    const { refusals, finished } = await pawlJson<Refused>(work, 'run');
    expect(finished.code).toBe(4);
    expect(refusals.every(({ phase }) => phase === 'write')).toBe(true);
    expect(refusals.some(({ path }) => path === 'book/write.md')).toBe(true);
  });

  it('that was deleted is refused with its path, and cannot be allowed, only forced', async () => {
    rmSync(join(work.root, 't/write.md'));
    for (const args of [[], ['--resume-allow-prompt-change', '--reason', 'gone']]) {
      const refused = await pawl(work, 'run', ...args);
      expect(refused.code).toBe(4);
      expect(refused.stderr).toContain('t/write.md');
      expect(refused.stderr).toContain('write of a and b');
      expect(refused.stderr).not.toContain('add --resume-allow-prompt-change');
    }
    expect(calls(work)).toEqual([]);
    expect((await pawl(work, 'run', '--force-resume', '--reason', 'we keep them')).code).toBe(0);
    expect(calls(work)).toEqual([]);
    await expectNothingToDo(work);
  });
});

describe('the book with a new prompt', () => {
  it('is made anew from the changed phase on, and its history says so', async () => {
    const book = copyOfBook();
    expect((await pawl(book, 'run')).code).toBe(0);
    const before = calls(book).length;
    edit(book, 'book/write.md', 'no weather for its own sake', 'no weather at all');
    expect((await pawl(book, 'run')).code).toBe(4);
    expect((await pawl(book, 'run', '--resume-allow-prompt-change', '--reason', 'too wet')).code).toBe(0);
    const rerun = new Set(stepsCalled(book, before));
    for (const scene of ['ch001_sc001', 'ch001_sc002', 'ch001_sc003', 'ch002_sc001', 'ch002_sc002']) {
      expect(rerun).toContain(`${scene}/write`);
      expect(rerun).not.toContain(`${scene}/plan`);
      const { phases } = readJson(book, `draft/context/phase_history/${scene}.json`) as History;
      expect(phases.write).toMatchObject({ prompt_update_reason: 'too wet' });
      expect(phases.write?.prompt_hash_new).toBe(phases.write?.prompt_hash);
    }
    await expectNothingToDo(book);
  });
});

interface Refused {
  readonly refusals: readonly { unit: string; phase: string; path: string; role: string }[];
}

interface History {
  readonly phases: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const templates = {
  't/system.md': 'You write. {% include "t/_voice.md" %}',
  't/_voice.md': 'Plain words.',
  't/plan.md': 'Plan {{ unit.id }}.',
  't/write.md': 'Write. {{ inputs.text }}',
  't/note.md': 'Note {{ unit.id }}.',
};

const manifest = `
pawl: 1
pipeline: prompts
units: [a, b]
phases:
  plan:
    prompt: { system: t/system.md, phase: t/plan.md }
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.plan.txt" }
  write:
    prompt: { system: t/system.md, phase: t/write.md, override: book/write.md }
    run: { function: ./phases.mjs#step }
    inputs: { text: plan.text }
    outputs: { text: "out/{unit}.write.txt" }
  check:
    run: { function: ./phases.mjs#step }
    inputs: { text: write.text }
    outputs: { text: "out/{unit}.check.txt" }
  note:
    needs: []
    prompt: t/note.md
    run: { function: ./phases.mjs#step }
    inputs: {}
    outputs: { text: "out/{unit}.note.txt" }
layout: { ledger: "history/{unit}.json" }
`;
