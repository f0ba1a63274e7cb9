import type { Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import type { Environment } from '../environment.ts';
import type { NextAnswer } from './answers.ts';
import { quickNext } from './quick/next.ts';
import type { NextRequest } from './requests.ts';

export type { NextRequest } from './requests.ts';

/** Claims the next task that can be worked on: of any number of callers each one is given to exactly one. */
export async function nextTask(env: Environment, request: NextRequest): Promise<Result<NextAnswer, Failure>> {
  const quick = await quickNext(env, request);
  if (quick !== undefined) return quick;
  // Most of the time it is not needed, and it takes longer to load than all of the rest.
  const { planNext } = await import('./plan-next.ts');
  return await planNext(env, request);
}
