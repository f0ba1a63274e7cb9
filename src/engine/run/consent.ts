import { type Hash, hashJson } from '../../base/hash.ts';
import { DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { Environment } from '../environment.ts';

/*
 * Whoever types `pawl run` agrees to what the manifest starts. Others (a coding agent over MCP) may bring it to start
 * something only where this user has run a manifest with the same content. That is kept outside every workspace: a
 * repository that somebody else made must not bring the consent along.
 */

/** This user has run the pipeline as it is now. */
export function keepConsent(env: Environment, loaded: LoadedPipeline): void {
  const path = consentPath(env, loaded);
  if (path === undefined || env.disk.stat(path) !== undefined) return;
  try {
    env.disk.makeFolder(path.slice(0, path.lastIndexOf('/')));
    replaceFileNow(env.disk, path, new Uint8Array());
  } catch (error) {
    // Only others need it: without it they are refused, and whoever typed the command is not.
    if (!(error instanceof DiskError)) throw error;
  }
}

export function hasConsent(env: Environment, loaded: LoadedPipeline): boolean {
  const path = consentPath(env, loaded);
  return path !== undefined && env.disk.stat(path) !== undefined;
}

function consentPath({ stateFolder }: Environment, { pipeline }: LoadedPipeline): string | undefined {
  const hash: Hash = hashJson(pipeline.manifest);
  return stateFolder && `${stateFolder}/consent/${hash.slice('sha256:'.length)}`;
}
