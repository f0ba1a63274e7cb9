import { beforeAll, describe, expect, test } from 'vitest';
import { runPipeline } from '../../src/engine/run/run.ts';
import { definePipeline } from '../../src/pipeline/define.ts';
import type { PhaseFunction } from '../../src/runner/executors/task.ts';
import { type Fate, MemoryDisk, type UnsyncedEffect } from '../memory/memory-disk.ts';
import { root, units } from './book.ts';
import { type Baseline, liveUninterrupted } from './explore.ts';
import { checkInvariants } from './invariants.ts';
import { Judge } from './judge.ts';
import { type History, newHistory, run, takeStep } from './scenario.ts';
import { environmentOf, newMachine } from './world.ts';

/* What the crash tests have found, each as the shortest story that tells it. */

const given = { durability: 'power', seed: 1 } as const;
let baseline: Baseline;

beforeAll(async () => {
  baseline = await liveUninterrupted(given);
});

test('a rerun of a chain goes on to its end from the states that it makes', async () => {
  const history = await written();
  history.step = 'rewrite';
  await recovers(history, 0);
});

describe('after a power loss', () => {
  test('the shown state is one that was committed, never a torn one that looks edited', () => {
    const known = new Set<string | undefined>([undefined]);
    for (const { disk } of baseline.moments) known.add(textAt(disk, 'state.json'));
    for (const { disk, when } of baseline.moments) {
      if (when === 'after') continue;
      for (const state of disk.crashStates(16)) expect(known).toContain(textAt(state.disk, 'state.json'));
    }
  });

  test('an older output that shows again, and is torn, is not taken for an edit', async () => {
    const history = await written();
    const old = inoOf(history, 'scenes/one.md');
    history.step = 'rewrite';
    await takeStep(history);
    const names = history.disk.unsynced().filter((effect) => isName(effect, 'one.md'));
    const newest = names.at(-1)?.sequence;
    await recovers(
      powerLoss(history, (effect) => {
        if (effect.sequence === newest) return 'drop';
        return isWriteTo(effect, old) ? 'noise' : 'keep';
      }),
      1,
    );
  });

  test('a report that the gate sent back, and is torn, is not handed to the repair', async () => {
    await recovers(garbled(beforeRepair(), 'draft/two/report.json'), 1);
  });

  test('a report that the gate sent back, and is gone, counts as unproven until a newer one is there', async () => {
    const once = powerLoss(beforeRepair(), (effect) => (isName(effect, 'report.json') ? 'drop' : 'keep'));
    once.judge.onExecution = () => Promise.reject(new Error('the model is not in the mood'));
    expect(await run(once)).toMatchObject({ ok: true, value: { heading: { status: 'stopped' } } });
    once.judge.onExecution = () => {};
    await recovers(
      powerLoss(once, () => 'keep'),
      2,
    );
  });

  test('an output that is restored is owed a proof again after the next one', async () => {
    const once = garbled(await written(), 'scenes/one.md');
    await takeStep(once);
    await recovers(garbled(once, 'scenes/one.md'), 2);
  });

  test('an output whose promotion is finished is owed a proof again after the next one', async () => {
    const history = await written();
    const old = inoOf(history, 'scenes/one.md');
    // Only the name in the staging folder is left of it, and the bytes.
    const once = powerLoss(history, (effect) => (isName(effect, 'one.md') ? 'drop' : 'keep'));
    await takeStep(once);
    expect(inoOf(once, 'scenes/one.md')).not.toBe(old);
    await recovers(
      powerLoss(once, () => 'drop'),
      2,
    );
  });

  test.each(units)('the ledger file of %s is made anew, after the second one too', async (unit) => {
    const once = powerLoss(await written(), () => 'keep');
    await takeStep(once);
    await recovers(garbled(once, `ledger/${unit}.json`), 2);
  });
});

