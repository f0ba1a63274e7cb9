import { fail, type Result } from '../base/result.ts';
import { diskFailure } from '../engine/open/answering.ts';
import type { McpTrouble } from './problems.ts';

/** A disk may fail anywhere below: that is an answer like any other. Only a bug throws. */
export async function settled<T>(
  answering: () => Promise<Result<T, McpTrouble>>,
): Promise<Result<T, McpTrouble>> {
  try {
    return await answering();
  } catch (error) {
    return fail(diskFailure(error));
  }
}
