import { dirname, resolve } from 'node:path';
import { ok, type Result } from '../../../base/result.ts';
import { DiskError } from '../../../disk/disk.ts';
import type { Failure } from '../../../model/failure.ts';
import type { Environment } from '../../open/environment.ts';
import type { Target } from '../../open/requests.ts';
import { checkAgents } from './agents.ts';
import { checkFileSystem, checkStateFolder } from './file-system.ts';
import { bad, type DoctorAnswer, type DoctorFinding } from './finding.ts';
import { checkGitIgnore } from './git-ignore.ts';
import type { DoctorScope, Site } from './ground.ts';
import { checkKept } from './kept.ts';
import { checkLists } from './lists.ts';
import { type Machine, systemMachine } from './machine.ts';
import { checkManifest, type FoundManifest, shownPlace } from './manifest.ts';
import { checkModels } from './models.ts';
import { checkNamed } from './named.ts';
import { checkRuns, openRuns } from './runs.ts';
import { checkSecrets } from './secrets.ts';
import { checkTelemetry } from './telemetry.ts';
import { checkVersions } from './versions.ts';

export interface DoctorRequest extends Pick<Target, 'path' | 'pipeline'> {
  readonly machine?: Machine | undefined;
}

/**
 * Examines a workspace and the machine that it is on. Nothing is changed: what file operations are tried with is gone
 * again. Nothing that a manifest names is started; one in code is loaded, as by every command.
 */
export async function examineWorkspace(
  env: Environment,
  request: DoctorRequest,
): Promise<Result<DoctorAnswer, Failure>> {
  const ground: DoctorScope = {
    env,
    machine: request.machine ?? systemMachine(env.process.variables),
    start: startOf(env, request.path),
  };
  const findings = [...checkVersions(ground)];
  const found = await lookedAt(findings, 'manifest', () => checkManifest(ground, request));
  if (found !== undefined) findings.push(found.finding);
  const site = siteOf(ground, found);
  if (site !== undefined) await examineSite(site, findings);
  await gathered(findings, 'state-folder', () => checkStateFolder(ground));
  await gathered(findings, 'telemetry', () => checkTelemetry(ground));
  await gathered(findings, 'agents', () => checkAgents(ground, site?.root));
  const workspace = found && shownPlace(ground, found, request);
  return ok({ workspace, findings, counts: countStates(findings) });
}

async function examineSite(site: Site, findings: DoctorFinding[]): Promise<void> {
  const { workspace } = site;
  if (workspace !== undefined) {
    await gathered(findings, 'manifest', () => checkNamed(site, workspace));
    await gathered(findings, 'manifest', () => checkLists(workspace));
    await gathered(findings, 'models', () => checkModels(site, workspace));
  }
  await gathered(findings, 'file-system', () => checkFileSystem(site));
  const runs = await lookedAt(findings, 'runs', () => openRuns(site));
  if (runs !== undefined) {
    findings.push(...checkRuns(site, runs));
    await gathered(findings, 'kept-files', () => checkSecrets(site, runs));
    await gathered(findings, 'kept-files', () => checkKept(site, runs));
  }
  await gathered(findings, 'git', () => checkGitIgnore(site));
}

function startOf({ disk, cwd }: Environment, path: string | undefined): string {
  const start = resolve(cwd, path ?? '.');
  return disk.stat(start)?.kind === 'file' ? dirname(start) : start;
}

function siteOf(ground: DoctorScope, found: FoundManifest | undefined): Site | undefined {
  return found?.root === undefined ? undefined : { ...ground, root: found.root, workspace: found.workspace };
}

async function gathered(
  findings: DoctorFinding[],
  at: string,
  check: () => readonly DoctorFinding[] | Promise<readonly DoctorFinding[]>,
): Promise<void> {
  findings.push(...((await lookedAt(findings, at, check)) ?? []));
}

/** A disk that fails in one place must not hide what can be said of the others. */
async function lookedAt<T>(
  findings: DoctorFinding[],
  at: string,
  look: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const { code, operation, path } = error;
    findings.push(bad('could-not-look', { at, code, operation, path }));
    return undefined;
  }
}

function countStates(findings: readonly DoctorFinding[]): DoctorAnswer['counts'] {
  const counts = { ok: 0, warning: 0, bad: 0 };
  for (const { state } of findings) counts[state] += 1;
  return counts;
}
