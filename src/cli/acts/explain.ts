import { fail, ok } from '../../base/result.ts';
import type { Act } from '../act.ts';
import { flagOption } from '../call.ts';

export const act: Act = async (call, face) => {
  const [word] = call.arguments;
  if (word === 'exit-codes') {
    const { exitCodeLines } = await import('../../text/help/exit-code-help.ts');
    return ok({ command: 'explain', answer: { exitCodes: exitCodeLines() } });
  }
  const { explainReason, listReasons, reasonNames } = await import('../../text/explain/find.ts');
  if (word === undefined) {
    const list = listReasons();
    const isWhole = face.json || flagOption(call, 'all');
    return ok({ command: 'explain', answer: isWhole ? { kinds: list } : { overview: list } });
  }
  const answer = explainReason(word);
  if (answer !== undefined) return ok({ command: 'explain', answer });
  const { nearest } = await import('../../engine/show/nearest.ts');
  const names = reasonNames();
  const typed = nearest(word, names);
  // Whoever remembers only a part of it has not mistyped anything.
  const near = typed.length > 0 ? typed : names.filter((name) => name.includes(word)).slice(0, nearMax);
  return fail({ reason: 'unknown-reason', name: word, near });
};

const nearMax = 5;
