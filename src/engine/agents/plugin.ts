import { resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { packageRoot } from '../../base/program.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Environment } from '../open/environment.ts';
import { type AgentFilePlace, definitionOf, launchNotes } from './definitions.ts';
import { readTextFile } from './files.ts';
import { parseSettings, valueAt } from './json-text.ts';
import { type InstallRequest, settingsPlaceOf } from './place.ts';
import { changeOf, type FileChange, type InstallPlan } from './plan.ts';
import { shippedSkills } from './skills.ts';
import type { AgentTrouble } from './trouble.ts';

/** Everything for Claude Code as a plugin, which brings its own folder and touches no settings. */
export function planPlugin(
  env: Environment,
  request: Pick<InstallRequest, 'command' | 'variables'> & { readonly folder: string },
): Result<InstallPlan, AgentTrouble> {
  const folder = resolve(env.cwd, request.folder);
  const owner = ownerOf(env, `${folder}/.claude-plugin/plugin.json`);
  if (!owner.ok) return owner;
  if (owner.value !== undefined && owner.value !== pluginName)
    return fail({ reason: 'another-plugin', path: folder, name: owner.value });
  // As for all projects of a user: nobody knows where the plugin will be used.
  const place = settingsPlaceOf(env, { ...request, agent: 'claude', scope: 'user', root: '/', home: '/' });
  if (!place.ok) return place;
  const changes: FileChange[] = [];
  for (const [name, text] of pluginFiles(env, place.value)) {
    const path = `${folder}/${name}`;
    const read = readTextFile(env.disk, path);
    if (!read.ok) return read;
    // Without a manifest nobody has said that these files are ours.
    if (owner.value === undefined && read.value.text !== undefined)
      return fail({ reason: 'another-plugin', path, name: '' });
    if (read.value.text !== text) changes.push(changeOf(path, read.value, text, undefined));
  }
  const notes = changes.length === 0 ? [] : launchNotes(place.value);
  return ok({ sharedBelow: folder, keptFolders: [folder], changes, notes });
}

const pluginName = 'pawl';

/** The name in a plugin's manifest; undefined where there is none. */
function ownerOf(env: Environment, path: string): Result<string | undefined, AgentTrouble> {
  const read = readTextFile(env.disk, path);
  if (!read.ok) return read;
  if (read.value.text === undefined) return ok(undefined);
  const manifest = parseSettings(path, read.value.text);
  return manifest.ok ? ok(String(valueAt(manifest.value, ['name']) ?? '')) : manifest;
}

function pluginFiles(env: Environment, place: AgentFilePlace): [string, string][] {
  const { launch } = place;
  const hooks: Record<string, JsonObject[]> = {};
  for (const file of definitionOf(place).files)
    if (file.kind === 'json') for (const { event, value } of file.entries.hooks) hooks[event] = [value];
  const [program = '', ...args] = [...launch.argv, 'mcp'];
  return [
    ['.claude-plugin/plugin.json', print(manifest(env))],
    ['hooks/hooks.json', print({ description: 'Keeps runs of Pawl and their sessions together.', hooks })],
    ['.mcp.json', print({ mcpServers: { pawl: { command: program, args } } })],
    ...shippedSkills(env).map(({ name, text }): [string, string] => [`skills/${name}/SKILL.md`, text]),
  ];
}

function manifest(env: Environment): JsonObject {
  const bytes = env.disk.read(`${packageRoot}package.json`);
  const about: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
  const { version, description, license } = isJsonObject(about) ? about : {};
  return {
    name: pluginName,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    ...(license === undefined ? {} : { license }),
  };
}

function print(value: JsonObject): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
