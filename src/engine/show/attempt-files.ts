import { attemptFolder } from '../../runner/context.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import type { LoggedAttempt, LoggedFile } from '../observe/logs-answer.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';

/** How much is read of an attempt's files. */
export interface FileChoice {
  /** Also what the attempt was started with: prompt, request, context. */
  readonly all?: boolean | undefined;
  /** Only so many lines from the end of each. */
  readonly tail?: number | undefined;
}

/** What each file of an attempt's folder is. Any other name was chosen by the phase, and is context. */
const kinds: ReadonlyMap<string, LoggedFile['kind']> = new Map([
  ['stdout.log', 'output'],
  ['stderr.log', 'error'],
  ['response.txt', 'answer'],
]);

function kindOf(name: string): LoggedFile['kind'] {
  return kinds.get(name) ?? 'context';
}

/** The attempt with the text files that it left. */
export function withFiles(
  { env, root, loaded }: Workspace,
  opened: Pick<OpenedRun, 'folder'>,
  at: { readonly unit: string; readonly phase: string },
  attempt: LoggedAttempt,
  choice: FileChoice,
): LoggedAttempt {
  const folder = attemptFolder(opened, at.unit, at.phase, attempt.attempt);
  const names = env.disk.list(`${root}/${folder}`);
  if (names === undefined) return attempt;
  const { redact } = shownRedactor({ env, loaded });
  const files: LoggedFile[] = [];
  const otherFiles: string[] = [];
  for (const name of names) {
    const path = `${root}/${folder}/${name}`;
    const stat = env.disk.stat(path);
    if (stat?.kind !== 'file') continue;
    const kind = kindOf(name);
    if (kind === 'context' && choice.all !== true) {
      otherFiles.push(name);
      continue;
    }
    const from = Math.max(0, stat.size - shownBytesMax - overlapBytes);
    const bytes = env.disk.readRange(path, from, stat.size - from);
    if (bytes === undefined) continue;
    // Redacted before it is cut, so that no half of a secret is left at the beginning.
    const text = redact(new TextDecoder().decode(bytes));
    files.push({ name, kind, ...endOf(text, from > 0, choice.tail) });
  }
  return { ...attempt, folder, files, ...(otherFiles.length > 0 && { otherFiles }) };
}

const shownBytesMax = 64 * 1024;
const overlapBytes = 8 * 1024;

function endOf(text: string, isPart: boolean, lines: number | undefined): Pick<LoggedFile, 'text' | 'cut'> {
  const end = text.length > shownBytesMax ? text.slice(-shownBytesMax) : text;
  if (lines === undefined) return { text: end, cut: isPart || end.length < text.length };
  const all = end.split('\n');
  // What stands behind the last line end is no line.
  const count = all.at(-1) === '' ? lines + 1 : lines;
  const shown = lines === 0 ? '' : all.slice(-count).join('\n');
  return { text: shown, cut: isPart || shown.length < text.length };
}
