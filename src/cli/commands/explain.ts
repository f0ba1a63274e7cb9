import { fail, ok } from '../../base/result.ts';
import type { ExplainAnswer } from '../../text/catalogue/kinds.ts';
import { flagOption } from '../call.ts';
import { type Command, type Outcome, present } from '../command.ts';

export const explainCommand: Command = {
  name: 'explain',
  group: 'look',
  summary: 'say what a word, reason, status or event means, and what can be done about it',
  arguments: [
    { name: '[word]', summary: 'a word that Pawl has said: cell, output-edited; default: which there are' },
  ],
  options: [{ flags: '--all', summary: 'without a word: list all of them, by kind' }],
  examples: [
    { line: 'pawl explain cell', summary: 'what the word means' },
    { line: 'pawl explain guard', summary: 'the same, and every guard that there is' },
  ],
  async perform(call, face) {
    const [word] = call.arguments;
    if (word === 'exit-codes') {
      const { exitCodeLines } = await import('../../text/help/exit-code-help.ts');
      return presentMeaning({ exitCodes: exitCodeLines() });
    }
    const { explainReason, listReasons, reasonNames } = await import('../../text/catalogue/find.ts');
    if (word === undefined) {
      const list = listReasons();
      const isWhole = face.json || flagOption(call, 'all');
      return presentMeaning(isWhole ? { kinds: list } : { overview: list });
    }
    const answer = explainReason(word);
    if (answer !== undefined) return presentMeaning(answer);
    const { nearest } = await import('../../engine/show/nearest.ts');
    const names = reasonNames();
    const typed = nearest(word, names);
    // A word that is close to no name may be a part of some.
    const near = typed.length > 0 ? typed : names.filter((name) => name.includes(word)).slice(0, nearMax);
    return fail({ reason: 'unknown-reason', name: word, near });
  },
};

function presentMeaning(answer: ExplainAnswer): Outcome {
  return present('explain', ok(answer), {
    loadText: async () => (await import('../../text/explain.ts')).explainText,
  });
}

const nearMax = 5;
