import { fail, type Result } from '../../base/result.ts';
import { DiskError } from '../../disk/disk.ts';
import type { Failure } from '../../model/failure.ts';
import type { Environment } from './environment.ts';

/** `Trouble`: what it may answer besides. */
type Answered<Answer, Trouble> = Result<Answer, Failure | Trouble>;

type UseCase<Request, Answer, Trouble> = (
  env: Environment,
  request: Request,
) => Promise<Answered<Answer, Trouble>>;

/** A disk can fail anywhere below: a use case always answers, and only a bug throws. */
export function answering<Request, Answer, Trouble = never>(
  load: () => Promise<
    (env: Environment, request: Request) => Answered<Answer, Trouble> | Promise<Answered<Answer, Trouble>>
  >,
): UseCase<Request, Answer, Trouble> {
  return async (env, request) => {
    const useCase = await load();
    try {
      return await useCase(env, request);
    } catch (error) {
      return fail(diskFailure(error));
    }
  };
}

/** What came up from deep below as the failure that it is. Anything but trouble of the disk is a bug, and goes on. */
export function diskFailure(error: unknown): Failure {
  if (!(error instanceof DiskError)) throw error;
  return { reason: 'disk-failed', code: error.code, operation: error.operation, path: error.path };
}
