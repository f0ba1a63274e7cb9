import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { Explorer, liveUninterrupted } from './explore.ts';
import { checkInvariants, type referenceOf } from './invariants.ts';
import * as mistakes from './mistakes.ts';
import { type CallMoment, killing, powerLosses } from './moments.ts';
import { liveWithRival, rivalCalls } from './rivals.ts';
import { newHistory, takeStep, Violation } from './scenario.ts';

/*
 * Tests of the tests: with each of these mistakes the product breaks a promise, so the crash tests must say so. One
 * that they did not find would be one that the product may have.
 */

const given = { durability: 'power', seed: 1 } as const;
const testFile = 'test/crash/mistakes.test.ts';

describe('a crash finds out', () => {
  test.each([
    ['that folders are not synced', mistakes.noFolderSync],
    ['that a record is durable before its bytes', mistakes.recordBeforeBytes],
    ['that a success is acknowledged before its record is durable', mistakes.noJournalSync],
    ['that a name is given before the bytes are durable', mistakes.noSyncBeforeName],
  ])('%s', async (_, mistake) => {
    const baseline = await liveUninterrupted({ ...given, mistake });
    const explorer = new Explorer(baseline, testFile);
    const life = async () => {
      for (const moment of baseline.moments) await explorer.visitAll(powerLosses(moment, 8));
    };
    expect(await violationIn(life)).toBeInstanceOf(Violation);
  });

  test('that events of a killed process are believed and not made durable', async () => {
    const baseline = await liveUninterrupted({ ...given, mistake: mistakes.noSyncOfInherited });
    const explorer = new Explorer(baseline, testFile);
    const life = async () => {
      for (const first of baseline.moments.filter(isBeforeSyncOfEvents).map(killing)) {
        for (const moment of await explorer.momentsAfter(first)) {
          await explorer.visitAll(powerLosses(moment, 2));
        }
      }
    };
    expect(await violationIn(life)).toBeInstanceOf(Violation);
  });
});

describe('a nearly full disk', () => {
  test('that takes a part of any write breaks no promise', async () => {
    const writes = await countWrites();
    for (let nth = 1; nth <= writes; nth++) await liveOn((disk) => mistakes.shortCount(disk, nth));
  });

  test('finds out that the count is ignored', async () => {
    const writes = await countWrites();
    const life = async () => {
      for (let nth = 1; nth <= writes; nth++) await liveOn((disk) => mistakes.shortCountIgnored(disk, nth));
    };
    expect(await violationIn(life)).toBeInstanceOf(Violation);
  });
});

test('a second process finds out that the fence is not looked at', async () => {
  const baseline = await liveUninterrupted(given);
  const life = async () => {
    for (const call of rivalCalls(baseline)) await liveWithRival(baseline, call, mistakes.noFence);
  };
  expect(await violationIn(life)).toBeInstanceOf(Violation);
});

/** The first promise that is broken; undefined when all are kept. */
async function violationIn(life: () => Promise<void>): Promise<unknown> {
  try {
    await life();
    return undefined;
  } catch (error) {
    return error instanceof Error && error.cause !== undefined ? error.cause : error;
  }
}

function isBeforeSyncOfEvents({ call, when }: CallMoment): boolean {
  return when === 'before' && call.operation === 'sync' && call.path.endsWith('.jsonl');
}

async function liveOn(viewOf: (disk: Disk) => Disk): Promise<void> {
  const history = newHistory({ ...given, mistake: viewOf });
  await takeStep(history);
  await checkInvariants(history, await writtenReference(), 0);
}

let written: Promise<ReturnType<typeof referenceOf>> | undefined;

function writtenReference(): NonNullable<typeof written> {
  written ??= liveUninterrupted(given).then(({ references }) => references.write);
  return written;
}

async function countWrites(): Promise<number> {
  const { moments } = await liveUninterrupted(given);
  const isWrite = ({ call, when, step }: CallMoment) =>
    step === 'write' && when === 'before' && call.operation === 'write';
  return moments.filter(isWrite).length;
}
