import type { Readable, Writable } from 'node:stream';
import { fail, ok, type Result } from '../base/result.ts';
import type { BroughtBackAnswer } from '../engine/people/undo/answers.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import { type Call, flagOption } from './call.ts';
import type { Face } from './face.ts';

/** Asks a person before something that cannot be undone. Without a terminal it takes `--yes`. */
export async function confirm(
  call: Call,
  face: Face,
  question: string,
): Promise<Result<undefined, CallProblem>> {
  if (flagOption(call, 'yes')) return ok(undefined);
  if (!face.canAsk) return fail({ reason: 'needs-yes', command: call.command });
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue: false, ...questionStreams(face) });
  return answer === true ? ok(undefined) : fail({ reason: 'declined', command: call.command });
}

/** Shows a person what an undo or restore would change, before the question. */
export async function showPreview(face: Face, preview: BroughtBackAnswer): Promise<void> {
  if (!face.canAsk) return;
  const { previewLines } = await import('../text/undo.ts');
  face.err(previewLines(preview, face.errStyle).join('\n'));
}

/** Questions go to stderr, because stdout may be a file. */
export function questionStreams({ io }: Face): { readonly input: Readable; readonly output: Writable } {
  return { input: io.stdin, output: io.stderr };
}
