import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { handedVariable } from '../../model/secrets.ts';

/** What a command gets from the environment without being told to; everything else the manifest declares. */
export const passedVariables = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  'SYSTEMROOT',
];

/**
 * The environment of a command: an allow-list, then what the manifest declares (`$NAME` takes the value from the
 * environment, so that a secret is named in the manifest and never written there), then the task itself.
 */
export function commandEnvironment(
  declared: Readonly<Record<string, string>>,
  task: Readonly<Record<string, string>>,
  outside: NodeJS.ProcessEnv,
): Record<string, string> {
  const env: Record<string, string> = {};
  const take = (name: string, from: string) => {
    const value = outside[from];
    if (value !== undefined) env[name] = value;
  };
  for (const name of passedVariables) take(name, name);
  for (const name of Object.keys(outside)) if (name.startsWith('LC_')) take(name, name);
  for (const [name, value] of Object.entries(declared)) {
    const variable = handedVariable(value);
    if (variable === undefined) env[name] = value;
    else take(name, variable.name);
  }
  return { ...env, ...task };
}

/** The program that a name means, as the system would find it; else whether there is none, or one that may not be run. */
export function findProgram(
  name: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Result<string, 'command-not-found' | 'command-not-executable'> {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = name.includes('/') ? [resolve(cwd, name)] : folders.map((folder) => `${folder}/${name}`);
  const files = candidates.filter(isFile);
  const program = files.find(mayBeRun);
  if (program !== undefined) return ok(program);
  return fail(files.length > 0 ? 'command-not-executable' : 'command-not-found');
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function mayBeRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `scene.card` becomes `SCENE_CARD`. */
export function environmentName(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
}
