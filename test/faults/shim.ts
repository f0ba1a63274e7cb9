import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../support/temp.ts';

/** What `shim.c` can do at the n-th call; its head says what each means. */
export type Fault = (typeof killing)[number] | (typeof failing)[number] | 'short';

/** Faults that end the process. */
export const killing = ['kill-before', 'kill-after', 'tear'] as const;
/** Faults that the process is told of. */
export const failing = [
  'ENOSPC',
  'EIO',
  'EMFILE',
  'EDQUOT',
  'ESTALE',
  'ENOLCK',
  'EXDEV',
  'full',
  'dead',
] as const;

/** A call that `shim.c` has counted. */
export interface Call {
  readonly number: number;
  readonly operation: 'create' | 'open' | 'write' | 'sync' | 'rename' | 'link' | 'mkdir' | 'remove';
  readonly path: string;
}

export interface ShimOptions {
  /** Only calls below this folder count. */
  readonly root: string;
  /** Where the calls are written down. */
  readonly log: string;
  /** The number of the call that goes wrong, or how its path ends. */
  readonly at?: number | string;
  readonly fault?: Fault;
  /** Opening something for reading counts too. */
  readonly reads?: boolean;
}

/** The built library; undefined where there is none, which has been said then. */
export const shim: string | undefined = build();

/** The environment that puts the library between a program and its disk. */
export function shimEnvironment({ root, log, at, fault, reads }: ShimOptions): Record<string, string> {
  return {
    LD_PRELOAD: shim ?? '',
    PAWL_FAULT_ROOT: root,
    PAWL_FAULT_LOG: log,
    ...(typeof at === 'number' && { PAWL_FAULT_AT: String(at) }),
    ...(typeof at === 'string' && { PAWL_FAULT_PATH: at }),
    ...(fault !== undefined && { PAWL_FAULT: fault }),
    ...(reads === true && { PAWL_FAULT_READS: '1' }),
    // The kernel would do these calls behind the library's back.
    UV_USE_IO_URING: '0',
    // Syncs that are under way at once would come in another order each time.
    UV_THREADPOOL_SIZE: '1',
  };
}

/** What a shim wrote down. */
export function readCalls(text: string): Call[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [number, operation, ...path] = line.split(' ');
    return { number: Number(number), operation: operation as Call['operation'], path: path.join(' ') };
  });
}

function build(): string | undefined {
  if (process.platform !== 'linux') return notHere('it needs LD_PRELOAD as Linux has it');
  const library = join(tempFolder(), 'shim.so');
  const source = join(dirname(fileURLToPath(import.meta.url)), 'shim.c');
  const { status, stderr, error } = spawnSync(
    'cc',
    ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror', '-o', library, source],
    { encoding: 'utf8' },
  );
  if (error !== undefined) return notHere(`there is no C compiler (cc: ${error.message})`);
  if (status !== 0) throw new Error(`shim.c does not compile:\n${stderr}`);
  return library;
}

function notHere(why: string): undefined {
  process.stderr.write(`test/faults: faults at the n-th call are not tested here: ${why}\n`);
}
