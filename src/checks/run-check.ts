import { dirname } from 'node:path';
import type { CallProcess } from '../base/call-process.ts';
import { unreachable } from '../base/result.ts';
import { copyTo } from '../disk/copy-file.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import { removeLeftover } from '../disk/remove.ts';
import { newTempName, replaceFileNow } from '../disk/write.ts';
import type { OutputCheck, Unit } from '../model/definition.ts';
import { checkCommand } from './command.ts';
import { checkFunction } from './function.ts';
import { checkImage } from './image.ts';
import { checkJson } from './json.ts';
import { checkMarkdownTable } from './markdown-table.ts';
import { checkNonEmpty } from './non-empty.ts';
import { type CheckOutcome, failed } from './outcome.ts';
import { checkPng } from './png.ts';
import { checkRegex } from './regex.ts';

export type { CheckedFile, CheckFunction } from './function.ts';
export type { CheckOutcome } from './outcome.ts';

export interface CheckContext {
  readonly disk: Disk;
  /** The output, absolute: what `{file}` stands for, and what is read when its bytes are not at hand. */
  readonly file: string;
  /** For a command or a function: where it gets a copy of the file. Left out where only built-in checks are asked. */
  readonly scratch?: ScratchCopy;
  /** Where a command is run, and all it sees of the environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whose output it is: for a function. */
  readonly unit?: Unit;
  /** For a function. */
  readonly importModule?: CallProcess['importModule'];
  /** For a command or a function. */
  readonly timeoutMs?: number;
  /** For what is computed here with a pattern of the user's. */
  readonly patternTimeoutMs?: number;
  /** Ends a command early, or the wait for a function; the check has failed then, and the caller knows why. */
  readonly signal?: AbortSignal;
  /** Told the process, which leads a group of its own, as soon as there is one. */
  readonly onProcess?: (pid: number) => void;
}

/** What code of the user's is shown in place of the file. */
export interface ScratchCopy {
  /** Absolute; a folder for each check is made in it, and removed with everything that the check has left there. */
  readonly below: string;
  /** The copy's name: compilers and linters go by its ending. */
  readonly name: string;
}

/** Judges one output. `bytes` may be left out for one that is too large to be held: it is read if it must be. */
export async function runCheck(
  check: OutputCheck,
  bytes: Uint8Array | undefined,
  context: CheckContext,
): Promise<CheckOutcome> {
  if (check.kind === 'command' || check.kind === 'function') return runUserCheck(check, bytes, context);
  const content = bytes ?? readContent(context);
  if (!(content instanceof Uint8Array)) return content;
  const patternMs = context.patternTimeoutMs ?? patternTimeoutMs;
  switch (check.kind) {
    case 'non-empty':
      return checkNonEmpty(content);
    case 'json':
      return checkJson(content);
    case 'json-schema':
      // The validator is loaded only where a schema is declared.
      return (await import('./json-schema.ts')).checkJsonSchema(check.schema, content, patternMs);
    case 'regex':
      return checkRegex(check.pattern, check.flags, content, patternMs);
    case 'png':
      return checkPng(content, check);
    case 'image':
      return checkImage(content);
    case 'markdown-table':
      return checkMarkdownTable(check.table, content);
    default:
      return unreachable(check);
  }
}

/**
 * Shows code of the user's a copy, alone in a folder: a compiler may write beside its input, and a formatter that changes
 * the file changes nothing that is about to be recorded. A hard link would be cheaper for large files, and would share
 * every such change.
 */
async function runUserCheck(
  check: OutputCheck & { kind: 'command' | 'function' },
  bytes: Uint8Array | undefined,
  context: CheckContext,
): Promise<CheckOutcome> {
  const { disk, scratch, unit } = context;
  if (scratch === undefined) throw new Error(`a check ${check.kind} is asked without a scratch folder`);
  const folder = `${scratch.below}/${newTempName()}`;
  const file = `${folder}/${scratch.name}`;
  try {
    const trouble = await copyOut(disk, bytes, context.file, file);
    if (trouble !== undefined) return failed(trouble);
    const timeoutMs = context.timeoutMs ?? userCodeTimeoutMs;
    if (check.kind === 'command') return await checkCommand(check.argv, { ...context, file, timeoutMs });
    const { importModule } = context;
    if (unit === undefined) throw new Error('a check function is asked without a unit');
    if (importModule === undefined) throw new Error('a check function is asked without its modules');
    const read = () => copyContent(bytes, context);
    return await checkFunction(check, { ...context, file, unit, importModule, timeoutMs, read });
  } finally {
    removeLeftover(disk, folder);
  }
}

/** Gives back why the file cannot be read. Where the copy cannot be written the disk is in trouble, and this throws. */
async function copyOut(
  disk: Disk,
  bytes: Uint8Array | undefined,
  from: string,
  to: string,
): Promise<string | undefined> {
  if (bytes !== undefined) {
    disk.makeFolder(dirname(to));
    replaceFileNow(
      disk,
      to,
      bytes,
      undefined,
      disk.stat(from)?.executable ? 'private-executable' : 'private',
    );
    return undefined;
  }
  try {
    return (await copyTo(disk, from, to)) ? undefined : 'file-missing';
  } catch (error) {
    if (error instanceof DiskError && error.path === from) return error.code;
    throw error;
  }
}

/** Asking it does what a program or a function of the user's does, and not only what we do. */
export function runsUserCode({ kind }: OutputCheck): boolean {
  switch (kind) {
    case 'command':
    case 'function':
      return true;
    case 'non-empty':
    case 'json':
    case 'json-schema':
    case 'regex':
    case 'png':
    case 'image':
    case 'markdown-table':
      return false;
    default:
      return unreachable(kind);
  }
}

const userCodeTimeoutMs = 60_000;
const patternTimeoutMs = 1_000;
/** One string cannot be much larger; a larger output can be judged by a command. */
const contentBytesMax = 256 * 1024 * 1024;

/** The bytes are kept after the check, so a user's function gets a copy that it may change. */
function copyContent(bytes: Uint8Array | undefined, context: CheckContext): Uint8Array {
  if (bytes !== undefined) return new Uint8Array(bytes);
  const content = readContent(context);
  if (content instanceof Uint8Array) return content;
  throw new Error(content.passed ? '' : content.detail);
}

function readContent({ disk, file }: CheckContext): Uint8Array | CheckOutcome {
  try {
    return disk.read(file, contentBytesMax) ?? failed('file-missing');
  } catch (error) {
    if (error instanceof DiskError) return failed(error.code === 'EFBIG' ? 'too-large-to-check' : error.code);
    throw error;
  }
}
