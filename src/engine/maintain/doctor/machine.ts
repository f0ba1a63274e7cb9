import { accessSync, constants, readFileSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { packageRoot } from '../../../base/program.ts';
import { checkImage } from '../../../checks/image.ts';

/** What only the machine can say, besides its disk; tests pass their own. Looking only. */
export interface Machine {
  /** `20.19.0` */
  readonly nodeVersion: string;
  /** What the package says of itself; undefined inside a bundle of somebody else's. */
  readonly program: { readonly version: string; readonly nodeNeeded: string } | undefined;
  readonly variables: NodeJS.ProcessEnv;
  /** The system's folder for files that nobody keeps. */
  readonly tempFolder: string;
  /** The table of mounts, as Linux has it; undefined elsewhere. */
  mounts(): string | undefined;
  /** What this user may still write where the path lies. */
  freeBytes(path: string): number | undefined;
  /** Tells one file system from another. */
  deviceOf(path: string): number | undefined;
  /** Why this user may not write into a folder, as a code of the system; undefined: it may. */
  writeTrouble(folder: string): string | undefined;
  /** Why no picture but a PNG can be checked; undefined: every one can. */
  pictureTrouble(): Promise<string | undefined>;
}

export function systemMachine(variables: NodeJS.ProcessEnv): Machine {
  return {
    nodeVersion: process.versions.node,
    program: readProgram(),
    variables,
    tempFolder: tmpdir(),
    mounts: () => ifPossible(() => readFileSync('/proc/mounts', 'utf8')),
    freeBytes: (path) =>
      ifPossible(() => {
        const { bavail, bsize } = statfsSync(path);
        return bavail * bsize;
      }),
    deviceOf: (path) => ifPossible(() => statSync(path).dev),
    writeTrouble: (folder) => {
      try {
        accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
        return undefined;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'EIO';
      }
    },
    pictureTrouble: async () => {
      const checked = await checkImage(smallestGif);
      // Whatever it says of this picture: it was there to say so.
      return !checked.passed && checked.unable ? checked.detail : undefined;
    },
  };
}

function readProgram(): Machine['program'] {
  return ifPossible(() => {
    const text = readFileSync(`${packageRoot}package.json`, 'utf8');
    const { name, version, engines } = JSON.parse(text) as {
      readonly name?: unknown;
      readonly version?: unknown;
      readonly engines?: { readonly node?: unknown };
    };
    const nodeNeeded = engines?.node;
    if (name !== 'pawl' || typeof version !== 'string' || typeof nodeNeeded !== 'string') return undefined;
    return { version, nodeNeeded };
  });
}

/** What a system does not have, or does not tell, is no trouble: it is only not known. */
function ifPossible<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

const smallestGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
