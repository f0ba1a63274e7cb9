import { isJsonObject, type JsonValue, parseJson } from '../../../base/json.ts';
import { runFile } from '../../../model/run-folder.ts';
import { secretShapeIn } from '../../../model/secrets.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import { type DoctorFinding, warning } from './finding.ts';
import type { Site } from './ground.ts';

/** Keys that earlier versions wrote into lock files, because only their names were looked at. */
export function checkSecrets({ env, root }: Site, runs: readonly OpenedRun[]): DoctorFinding[] {
  return runs.flatMap(({ folder }) => {
    const path = runFile(folder, 'manifest.lock.json');
    const isFile = env.disk.stat(`${root}/${path}`)?.kind === 'file';
    const bytes = isFile ? env.disk.read(`${root}/${path}`, lockBytesMax) : undefined;
    const lock = bytes && parseJson(new TextDecoder().decode(bytes));
    const manifest = isJsonObject(lock) ? lock.manifest : undefined;
    return manifest === undefined
      ? []
      : secretsIn(manifest).map(({ key, found }) => warning('literal-secret', { path, key, found }));
  });
}

const lockBytesMax = 4 * 1024 * 1024;

function secretsIn(value: JsonValue, key = ''): { readonly key: string; readonly found: string }[] {
  if (typeof value === 'string') {
    const found = secretShapeIn(value);
    return found === undefined ? [] : [{ key, found }];
  }
  if (Array.isArray(value)) return value.flatMap((item: JsonValue, nth) => secretsIn(item, `${key}[${nth}]`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    secretsIn(item, key === '' ? name : `${key}.${name}`),
  );
}
