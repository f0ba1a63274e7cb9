import { type Hash, hashJson } from '../../base/hash.ts';
import { DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { Environment } from '../open/environment.ts';
import { agentHere } from '../open/person.ts';

/*
 * `pawl run` typed by a person is consent to what the manifest starts. Task commands, MCP tools and hooks start something
 * only if this user has run a manifest with the same content. That is kept outside every workspace, because a repository
 * from elsewhere must not bring the consent along.
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

/** Undefined where this user consents; otherwise the hash that `PAWL_TRUST` has to name. */
export function missingConsent(
  env: Environment,
  loaded: LoadedPipeline,
  variables: NodeJS.ProcessEnv = {},
): Hash | undefined {
  const path = consentPath(env, loaded);
  const isKept = path !== undefined && env.disk.stat(path) !== undefined;
  return isKept || isTrusted(loaded, variables) ? undefined : contentHash(loaded);
}

/** For a CI job, which has run nothing here before. An agent could copy the hash from the refusal, so it may not say it. */
function isTrusted(loaded: LoadedPipeline, variables: NodeJS.ProcessEnv): boolean {
  const trusted = variables.PAWL_TRUST?.trim();
  if (!trusted || agentHere(variables) !== undefined) return false;
  const hash = contentHash(loaded);
  return trusted === hash || `${hashPrefix}${trusted}` === hash;
}

function consentPath({ stateFolder }: Environment, loaded: LoadedPipeline): string | undefined {
  return stateFolder && `${stateFolder}/consent/${contentHash(loaded).slice(hashPrefix.length)}`;
}

function contentHash({ pipeline }: LoadedPipeline): Hash {
  // As it was always recorded, so that a newer version of Pawl does not ask for consent again.
  return hashJson(pipeline.manifestWithPolicies ?? pipeline.manifest);
}

const hashPrefix = 'sha256:';
