import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';
import type { Environment } from '../engine/open/environment.ts';
import { locateManifest, workspaceAround } from '../engine/open/locate.ts';
import { listRunIds } from '../engine/show/runs.ts';
import { catchDiskErrors, type McpTrouble } from './problems.ts';

/** One server process. It is bound to one folder and never leaves it. */
export interface Session {
  /** Its current folder is the root, so that every path in an answer starts there. */
  readonly env: Environment;
  /** Absolute, with every link resolved. Nothing outside is ever read or written. */
  readonly root: string;
  /** The manifest that the server was started for, relative to the root; undefined: found from there. */
  readonly manifest: string | undefined;
  /** The name under which work is claimed, when it was given at the start. */
  readonly actor: string | undefined;
  /** Tells this process's default actor from those of others. */
  readonly mark: string;
}

/** What every tool takes to name a run. */
export interface Chosen {
  readonly manifest?: string | undefined;
  readonly run?: string | undefined;
}

export function openSession(
  env: Environment,
  path: string | undefined,
  actor: string | undefined,
): Result<Session, McpTrouble> {
  const real = env.disk.realpath(resolve(env.cwd, path ?? workspaceAround(env.disk, env.cwd)));
  const kind = real === undefined ? undefined : env.disk.stat(real)?.kind;
  if (real === undefined || (kind !== 'file' && kind !== 'folder'))
    return fail({ reason: 'manifest-not-found', path: path ?? '.', near: [] });
  const root = kind === 'file' ? dirname(real) : real;
  const manifest = kind === 'file' ? relative(root, real) : undefined;
  return ok({
    env: { ...env, cwd: root, typedIn: root },
    root,
    manifest,
    actor,
    mark: env.ids.random(markLength),
  });
}

const markLength = 6;

/** The manifest and the run that a call means. A manifest that is code is never opened, because that would run it. */
export function targetIn(
  session: Session,
  { manifest = session.manifest, run }: Chosen,
): Result<{ path: string; run: string | undefined }, McpTrouble> {
  if (manifest !== undefined) {
    const inside = insideRoot(session, manifest);
    if (!inside.ok) return inside;
  }
  const located = locateManifest(session.env, manifest, run);
  if (!located.ok) return located;
  // The manifest of a run comes from its journal, and a journal may name any path.
  const path = insideRoot(session, located.value);
  if (!path.ok) return path;
  return isCode(path.value)
    ? fail({ reason: 'manifest-is-code', path: path.value })
    : ok({ path: path.value, run });
}

/** A path as it is seen from a folder of the workspace; refused when it is elsewhere, or leads elsewhere. */
export function insideRoot({ env, root }: Session, path: string, folder = root): Result<string, McpTrouble> {
  const refusal = fail({ reason: 'path-outside', path } as const);
  if (path.includes('\0')) return refusal;
  const wanted = resolve(folder, path);
  const real = realOf(env.disk, wanted);
  if (real === undefined || !isBelow(folder, real)) return refusal;
  // A link that stays inside keeps its name; a path that came by another name of the folder is given this one.
  return ok(relative(folder, isBelow(folder, wanted) ? wanted : real) || '.');
}

function isBelow(folder: string, path: string): boolean {
  const found = relative(folder, path);
  return !isAbsolute(found) && found.split(sep)[0] !== '..';
}

/** The real path. Of a missing file it is that of its folder, with the missing names behind it. */
function realOf(disk: Environment['disk'], path: string): string | undefined {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    const real = disk.realpath(at);
    if (real !== undefined) return resolve(real, ...missing);
    // A link that leads nowhere today may lead anywhere tomorrow.
    if (disk.stat(at) !== undefined) return undefined;
    missing.unshift(at.slice(dirname(at).length).replace(/^[/\\]/, ''));
  }
}

function isCode(manifest: string): boolean {
  return /\.[cm]?[jt]sx?$/i.test(manifest);
}

/** Ids of the newest runs with this beginning, the newest first. Without a workspace there are none, and no error. */
export async function findRunIds(session: Session, begun: string): Promise<string[]> {
  const listed = await catchDiskErrors(async () => {
    const target = targetIn(session, {});
    return target.ok ? await listRunIds(session.env, target.value) : target;
  });
  if (!listed.ok) return [];
  return listed.value.filter((id) => id.startsWith(begun)).slice(0, idsMax);
}

const idsMax = 50;
