import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  attemptsOf,
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
import type { PhaseFunction } from '../executors/task.ts';

/* Outputs that an attempt may do without, and those that each attempt has for itself. */

type Outputs = NonNullable<NonNullable<CodePipeline['phases']>[string]['outputs']>;

const optional: Outputs = {
  report: 'out/{unit}.txt',
  rejected: { path: 'rejected/{unit}.txt', optional: true, check: 'non-empty' },
};

function audit(work: PhaseFunction, outputs = optional, more: Partial<CodePipeline> = {}): CodePipeline {
  return { pawl: 1, pipeline: 'audit', units: ['a'], phases: { audit: { run: work, outputs } }, ...more };
}

/** The outputs of the newest success, by name. */
function recorded(env: Parameters<typeof eventsOf>[0], folder?: string): string[] {
  const event = eventsOf(env, folder).findLast(({ type }) => type === 'attempt_succeeded');
  return event?.type === 'attempt_succeeded' ? Object.keys(event.outputs) : [];
}

const failureOf = (env: Parameters<typeof eventsOf>[0], folder?: string) => {
  const event = eventsOf(env, folder).findLast(({ type }) => type === 'attempt_failed');
  return event?.type === 'attempt_failed' ? { reason: event.reason, output: event.facts?.output } : undefined;
};

describe('an optional output of a function', () => {
  it.each<[string, ReturnType<PhaseFunction>]>([
    ['not returned', { report: 'r' }],
    ['undefined', { report: 'r', rejected: undefined as never }],
  ])('may be %s', async (_, returned) => {
    const env = memoryEnvironment();
    const answer = await run(
      env,
      audit(() => returned),
    );
    expect(answer.heading.status).toBe('completed');
    expect(recorded(env)).toEqual(['report']);
    expect(env.disk.stat(`${root}/rejected`)).toBeUndefined();
  });

  it('is kept like any other where it is there', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      audit(() => ({ report: 'r', rejected: 'picture' })),
    );
    expect(recorded(env)).toEqual(['report', 'rejected']);
    expect(readText(env, 'rejected/a.txt')).toBe('picture');
  });

  it('has to pass its check where it is there', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      audit(() => ({ report: 'r', rejected: '' })),
    );
    expect(failureOf(env)).toEqual({ reason: 'check-failed', output: 'rejected' });
  });

  it('does not make the others optional', async () => {
    const env = memoryEnvironment();
    await run(
      env,
      audit(() => ({ rejected: 'picture' })),
    );
    expect(failureOf(env)).toEqual({ reason: 'output-missing', output: 'report' });
    expect(env.disk.stat(`${root}/rejected`)).toBeUndefined();
  });

  it('that was not made is missed by nobody', async () => {
    const env = memoryEnvironment();
    const definition = audit(() => ({ report: 'r' }));
    await run(env, definition);
    expect((await run(env, definition)).kind).toBe('unchanged');
  });

  it('that was made and is gone is missed', async () => {
    const env = memoryEnvironment();
    const definition = audit(() => ({ report: 'r', rejected: 'picture' }));
    await run(env, definition);
    env.disk.remove(`${root}/rejected/a.txt`);
    await run(env, definition);
    expect(attemptsOf(env).at(-1)).toBe('a/audit#2 succeeded');
    expect(readText(env, 'rejected/a.txt')).toBe('picture');
  });

  it.each([true, false])('is taken by a later phase if there is one: %s', async (isThere) => {
    const env = memoryEnvironment();
    const read: PhaseFunction = ({ inputs }) => ({
      out: [inputs.rejected, inputs.first].map((file) => file?.text() ?? 'none').join(' '),
    });
    const definition: CodePipeline = {
      ...audit(() => ({ report: 'r' })),
      phases: {
        audit: {
          run: (): Record<string, string> => (isThere ? { report: 'r', rejected: 'p' } : { report: 'r' }),
          outputs: optional,
        },
        read: {
          run: read,
          inputs: { rejected: 'audit.rejected', first: ['audit.rejected', 'audit.report'] },
          outputs: { out: 'read/{unit}.txt' },
        },
      },
    };
    await run(env, definition);
    expect(readText(env, 'read/a.txt')).toBe(isThere ? 'p p' : 'none r');
  });
});

