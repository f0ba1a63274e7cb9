import type {
  CheckFunction,
  JsonValue,
  ModelFunction,
  PhaseFunction,
  PhaseTask,
  TaskFile,
  UnitFile,
} from '../../src/index.ts';
import { type Equal, holds } from './equal.ts';

/* Compiled and never run: what functions of a workspace are given, and what they may answer. */

export const draft: PhaseFunction = async (task) => {
  holds<Equal<typeof task, PhaseTask>>();
  holds<Equal<typeof task.unit.id, string>>();
  // An input may be left out, and a name may be none of them.
  holds<Equal<typeof task.inputs.prose, TaskFile | undefined>>();
  // @ts-expect-error: it may not be there
  task.inputs.prose.text();
  holds<Equal<typeof task.every.reports, readonly UnitFile[] | undefined>>();
  holds<Equal<typeof task.mode, 'fresh' | 'continue'>>();
  holds<Equal<typeof task.signal, AbortSignal>>();
  // @ts-expect-error: what an attempt is given is as it was recorded
  task.attempt = 2;
  task.cost({ usd: 0.1, outputTokens: 5 });
  // @ts-expect-error: a cost has an amount
  task.cost(0.1);
  const state: JsonValue = task.state?.json() ?? null;
  const [said] = task.feedback;
  if (said?.kind === 'rejection') task.revise('architect', said.text);
  return { text: task.prompt?.text ?? '', bytes: new Uint8Array(), state, list: [1, 'two', null] };
};

// @ts-expect-error: outputs have names
export const bare: PhaseFunction = () => 'text';
// @ts-expect-error: a date is nothing that JSON knows
export const dated: PhaseFunction = () => ({ at: new Date() });

export const answers: ModelFunction = ({ prompt, system, schema }) =>
  schema === undefined ? `${system ?? ''}${prompt}` : { text: '{}', usage: { inputTokens: 3 } };

export const streams: ModelFunction = async function* ({ turns, signal }) {
  for (const { text } of turns) if (!signal.aborted) yield text;
};

// @ts-expect-error: an answer is a text
export const counts: ModelFunction = () => 42;
// @ts-expect-error: what it costs is known from its prices, not from what it says
export const billed: ModelFunction = () => ({ text: '', usage: { usd: 1 } });

export const checks: CheckFunction = (file) => {
  holds<Equal<ReturnType<typeof file.text>, string>>();
  return true;
};
