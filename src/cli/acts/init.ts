import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fail, ok } from '../../base/result.ts';
import { packageRoot } from '../../engine/program.ts';
import type { Act } from '../act.ts';
import { examples, exampleWorkspace } from '../init/examples.ts';
import { minimalWorkspace } from '../init/minimal.ts';

const templates = ['minimal', ...examples.keys()];

/** Writes a workspace to start from. All or nothing: one file that is there already keeps all others away. */
export const act: Act = async (call) => {
  const template = call.arguments[0] ?? 'minimal';
  if (!templates.includes(template))
    return fail({ reason: 'unknown-template', name: template, valid: templates });
  const folder = resolve(call.arguments[1] ?? '.');
  const shown = relative(process.cwd(), folder) || '.';
  if (isNoFolder(folder)) {
    const parent = relative(process.cwd(), dirname(folder)) || '.';
    return fail({ reason: 'files-exist', folder: parent, files: [basename(folder)] });
  }
  const example = examples.get(template);
  const schema = schemaPath(folder);
  const files =
    example === undefined ? minimalWorkspace(schema) : exampleWorkspace(template, example, schema);
  const names = Object.keys(files);
  const existing = new Set(names.flatMap((name) => inTheWay(folder, name) ?? []));
  if (existing.size > 0) return fail({ reason: 'files-exist', folder: shown, files: [...existing] });
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    // Made only when it is not there: nothing is overwritten even if it came to be just now.
    writeFileSync(path, content, { flag: 'wx' });
  }
  const manifest = example?.manifest ?? 'pawl.yaml';
  return ok({ command: 'init', answer: { template, folder: shown, manifest, files: names } });
};

/** What keeps a file from being made: itself, or something else where one of its folders belongs. */
function inTheWay(folder: string, name: string): string | undefined {
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join('/');
    if (isNoFolder(join(folder, above))) return above;
  }
  return isThere(join(folder, name)) ? name : undefined;
}

/** A link that leads nowhere is something, too. */
function isNoFolder(path: string): boolean {
  return isThere(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** For editors: the schema that belongs to this very version. */
function schemaPath(folder: string): string {
  return relative(folder, `${packageRoot}schema/pawl.schema.json`).split('\\').join('/');
}
