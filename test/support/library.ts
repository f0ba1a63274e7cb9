import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './workspace.ts';

/** The library as its users get it: what the build has made of `src/index.ts`. */
export async function library(): Promise<typeof import('../../src/index.ts')> {
  return await import(pathToFileURL(join(projectRoot, 'dist/index.js')).href);
}
