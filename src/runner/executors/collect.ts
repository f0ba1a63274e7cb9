import { dirname, join, relative, sep } from 'node:path';
import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import type { OutputSpec } from '../../model/definition.ts';
import type { AttemptFailure, AttemptFailureReason } from '../../model/failure.ts';
import type { ContentStore } from '../../store/content.ts';
import { type Runnable, runnableOf } from '../staging.ts';
import type { Made, MadeOutput } from './assignment.ts';
import type { ExecutorContent, ExecutorHost } from './host.ts';

/** An output that a command had to write. */
export interface ExpectedOutput {
  readonly name: string;
  /** Relative to the attempt's folder. */
  readonly file: string;
  /** It need not be there. */
  readonly optional?: boolean;
}

/** What was found. A small file is handed over; a large one is in the store already, as of the next flush. */
export type CollectedOutput = { readonly name: string; readonly path: string } & Runnable &
  (
    | { readonly kind: 'held'; readonly bytes: Uint8Array }
    | { readonly kind: 'stored'; readonly hash: Hash; readonly size: number }
  );

export interface CollectOptions {
  readonly sizeBytesMax?: number;
  /** Files up to this size are read whole. */
  readonly heldBytesMax?: number;
}

/**
 * Takes the declared outputs out of an attempt's folder, in order, and stops at the first bad one. An
 * optional one that is not there is undefined.
 */
export async function collectOutputs(
  disk: Disk,
  store: Pick<ContentStore, 'putFile'>,
  folder: string,
  expected: readonly ExpectedOutput[],
  options: CollectOptions = {},
): Promise<Result<(CollectedOutput | undefined)[], AttemptFailure>> {
  const limits = {
    sizeBytesMax: options.sizeBytesMax ?? sizeBytesMax,
    heldBytesMax: options.heldBytesMax ?? heldBytesMax,
  };
  const collected: (CollectedOutput | undefined)[] = [];
  for (const output of expected) {
    if (output.optional && disk.stat(join(folder, output.file)) === undefined) {
      collected.push(undefined);
      continue;
    }
    const one = await collectOne(disk, store, folder, output, limits);
    if (!one.ok) return one;
    collected.push(one.value);
  }
  return ok(collected);
}

const sizeBytesMax = 2 * 1024 * 1024 * 1024;
const heldBytesMax = 8 * 1024 * 1024;

async function collectOne(
  disk: Disk,
  store: Pick<ContentStore, 'putFile'>,
  folder: string,
  output: ExpectedOutput,
  limits: Required<CollectOptions>,
): Promise<Result<CollectedOutput, AttemptFailure>> {
  const { name } = output;
  const path = join(folder, output.file);
  const refuse = (reason: AttemptFailureReason, facts: Record<string, number> = {}) =>
    fail({ reason, message: '', facts: { output: name, path: output.file, ...facts } });

  const stat = disk.stat(path);
  if (stat === undefined) return refuse('output-missing');
  if (stat.kind !== 'file') return refuse('output-not-a-file');
  if (!isReallyInside(disk, folder, path)) return refuse('output-outside');
  if (stat.size > limits.sizeBytesMax) {
    return refuse('output-too-large', { size: stat.size, limit: limits.sizeBytesMax });
  }
  const about = { name, path, ...runnableOf(stat) };
  try {
    if (stat.size > limits.heldBytesMax) {
      const stored = await store.putFile(path, limits.sizeBytesMax);
      return stored === undefined ? refuse('output-missing') : ok({ kind: 'stored', ...about, ...stored });
    }
    const bytes = disk.read(path, limits.heldBytesMax);
    return bytes === undefined ? refuse('output-missing') : ok({ kind: 'held', ...about, bytes });
  } catch (error) {
    // It has grown since its size was read: a process is still writing to it.
    if (error instanceof DiskError && error.path === path && error.code === 'EFBIG')
      return refuse('output-too-large', { limit: limits.sizeBytesMax });
    if (isUnreadable(error) && error instanceof DiskError && error.path === path) {
      return refuse('output-not-a-file');
    }
    throw error;
  }
}

/** The command may have put a link in the place of a folder on the way. */
function isReallyInside(disk: Disk, folder: string, path: string): boolean {
  const realFolder = disk.realpath(folder);
  const realParent = disk.realpath(dirname(path));
  if (realFolder === undefined || realParent === undefined) return false;
  return relative(realFolder, realParent).split(sep)[0] !== '..';
}

/** Puts declared outputs, files by output name in a folder of the scratch folder, into the content store. */
export async function putFiles(
  { disk, content, scratch }: Pick<ExecutorHost, 'disk' | 'content' | 'scratch'>,
  folder: string,
  specs: readonly OutputSpec[],
): Promise<Result<Made, AttemptFailure>> {
  const collected = await collectOutputs(
    disk,
    content,
    `${scratch}/${folder}`,
    specs.map(({ name, optional }) => ({ name, file: name, optional })),
  );
  if (!collected.ok) return collected;
  const outputs: Record<string, MadeOutput> = {};
  for (const found of collected.value) {
    if (found === undefined) continue;
    const { name } = found;
    outputs[name] =
      found.kind === 'held'
        ? { hash: content.put(found.bytes), ...runnableOf(found) }
        : { hash: found.hash, file: `${folder}/${name}`, ...runnableOf(found) };
  }
  return ok({ outputs });
}

/** Puts declared outputs that are in memory into the content store. What is not declared is left out. */
export function putValues(
  content: ExecutorContent,
  specs: readonly OutputSpec[],
  values: Readonly<Record<string, Uint8Array>>,
): Result<Made['outputs'], AttemptFailure> {
  const outputs: Record<string, Made['outputs'][string]> = {};
  for (const { name, optional } of specs) {
    const bytes = values[name];
    if (bytes !== undefined) outputs[name] = { hash: content.put(bytes) };
    else if (!optional) {
      const returned = Object.keys(values).join(', ');
      return fail({ reason: 'output-missing', message: '', facts: { output: name, returned } });
    }
  }
  return ok(outputs);
}
