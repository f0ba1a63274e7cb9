import { formatTime } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { makeOwnFolder } from '../engine/open/own-folder.ts';
import { percentOf } from './fields.ts';
import { ownFolder } from './own-folder.ts';
import { readSmall, replaceSmall } from './small-file.ts';
import type { Disk, World } from './world.ts';

/*
 * How full an agent's context is. Only the status line gets that from the agent: it leaves it here for the hooks, in a
 * file for each session. The file also has what the session was shown last.
 */

export type Tier = 'NOMINAL' | 'WARNING' | 'SEVERE' | 'UNKNOWN';

export function tierOf(fill: number | undefined): Tier {
  if (fill === undefined) return 'UNKNOWN';
  return fill < 60 ? 'NOMINAL' : fill < 80 ? 'WARNING' : 'SEVERE';
}

export interface SessionContext {
  readonly fill: number | undefined;
  readonly usd: number | undefined;
}

export function readContext(disk: Disk, root: string, session: string): SessionContext {
  const file =
    session === '' ? undefined : readSmall(disk, `${contextFolder(root)}/${fileName(session)}.json`);
  const usd = file?.usd;
  return { fill: percentOf(file?.fill), usd: typeof usd === 'number' && usd >= 0 ? usd : undefined };
}

export function writeContext({ env }: World, root: string, session: string, context: SessionContext): void {
  if (session === '') return;
  const { fill = null, usd = null } = context;
  const at = formatTime(env.clock.now());
  writeIn({ env }, root, `${fileName(session)}.json`, { fill, at, usd });
}

/** After a compaction the old value would mislead, so it is unknown until the status line is called again. */
export function forgetFill({ env }: Pick<World, 'env'>, root: string, session: string): void {
  if (session !== '') removeIn({ env }, root, `${fileName(session)}.json`);
}

/** What a session was shown, and when the session began. */
export interface Said {
  readonly text: string;
  readonly tier: Tier;
  readonly since: string | undefined;
}

export function readSaid(disk: Disk, root: string, session: string): Said | undefined {
  const file =
    session === '' ? undefined : readSmall(disk, `${contextFolder(root)}/${fileName(session)}.said.json`);
  if (file === undefined) return undefined;
  const { text, tier, since } = file;
  return {
    text: typeof text === 'string' ? text : '',
    tier: tiers.find((known) => known === tier) ?? 'UNKNOWN',
    since: typeof since === 'string' ? since : undefined,
  };
}

export function writeSaid({ env }: Pick<World, 'env'>, root: string, session: string, said: Said): void {
  if (session === '') return;
  const { text, tier, since = null } = said;
  writeIn({ env }, root, `${fileName(session)}.said.json`, { text, tier, since });
}

/** Forgets a session that is over, so that it is shown everything again when it is resumed. */
export function forgetSession({ env }: Pick<World, 'env'>, root: string, session: string): void {
  if (session === '') return;
  forgetFill({ env }, root, session);
  removeIn({ env }, root, `${fileName(session)}.said.json`);
}

const tiers = ['NOMINAL', 'WARNING', 'SEVERE', 'UNKNOWN'] as const;
const filesMax = 1000;
const hashedLength = 'sha256.'.length + 32;

const contextName = '.pawl/context';
const ownName =
  /^(?:(?:[a-z0-9][a-z0-9_-]{0,63}|sha256\.[0-9a-f]{32})(?:\.said)?\.json|\.pawl-[a-z0-9]{1,64}\.tmp)$/;

const contextFolder = (root: string) => `${root}/${contextName}`;

/** The name for a session's file. An id with more than letters and digits is hashed, because ids come from outside. */
function fileName(session: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,63}$/.test(session)) return session;
  return hashBytes(session).replace(':', '.').slice(0, hashedLength);
}

function writeIn({ env }: Pick<World, 'env'>, root: string, name: string, value: JsonObject): void {
  const folder = ownFolder(env.disk, root, contextName);
  makeOwnFolder(env.disk, root);
  removeOldest(env.disk, folder);
  replaceSmall(env, folder, name, value);
}

function removeIn({ env }: Pick<World, 'env'>, root: string, name: string): void {
  env.disk.remove(`${ownFolder(env.disk, root, contextName)}/${name}`);
}

/** Removes files of killed sessions. A file whose name is not one of ours stays. */
function removeOldest(disk: Disk, folder: string): void {
  const names = (disk.list(folder) ?? []).filter((name) => ownName.test(name));
  if (names.length < filesMax) return;
  const files = names.map((name) => ({ path: `${folder}/${name}`, stat: disk.stat(`${folder}/${name}`) }));
  const byAge = files
    .filter(({ stat }) => stat?.kind === 'file')
    .sort((a, b) => (a.stat?.mtimeMs ?? 0) - (b.stat?.mtimeMs ?? 0));
  for (const { path } of byAge.slice(0, filesMax / 2)) disk.remove(path);
}
