import { asksOf } from '../../model/reason.ts';
import type { Decision } from '../../planner/plan.ts';
import type {
  Consequence,
  ValidatedSubject,
  ValidationCheck,
  ValidationRow,
} from '../observe/task-answers.ts';

/** One thing that a check has found. */
export type Found = Pick<ValidationRow, 'result' | 'follows'> & { readonly subject: ValidatedSubject };

const subjectsMax = 20;

/**
 * What was found alike, and leads to the same, is one row. Nothing was found: then one row says how many are in order,
 * which may be fewer than there are where another check tells of the rest.
 */
export function rowsOf(
  check: ValidationCheck,
  found: readonly Found[],
  { of, sound = of }: { readonly of: number; readonly sound?: number },
): ValidationRow[] {
  if (found.length === 0) {
    const result = sound === 0 ? 'none' : 'ok';
    return [{ check, result, count: sound, of, subjects: [], follows: undefined }];
  }
  const groups = new Map<string, [Found, ...Found[]]>();
  for (const one of found) {
    const key = JSON.stringify([one.result, one.follows]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return Array.from(groups.values(), (group) => {
    const [{ result, follows }] = group;
    const subjects = group.slice(0, subjectsMax).map(({ subject }) => subject);
    return { check, result, count: group.length, of, subjects, follows };
  });
}

/** What the plan makes of a phase whose output is not there as it should be; undefined: nothing. */
export function becomes(decision: Decision | undefined): Consequence | undefined {
  switch (decision?.do) {
    case 'run':
    // What is lost is made again, whatever comes of what it waits for.
    case 'wait':
      return { code: 'runs-again' };
    case 'restore':
      return { code: 'restores' };
    case 'claimed':
      return { code: 'waits' };
    case 'refuse':
      return { code: 'refused' };
    case 'stop':
      if (decision.why.code === 'paused') return { code: 'paused', until: decision.why.until };
      return { code: asksOf(decision.why) === undefined ? 'stops' : 'asks-person' };
    case 'reuse':
    case 'skip':
    case undefined:
      return undefined;
  }
}
