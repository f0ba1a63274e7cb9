import { unreachable } from '../base/result.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import type { Check } from '../model/definition.ts';
import { checkCommand } from './checks/command.ts';
import { checkJson } from './checks/json.ts';
import { checkJsonSchema } from './checks/json-schema.ts';
import { checkNonEmpty } from './checks/non-empty.ts';
import { type CheckOutcome, failed } from './checks/outcome.ts';
import { checkRegex } from './checks/regex.ts';

export type { CheckOutcome } from './checks/outcome.ts';

export interface CheckContext {
  readonly disk: Disk;
  /** The output, absolute: what `{file}` stands for, and what is read when its bytes are not at hand. */
  readonly file: string;
  /** Where a command is run, and all it sees of the environment. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a command. */
  readonly timeoutMs?: number;
  /** For what is computed here with a pattern of the user's. */
  readonly patternTimeoutMs?: number;
  /** Ends a command early; the check has failed then, and the caller knows why. */
  readonly signal?: AbortSignal;
  /** Told the process, which leads a group of its own, as soon as there is one. */
  readonly onProcess?: (pid: number) => void;
}

/** Judges one output. `bytes` may be left out for one that is too large to be held: it is read if it must be. */
export async function runCheck(
  check: Check,
  bytes: Uint8Array | undefined,
  context: CheckContext,
): Promise<CheckOutcome> {
  if (check.kind === 'command') {
    return checkCommand(check.argv, { ...context, timeoutMs: context.timeoutMs ?? commandTimeoutMs });
  }
  const content = bytes ?? readContent(context);
  if (!(content instanceof Uint8Array)) return content;
  const patternMs = context.patternTimeoutMs ?? patternTimeoutMs;
  switch (check.kind) {
    case 'non-empty':
      return checkNonEmpty(content);
    case 'json':
      return checkJson(content);
    case 'json-schema':
      return checkJsonSchema(check.schema, content, patternMs);
    case 'regex':
      return checkRegex(check.pattern, check.flags, content, patternMs);
    default:
      return unreachable(check);
  }
}

const commandTimeoutMs = 60_000;
const patternTimeoutMs = 1_000;
/** One string cannot be much larger, and whoever declares a larger output has a command to judge it. */
const contentBytesMax = 256 * 1024 * 1024;

function readContent({ disk, file }: CheckContext): Uint8Array | CheckOutcome {
  try {
    return disk.read(file, contentBytesMax) ?? failed('file-missing');
  } catch (error) {
    if (error instanceof DiskError) return failed(error.code === 'EFBIG' ? 'too-large-to-check' : error.code);
    throw error;
  }
}
