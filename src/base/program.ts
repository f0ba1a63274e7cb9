import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

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