describe('an optional output of a command', () => {
  async function tool(program: string) {
    const folder = tempFolder({
      'tool.cjs': `const fs = require('fs');\nconst e = process.env;\n${program}`,
    });
    const pipeline = definePipeline<PhaseFunction>({
      pawl: 1,
      pipeline: 'audit',
      units: ['a'],
      phases: { audit: { run: { command: [process.execPath, 'tool.cjs'] }, outputs: optional } },
    });
    const env = realEnvironment(folder);
    demand(await runPipeline(env, { path: folder, pipeline }));
    return { env, folder };
  }
  const report = "fs.writeFileSync(e.PAWL_OUTPUT_REPORT, 'r');";

  it('may be left out', async () => {
    const { env, folder } = await tool(report);
    expect(recorded(env, folder)).toEqual(['report']);
    expect(existsSync(join(folder, 'rejected'))).toBe(false);
  });

  it('is kept where it is there', async () => {
    const { env, folder } = await tool(`${report}fs.writeFileSync(e.PAWL_OUTPUT_REJECTED, 'p');`);
    expect(recorded(env, folder)).toEqual(['report', 'rejected']);
    expect(readFileSync(join(folder, 'rejected/a.txt'), 'utf8')).toBe('p');
  });

  it.each([
    ['is no file', 'fs.mkdirSync(e.PAWL_OUTPUT_REJECTED);', 'output-not-a-file'],
    ['is a link', "fs.symlinkSync('/nowhere', e.PAWL_OUTPUT_REJECTED);", 'output-not-a-file'],
    ['is empty', "fs.writeFileSync(e.PAWL_OUTPUT_REJECTED, '');", 'check-failed'],
  ])('is not good because it may be left out: it %s', async (_, program, reason) => {
    const { env, folder } = await tool(`${report}${program}`);
    expect(failureOf(env, folder)).toEqual({ reason, output: 'rejected' });
  });
});

