import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ProviderApi } from '../../model/definition.ts';

/** The packages that speak with a provider; they are optional, and found when they are needed. */
export const packagesOf: Readonly<Record<Exclude<ProviderApi['kind'], 'function'>, readonly Package[]>> = {
  anthropic: [pack('ai', 6), pack('@ai-sdk/anthropic', 3)],
  openai: [pack('ai', 6), pack('@ai-sdk/openai', 3)],
  google: [pack('ai', 6), pack('@ai-sdk/google', 3)],
  'openai-compatible': [pack('ai', 6), pack('@ai-sdk/openai-compatible', 2)],
};

export interface Package {
  readonly name: string;
  /** The version that this program is written for. */
  readonly major: number;
  /** The oldest minor version that has all that is used; undefined: any. */
  readonly minor?: number;
}

function pack(name: string, major: number): Package {
  return { name, major };
}

/** As one would install it. */
export function packageSpec({ name, major, minor }: Package): string {
  return minor === undefined ? `${name}@${major}` : `${name}@${major}.${minor}`;
}

/** Where a package lies: what the workspace has goes first, then what is installed beside this program. */
export function findPackage(root: string, wanted: Package): string | undefined {
  for (const from of [join(root, 'package.json'), import.meta.url]) {
    const found = resolveFrom(from, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolveFrom(from: string, { name, major, minor = 0 }: Package): string | undefined {
  const require = createRequire(from);
  // Read by its path, because a package may not export its `package.json`.
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const { version } = require(join(folder, name, 'package.json')) as { version: string };
      const isNewEnough = version.startsWith(`${major}.`) && Number(version.split('.')[1]) >= minor;
      return isNewEnough ? require.resolve(name) : undefined;
    } catch {
      // Not in this folder, or broken: the next one up.
    }
  }
  return undefined;
}

/** Loads what `findPackage` has found. */
export function loadPackage(path: string): unknown {
  return createRequire(path)(path);
}
