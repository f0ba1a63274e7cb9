import { dirname, resolve } from 'node:path';
import type { Result } from '../../../base/result.ts';
import type { Failure } from '../../../model/failure.ts';
import { keptFolder } from '../../../model/run-folder.ts';
import type { LoadedPipeline } from '../../../pipeline/loaded.ts';
import { shownFrom } from '../../open/environment.ts';
import { locateManifest } from '../../open/locate.ts';
import type { Target } from '../../open/requests.ts';
import { openWorkspace, type Workspace } from '../../open/workspace.ts';
import { bad, type DoctorFinding, good, type ManifestExtent, warning } from './finding.ts';
import { type DoctorScope, isExistingFolder } from './ground.ts';

/** What became of looking for a manifest. */
export interface FoundManifest {
  readonly finding: DoctorFinding;
  /** The folder with a manifest, or with what Pawl keeps; undefined: there is neither. */
  readonly root: string | undefined;
  readonly workspace: Workspace | undefined;
}

/** Finds the manifest and reads it as every command does. */
export async function checkManifest(
  ground: DoctorScope,
  target: Pick<Target, 'path' | 'pipeline'>,
): Promise<FoundManifest> {
  const opened: Result<Workspace, Failure> = await openWorkspace(ground.env, target);
  if (!opened.ok)
    return {
      finding: troubleOf(opened.failure, target),
      root: rootWithout(ground, target),
      workspace: undefined,
    };
  const { root, manifest, loaded } = opened.value;
  return { finding: good('manifest', extentOf(manifest, loaded)), root, workspace: opened.value };
}

function extentOf(file: string, { pipeline: { stages } }: LoadedPipeline): ManifestExtent {
  return {
    file,
    units: stages.reduce((sum, { units }) => sum + units.length, 0),
    phases: stages.reduce((sum, { phases }) => sum + phases.length, 0),
    openStages: stages.filter(({ isOpen }) => isOpen).length,
  };
}

function troubleOf(failure: Failure, { path }: Pick<Target, 'path'>): DoctorFinding {
  switch (failure.reason) {
    case 'manifest-not-found': {
      const isNamed = path !== undefined;
      const facts = { found: 'none', path: failure.path, isNamed } as const;
      // Whoever names a place means that there is one; a folder without any is only a folder.
      return isNamed ? bad('manifest', facts) : warning('manifest', facts);
    }
    case 'which-workspace':
      return warning('manifest', { found: 'several', candidates: failure.candidates });
    case 'manifest-invalid': {
      const { file, problems } = failure;
      return bad('manifest', { found: 'invalid', file, problems: problems.length, first: problems[0] });
    }
    case 'module-failed':
      return bad('manifest', { found: 'broken', file: failure.path, detail: failure.detail });
    default:
      throw new Error(`a workspace is not opened for a reason that nobody expects: ${failure.reason}`);
  }
}

/** Runs can be looked at without a manifest that is valid. */
function rootWithout({ env, start }: DoctorScope, { path, pipeline }: Pick<Target, 'path' | 'pipeline'>) {
  if (pipeline !== undefined) return resolve(env.cwd, path ?? '.');
  const located = locateManifest(env, path);
  if (located.ok) return dirname(located.value);
  return isExistingFolder(env, `${start}/${keptFolder}`) ? start : undefined;
}

/** What to type in order to mean it; of a manifest that cannot be used what was typed, for it may be the file. */
export function shownPlace(
  { env }: DoctorScope,
  { root, workspace }: FoundManifest,
  { path }: Pick<Target, 'path'>,
): string | undefined {
  if (root === undefined) return undefined;
  return workspace?.shownPath ?? (shownFrom(env, path === undefined ? root : resolve(env.cwd, path)) || '.');
}
