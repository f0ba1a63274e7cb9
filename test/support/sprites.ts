import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Finished, pawlKilledAt } from './command.ts';
import { library, libraryEnvironment } from './library.ts';
import { tempFolder } from './temp.ts';
import { copyOf, hashes, projectRoot, readJson, type TestWorkspace, withEnv } from './workspace.ts';

/** The manifest that most tests go by. */
export const blaze = 'blaze-idle.yaml';

/** The sprites as a fresh clone has them, without their pauses. `doors.mjs` lies beside them for whoever needs it. */
export function copyOfSprites(): TestWorkspace {
  const root = join(tempFolder(), 'sprites');
  const made = new Set(['runs', '.pawl']);
  const from = join(projectRoot, 'examples/sprites');
  cpSync(from, root, { recursive: true, filter: (path) => !made.has(path.slice(from.length + 1)) });
  for (const name of ['door.mjs', 'doors.mjs'])
    cpSync(join(projectRoot, 'test/support/programs', name), join(root, name));
  const callsFile = join(dirname(root), 'calls');
  return {
    root,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: dirname(root),
      XDG_STATE_HOME: join(dirname(root), 'state'),
      LANG: 'C.UTF-8',
      SPRITES_PAUSE_MS: '0',
      SPRITES_CALLS: callsFile,
      TEST_CALLS: callsFile,
    },
  };
}

/** The same files elsewhere, with nothing called yet: so that a run is drawn once, and many tests go on from it. */
export function copyOfRun(workspace: TestWorkspace): TestWorkspace {
  const copy = copyOf(workspace);
  return withEnv(copy, { SPRITES_CALLS: copy.env.TEST_CALLS ?? '' });
}

/** All frames drawn, approved and packed: by the library, which is faster than the command, and not what is tested. */
export async function drawnSprites(workspace = copyOfSprites()): Promise<TestWorkspace> {
  const { run } = await library();
  vi.stubEnv('SPRITES_PAUSE_MS', '0');
  const drawn = await run({ path: join(workspace.root, blaze) }, await libraryEnvironment(workspace));
  expect(drawn).toMatchObject({ ok: true, value: { heading: { status: 'completed' } } });
  return workspace;
}

/** A run now would find everything done and write nothing. */
export async function expectNothingToDraw(workspace: TestWorkspace): Promise<void> {
  const { run } = await library();
  const answer = await run({ path: join(workspace.root, blaze) }, await libraryEnvironment(workspace));
  expect(answer).toMatchObject({ ok: true, value: { kind: 'unchanged', heading: { status: 'completed' } } });
}

/** A workspace whose run was killed in the moment in which it told something. */
export async function killedSprites(
  moment: string,
  workspace = copyOfSprites(),
  ...args: string[]
): Promise<TestWorkspace> {
  const killed = await pawlKilledAt(workspace, moment, 'run', blaze, ...args);
  expect(killed.signal, killed.stderr).toBe('SIGKILL');
  return workspace;
}

/** Folders of runs, as paths relative to the workspace. */
export function runFolders({ root }: TestWorkspace): string[] {
  const folder = join(root, 'runs');
  // With the last run its folder goes.
  return (existsSync(folder) ? readdirSync(folder) : []).sort().map((name) => `runs/${name}`);
}

/** A file of the only run. */
export function inRun(workspace: TestWorkspace, path: string): string {
  const [folder, ...others] = runFolders(workspace);
  if (folder === undefined || others.length > 0)
    throw new Error(`expected one run, there are: ${[folder, ...others].join(', ')}`);
  return `${folder}/${path}`;
}

export function bytesOf({ root }: TestWorkspace, path: string): Buffer {
  return readFileSync(join(root, path));
}

/** What stays the same however often a run was stopped: the frames, and what is packed of them. */
export function finalSprites(workspace: TestWorkspace): Record<string, string> {
  return {
    ...hashes(workspace, inRun(workspace, 'approved')),
    ...hashes(workspace, inRun(workspace, 'export')),
  };
}

/** `frame_0003` of 3. */
export function frame(index: number): string {
  return `frame_${String(index).padStart(4, '0')}`;
}

/** The fields of `state.json` that the seed asks for. */
export interface SpriteState {
  readonly run_id: string;
  readonly run_status: string;
  readonly manifest_hash: string;
  readonly resumable: boolean;
  readonly resume_from_frame: number | null;
  readonly approved_frame_indices: readonly number[];
  readonly pending_frame_indices: readonly number[];
  readonly resume_history: readonly {
    readonly resumed_at: string;
    readonly from_frame: number | null;
    readonly manifest_hash_match: boolean;
  }[];
}

export function stateOf(workspace: TestWorkspace, folder?: string): SpriteState {
  const path = folder === undefined ? inRun(workspace, 'state.json') : `${folder}/state.json`;
  return readJson(workspace, path) as SpriteState;
}

/** A line of `audit_log.jsonl`. */
export interface AuditLine {
  readonly seq: number;
  readonly type: string;
  readonly frame?: string;
  readonly phase?: string;
  readonly attempt?: number;
  readonly iteration?: number;
  readonly [fact: string]: unknown;
}

/** Every whole line of the audit log of the only run. */
export function auditLog(workspace: TestWorkspace): AuditLine[] {
  const lines = bytesOf(workspace, inRun(workspace, 'audit_log.jsonl')).toString('utf8').split('\n');
  return lines.flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as AuditLine] : []));
}

/** The first line of progress: which run is gone on with, and from where. */
export function begunLine({ stderr }: Finished): string {
  return stderr.split('\n').find((line) => /^sprites: (new run|resum)/.test(line)) ?? '';
}

/** The same of a call that is killed when it has said so: enough to know which run it has chosen. */
export async function begunWith(workspace: TestWorkspace, ...args: string[]): Promise<string> {
  return begunLine(await pawlKilledAt(workspace, 'sprites: ', 'run', ...args));
}
