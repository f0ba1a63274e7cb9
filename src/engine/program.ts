import { readFileSync, statSync } from 'node:fs';

/**
 * Names the program that decides: its version, and when it was built, for while it is worked on the version stays.
 * Undefined where that cannot be told, as inside a bundle.
 */
export function programName(): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? `${version} ${statSync(ownFile).mtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}

const packageFile = new URL('../../package.json', import.meta.url);
const ownFile = new URL(import.meta.url);
