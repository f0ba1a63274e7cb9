import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Names the program that decides: its version, and when it was built, for while it is worked on the version stays.
 * Undefined where that cannot be told, as inside a bundle of somebody else's.
 */
export function programName(): string | undefined {
  const version = programVersion();
  try {
    return version && `${version} ${statSync(builtFile).mtimeMs}`;
  } catch {
    return undefined;
  }
}

/** `0.4.0`, as the package says. Undefined inside a bundle of another program. */
export function programVersion(): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Ends with a slash. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url));

const packageFile = `${packageRoot}package.json`;
/** The library and the command are built at once, and are one program: what one has remembered the other may believe. */
const builtFile = `${packageRoot}dist/index.js`;
