import { describe, expect, it } from 'vitest';
import type { RunStatus } from '../../model/status.ts';
import {
  isResumableStatus,
  readStatusWord,
  runStatusOf,
  type StatusWord,
  statusWordOf,
} from './status-words.ts';

const words: readonly StatusWord[] = [
  'IN_PROGRESS',
  'WAITING_FOR_HUMAN',
  'ABORTED',
  'COMPLETE',
  'FAILED',
  'CANCELLED',
];
const statuses: Readonly<Record<RunStatus, StatusWord>> = {
  running: 'IN_PROGRESS',
  paused: 'IN_PROGRESS',
  waiting_human: 'WAITING_FOR_HUMAN',
  stopped: 'ABORTED',
  interrupted: 'ABORTED',
  completed: 'COMPLETE',
  failed: 'FAILED',
  cancelled: 'CANCELLED',
};

describe('the status of a page', () => {
  it.each(Object.entries(statuses))('of a run that is %s is %s', (status, word) => {
    expect(statusWordOf(status as RunStatus)).toBe(word);
    expect(readStatusWord(status)).toBe(word);
    // Whether it may be resumed is the same in both languages.
    expect(isResumableStatus(word)).toBe(!['completed', 'failed', 'cancelled'].includes(status));
  });

  it.each(words)('%s survives the way there and back', (word) => {
    expect(statusWordOf(runStatusOf(word))).toBe(word);
    expect(readStatusWord(word)).toBe(word);
  });

  it.each([
    ['In Progress', 'IN_PROGRESS'],
    ['in-progress', 'IN_PROGRESS'],
    ['🔄 InProgress', 'IN_PROGRESS'],
    ['waiting-for-human', 'WAITING_FOR_HUMAN'],
    ['Awaiting approval', 'WAITING_FOR_HUMAN'],
    ['DONE', 'COMPLETE'],
    ['approved', 'COMPLETE'],
    ['✅ complete.', 'COMPLETE'],
    ['aborted', 'ABORTED'],
    ['❌ Failed', 'FAILED'],
    ['canceled', 'CANCELLED'],
  ])('%j is %s', (text, word) => {
    expect(readStatusWord(text)).toBe(word);
  });

  it.each([
    '',
    '?',
    'done?',
    'blocked',
    'waiting',
    'error',
    'ok',
    '~~done~~',
    '❌ done',
    'done, nearly',
    'unknown',
  ])('%j is none', (text) => {
    expect(readStatusWord(text)).toBeUndefined();
  });
});
