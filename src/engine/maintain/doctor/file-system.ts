import { dirname } from 'node:path';
import { keptFolder } from '../../../model/run-folder.ts';
import { bad, type DoctorFinding, good, type TrialPlace, warning } from './finding.ts';
import { type DoctorScope, isExistingFolder, type Site } from './ground.ts';
import { isShared, mountOf } from './mounts.ts';
import { tryOperations } from './trial.ts';

/** Whether the file system of a workspace does what the journal and the content store are built on. */
export async function checkFileSystem(site: Site): Promise<DoctorFinding[]> {
  return [...checkRights(site), ...(await checkOperations(site)), ...checkType(site), ...checkRoom(site)];
}

/** What is remembered outside of every workspace: which manifests this user has run, and how long journals were. */
export function checkStateFolder({ env, machine }: DoctorScope): DoctorFinding[] {
  const { stateFolder: path } = env;
  if (path === undefined) return [warning('state-folder', { path, code: 'ENOENT' })];
  let above = path;
  while (env.disk.stat(above) === undefined && dirname(above) !== above) above = dirname(above);
  const code = isExistingFolder(env, above) ? machine.writeTrouble(above) : 'ENOTDIR';
  return [code === undefined ? good('state-folder', { path }) : bad('state-folder', { path, code })];
}

function checkRights({ env, machine, root }: Site): DoctorFinding[] {
  const folders = [
    root,
    ...(isExistingFolder(env, `${root}/${keptFolder}`) ? [`${root}/${keptFolder}`] : []),
  ];
  for (const path of folders) {
    const code = machine.writeTrouble(path);
    if (code !== undefined) return [bad('workspace-folder', { path, code })];
  }
  return [good('workspace-folder', { path: root })];
}

/** In a folder that is Pawl's already; else where the system has a place for it, if that is the same file system. */
async function checkOperations({ env, machine, root }: Site): Promise<DoctorFinding[]> {
  const kept = `${root}/${keptFolder}`;
  if (isExistingFolder(env, kept)) return await tryIn(env, kept, 'workspace');
  const { tempFolder } = machine;
  const device = machine.deviceOf(root);
  if (device === undefined || device !== machine.deviceOf(tempFolder)) return [];
  return await tryIn(env, tempFolder, 'temp');
}

async function tryIn(env: DoctorScope['env'], folder: string, place: TrialPlace): Promise<DoctorFinding[]> {
  const { failed, isCaseSensitive } = await tryOperations(env.disk, folder, env.ids);
  if (failed.length === 0) return [good('file-operation', { place, isCaseSensitive })];
  return failed.map((one) => {
    const facts = { place, ...one };
    // Without a second name a file is written in place where its name has to be free: slower to be whole, and safe.
    return one.operation === 'link' ? warning('file-operation', facts) : bad('file-operation', facts);
  });
}

function checkType({ env, machine, root }: Site): DoctorFinding[] {
  const table = machine.mounts();
  const real = env.disk.realpath(root);
  if (table === undefined || real === undefined) return [];
  const found = mountOf(table, real);
  if (found === undefined) return [];
  return [isShared(found) ? warning('file-system-type', found) : good('file-system-type', found)];
}

const freeBytesMin = 100 * 1024 * 1024;

function checkRoom({ machine, root }: Site): DoctorFinding[] {
  const bytes = machine.freeBytes(root);
  if (bytes === undefined) return [];
  const facts = { bytes, bytesMin: freeBytesMin };
  return [bytes < freeBytesMin ? warning('free-space', facts) : good('free-space', facts)];
}
