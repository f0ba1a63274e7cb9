import { fail, type Result } from '../base/result.ts';
import { DiskError } from '../disk/disk.ts';
import type { Failure } from '../model/failure.ts';
import type { Environment } from './environment.ts';

type UseCase<Request, Answer> = (env: Environment, request: Request) => Promise<Result<Answer, Failure>>;

/** A disk can fail anywhere below: a use case always answers, and only a bug throws. */
export function answering<Request, Answer>(useCase: UseCase<Request, Answer>): UseCase<Request, Answer> {
  return async (env, request) => {
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