describe('an output of each attempt', () => {
  const look: PhaseFunction = ({ iteration: round, inputs }) => {
    const report = { status: round < 3 ? 'bad' : 'good' };
    return round < 3 ? { report, rejected: inputs.picture?.bytes() ?? '' } : { report };
  };
  /** Drawn until the third round is good. */
  const rounds: CodePipeline = {
    pawl: 1,
    pipeline: 'rounds',
    units: ['a'],
    phases: {
      draw: {
        run: ({ attempt, iteration: round }) => ({ picture: `attempt ${attempt} round ${round}` }),
        outputs: { picture: 'candidates/{unit}_attempt_{attempt:02}.txt' },
      },
      look: {
        run: look,
        outputs: {
          report: 'audits/{unit}_{attempt}.json',
          rejected: { path: 'rejected/{unit}_{attempt}.txt', optional: true },
        },
        gate: { verdict: 'report.status', pass: ['good'], back_to: 'draw', iterations: 4 },
      },
      keep: {
        run: ({ inputs }) => ({ picture: inputs.picture?.text() ?? '' }),
        inputs: { picture: 'draw.picture' },
        outputs: { picture: 'approved/{unit}.txt' },
      },
    },
  };
  const all = ['a_attempt_01.txt', 'a_attempt_02.txt', 'a_attempt_03.txt'];

  it('stays where it is when the next one comes', async () => {
    const env = memoryEnvironment();
    const answer = await run(env, rounds);
    expect(answer.heading.status).toBe('completed');
    expect(env.disk.list(`${root}/candidates`)).toEqual(all);
    expect(all.map((name) => readText(env, `candidates/${name}`))).toEqual([
      'attempt 1 round 1',
      'attempt 2 round 2',
      'attempt 3 round 3',
    ]);
    expect(env.disk.list(`${root}/rejected`)).toEqual(['a_1.txt', 'a_2.txt']);
    expect(readText(env, 'approved/a.txt')).toBe('attempt 3 round 3');
  });

  it('is never written again by a later run', async () => {
    const env = memoryEnvironment();
    await run(env, rounds);
    const before = all.map((name) => env.disk.stat(`${root}/candidates/${name}`));
    expect((await run(env, rounds)).kind).toBe('unchanged');
    await run(env, rounds, { rerunAll: true });
    expect(all.map((name) => env.disk.stat(`${root}/candidates/${name}`))).toEqual(before);
    expect(env.disk.list(`${root}/candidates`)).toHaveLength(6);
    expect(readText(env, 'approved/a.txt')).toBe('attempt 6 round 3');
  });

  it('counts attempts that failed, and of which there is none', async () => {
    const env = memoryEnvironment();
    let tries = 0;
    const failing: PhaseFunction = ({ attempt }) => {
      tries += 1;
      if (tries === 1) throw new Error('no ink');
      return { out: `attempt ${attempt}` };
    };
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'p',
      units: ['a'],
      phases: { draw: { run: failing, outputs: { out: 'out/{unit}_{attempt}.txt' } } },
    };
    await run(env, definition);
    await run(env, definition);
    expect(env.disk.list(`${root}/out`)).toEqual(['a_2.txt']);
  });

  it('is put back where its attempt had put it, and no other is touched', async () => {
    const env = memoryEnvironment();
    await run(env, rounds);
    const before = env.disk.stat(`${root}/candidates/a_attempt_01.txt`);
    env.disk.remove(`${root}/candidates/a_attempt_03.txt`);
    await run(env, rounds, { restore: true });
    expect(readText(env, 'candidates/a_attempt_03.txt')).toBe('attempt 3 round 3');
    expect(env.disk.stat(`${root}/candidates/a_attempt_01.txt`)).toEqual(before);
    expect(env.disk.list(`${root}/candidates`)).toEqual(all);
  });

  it('of earlier rounds is not missed, and the newest one is', async () => {
    const env = memoryEnvironment();
    await run(env, rounds);
    env.disk.remove(`${root}/candidates/a_attempt_01.txt`);
    expect((await run(env, rounds)).kind).toBe('unchanged');
    env.disk.remove(`${root}/candidates/a_attempt_03.txt`);
    await run(env, rounds);
    expect(env.disk.list(`${root}/candidates`)).toEqual(['a_attempt_02.txt', 'a_attempt_04.txt']);
  });
});

describe('an output that was to be put in its place', () => {
  const path = `${root}/out/a.txt`;

  /** Somebody else is there first, when it is asked for the first time what stands at the output's path. */
  function meanwhile(env: ReturnType<typeof memoryEnvironment>, act: (staged: string) => void): void {
    const { disk } = env;
    const stat = disk.stat.bind(disk);
    disk.stat = (asked) => {
      const [id = ''] = disk.list(`${root}/.pawl/runs`) ?? [];
      const staging = `${root}/.pawl/runs/${id}/staging`;
      const [name] = asked === path && id !== '' ? (disk.list(staging) ?? []) : [];
      if (name !== undefined) {
        disk.stat = stat;
        disk.makeFolder(`${root}/out`);
        act(`${staging}/${name}`);
      }
      return stat(asked);
    };
  }

  const definition = audit(() => ({ report: 'ours' }), { report: 'out/{unit}.txt' });

  it('and was by somebody who could not say so is there', async () => {
    const env = memoryEnvironment();
    meanwhile(env, (staged) => env.disk.rename(staged, path));
    expect((await run(env, definition)).heading.status).toBe('completed');
    expect(readText(env, 'out/a.txt')).toBe('ours');
  });

  it('and is gone leaves what stands there alone', async () => {
    const env = memoryEnvironment();
    meanwhile(env, (staged) => {
      env.disk.remove(staged);
      env.disk.putFile(path, 'of the next holder');
    });
    const answer = await runPipeline(env, { pipeline: definePipeline(definition) });
    expect(answer).toMatchObject({ ok: false, failure: { reason: 'disk-failed', code: 'ENOENT' } });
    expect(readText(env, 'out/a.txt')).toBe('of the next holder');
  });
});