test('two phases that end at once do not both put the same output back', async () => {
  const disk = new MemoryDisk();
  disk.putFile(`${root}/write.md`, 'Write.');
  disk.putFile(`${root}/index.md`, 'Index.');
  const go = (process: number, pass: string[], request: object = {}) =>
    runPipeline(environmentOf(disk, { ...newMachine, processes: process }, new Judge()), {
      path: root,
      pipeline: loopingPipeline(pass),
      ...request,
    });
  expect(await go(1, ['pass'])).toMatchObject({ ok: true, value: { heading: { status: 'completed' } } });
  // The first round's report is good enough from now on, and lies under that of the second.
  disk.putFile(`${root}/write.md`, 'Write!');
  disk.putFile(`${root}/index.md`, 'Index!');
  const again = await go(2, ['pass', 'fail'], {
    force: true,
    allowPromptChange: true,
    reason: 'less strict',
  });
  expect(again).toMatchObject({
    ok: true,
    value: { heading: { status: 'completed' }, ran: { succeeded: 2 } },
  });
});

function loopingPipeline(pass: string[]) {
  const text: PhaseFunction = () => ({ text: 'text' });
  const mend: PhaseFunction = ({ inputs }) => ({ text: `${inputs.text?.text()} mended` });
  const lint: PhaseFunction = ({ inputs }) => ({ report: { status: 'fail', of: inputs.text?.text() ?? '' } });
  return definePipeline<PhaseFunction>({
    pawl: 1,
    pipeline: 'loop',
    units: ['one'],
    phases: {
      write: { prompt: 'write.md', run: text, outputs: { text: 'write/{unit}' } },
      index: { needs: [], prompt: 'index.md', run: text, outputs: { text: 'index/{unit}' } },
      mend: {
        when: 'gate-failed',
        needs: ['write'],
        run: mend,
        inputs: { text: 'write.text' },
        outputs: { text: 'mend/{unit}' },
      },
      lint: {
        needs: ['write', 'mend'],
        run: lint,
        inputs: { text: ['mend.text', 'write.text'] },
        outputs: { report: 'lint/{unit}' },
        // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
        gate: { verdict: 'report.status', pass, back_to: 'mend', iterations: 2, then: 'accept' },
      },
    },
  });
}

async function written(): Promise<History> {
  const history = newHistory(given);
  await takeStep(history);
  return history;
}

/** The second scene's first text was found bad, and nothing was done about it yet. */
function beforeRepair(): History {
  const moment = baseline.moments.find(({ call }) => call.path.includes('/attempts/two/repair'));
  if (moment === undefined) throw new Error('nothing was repaired');
  const { judge, machine, step } = moment;
  const disk = moment.disk.kill();
  return { disk, view: disk, judge: judge(), machine, step, durability: 'power' };
}

async function recovers(history: History, crashes: number): Promise<void> {
  await takeStep(history);
  await checkInvariants(history, baseline.references[history.step], crashes);
}

function garbled(history: History, path: string): History {
  const ino = inoOf(history, path);
  return powerLoss(history, (effect) => (isWriteTo(effect, ino) ? 'noise' : 'keep'));
}

function powerLoss(history: History, choose: (effect: UnsyncedEffect) => Fate): History {
  const disk = history.disk.crash(choose);
  const { boots, processes } = history.machine;
  return { ...history, disk, view: disk, machine: { boots: boots + 1, processes } };
}

function isWriteTo(effect: UnsyncedEffect, ino: number): boolean {
  return effect.kind === 'write' && effect.ino === ino;
}

function isName(effect: UnsyncedEffect, name: string): boolean {
  return effect.kind === 'names' && effect.names.includes(name);
}

function inoOf({ disk }: History, path: string): number {
  const stat = disk.stat(`${root}/${path}`);
  if (stat === undefined) throw new Error(`there is no ${path}`);
  return stat.ino;
}

function textAt(disk: MemoryDisk, path: string): string | undefined {
  const bytes = disk.read(`${root}/${path}`);
  return bytes && Buffer.from(bytes).toString('latin1');
}
