import type { NextAnswer } from '../engine/observe/task-answers.ts';
import { exitCodeOfAnswer } from './exit-codes.ts';

/** The document of `pawl next --json`. By itself: a loop of agents asks for nothing else all day, and waits for it. */
export function nextJson(answer: NextAnswer): object {
  const exitCode = exitCodeOfAnswer({ command: 'next', answer });
  const { none } = answer;
  const isDone = none === undefined || none.code === 'all-done';
  const reason = isDone ? {} : { reason: none.code, next: [] };
  return { ok: exitCode === 0, command: 'next', exitCode, ...reason, ...answer };
}
