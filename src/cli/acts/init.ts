import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail, ok } from '../../base/result.ts';
import type { Act } from '../act.ts';
import { minimalWorkspace } from '../init/minimal.ts';

const templates = ['minimal'];

/** Writes a workspace to start from. All or nothing: one file that is there already keeps all others away. */
export const act: Act = async (call) => {
  const template = call.arguments[0] ?? 'minimal';
  if (!templates.includes(template))
    return fail({ reason: 'unknown-template', name: template, valid: templates });
  const folder = resolve(call.arguments[1] ?? '.');
  const shown = relative(process.cwd(), folder) || '.';
  const files = minimalWorkspace(schemaPath(folder));
  const names = Object.keys(files);
  const existing = names.filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0) return fail({ reason: 'files-exist', folder: shown, files: existing });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    // Made only when it is not there: nothing is overwritten even if it came to be just now.
    writeFileSync(path, text, { flag: 'wx' });
  }
  return ok({ command: 'init', answer: { template, folder: shown, files: names } });
};

/** For editors: the schema that belongs to this very version. */
function schemaPath(folder: string): string {
  const schema = fileURLToPath(new URL('../../../schema/pawl.schema.json', import.meta.url));
  return relative(folder, schema).split('\\').join('/');
}
