import { byCodeUnit } from '../../base/json.ts';
import { takeStartFolder } from '../../base/start-folder.ts';
import type { CandidateKind } from '../../engine/show/candidates.ts';
import type { CommandIo } from '../command-io.ts';
import { askedKinds } from '../completion/values.ts';

/*
 * `pawl __complete KIND PREFIX [-C PATH] [--run ID]`: what the scripts of `pawl completion` ask while somebody types. It
 * is in no help and no table. Whatever goes wrong, it says nothing and ends with 0: a shell would print it into the line
 * that is being typed.
 */

/** One word a line. Behind the beginning of many words come a tab and `...`. */
export async function completeWords(words: readonly string[], io: CommandIo): Promise<void> {
  io.stdout.off('error', ignore).on('error', ignore);
  const lines = await linesFor(words, io).catch(() => []);
  if (lines.length > 0) io.stdout.write(`${lines.join('\n')}\n`);
  io.exitCode = 0;
}

async function linesFor([kind, prefix = '', ...rest]: readonly string[], io: CommandIo): Promise<string[]> {
  const known = askedKinds.find((candidate) => candidate === kind);
  if (known === undefined) return [];
  if (known === 'reason') {
    const { reasonNames } = await import('../../text/explain/find.ts');
    return reasonNames()
      .filter((name) => name.startsWith(prefix))
      .sort(byCodeUnit);
  }
  return await candidateLines(io, known, prefix, rest);
}

async function candidateLines(
  io: CommandIo,
  kind: CandidateKind,
  prefix: string,
  rest: readonly string[],
): Promise<string[]> {
  const { findCandidates } = await import('../../engine/show/candidates.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const target = { path: takeStartFolder(rest).folder, run: lastBehind(rest, '--run') };
  const found = await findCandidates(systemEnvironment(io), { kind, prefix, ...target });
  return found.map(({ word, isBeginning }) => (isBeginning ? `${word}\t...` : word));
}

/** As a parser takes it: of several, the last one counts. */
function lastBehind(words: readonly string[], option: string): string | undefined {
  const at = words.lastIndexOf(option);
  return at === -1 ? undefined : words[at + 1];
}

/** A shell that is no longer interested closes the pipe. */
function ignore(): void {}
