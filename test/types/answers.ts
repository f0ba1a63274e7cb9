import {
  type AgentTrouble,
  type ArtifactTrouble,
  answerCheckpoint,
  artifact,
  type Cost,
  drawGraph,
  type Environment,
  endOf,
  explain,
  explainReason,
  type Failure,
  type GraphAnswer,
  graph,
  type Meaning,
  next,
  type PlanAnswer,
  plan,
  planAgent,
  type Result,
  type RunAnswer,
  type RunEnd,
  report,
  run,
  systemEnvironment,
  type WhyAnswer,
  why,
} from '../../src/index.ts';
import { type Equal, holds } from './equal.ts';

/* Compiled and never run: every answer is `{ ok: true, value }` or `{ ok: false, failure }`, and says which. */

export async function runs(env: Environment): Promise<RunEnd | undefined> {
  const answer = await run({ path: '.', rerunFrom: 'lint', reason: 'a new lint' }, env);
  holds<Equal<typeof answer, Result<RunAnswer, Failure>>>();
  // @ts-expect-error: there may be none
  answer.value;
  // @ts-expect-error: nor has it failed for certain
  answer.failure;
  if (answer.ok) {
    holds<Equal<typeof answer.value.kind, 'new' | 'resumed' | 'unchanged'>>();
    return endOf(answer.value);
  }
  const { failure } = answer;
  // A failure is told apart by its reason, and then has its own facts.
  if (failure.reason === 'which-run') return void failure.candidates.map(({ id }) => id);
  // @ts-expect-error: those of another reason are not there
  failure.candidates;
  // @ts-expect-error: there is no such reason
  if (failure.reason === 'out-of-ink') return undefined;
  console.error(explain(failure).message, explain(failure).next.join('\n'));
  process.exitCode = explain(failure).exitCode;
  return undefined;
}

export async function looks(): Promise<void> {
  const planned = await plan();
  holds<Equal<typeof planned, Result<PlanAnswer, Failure>>>();
  const asked = await why({ cell: 'a/draft' });
  holds<Equal<typeof asked, Result<WhyAnswer, Failure>>>();
  if (!asked.ok) return;
  const { verdict } = asked.value;
  if (verdict.do === 'run') holds<Equal<typeof verdict.why.code extends string ? true : false, true>>();
  // @ts-expect-error: only what is reused has a result
  if (verdict.do === 'skip') verdict.result;
  const page = await report();
  holds<Equal<typeof page, Result<string, Failure>>>();
  const drawn = await graph();
  if (drawn.ok) holds<Equal<typeof drawn.value, GraphAnswer>>();
  // @ts-expect-error: there is no such picture
  if (drawn.ok) drawGraph(drawn.value, 'png');
  const meanings = await explainReason('output-edited');
  holds<Equal<typeof meanings, readonly Meaning[]>>();
}

export async function other(): Promise<void> {
  const read = await artifact({ unit: 'a', output: 'text' });
  if (!read.ok) return holds<Equal<typeof read.failure, Failure | ArtifactTrouble>>();
  holds<Equal<typeof read.value.bytes, Uint8Array>>();
  const planned = await planAgent({ action: 'install', agent: 'claude' });
  if (!planned.ok) return holds<Equal<typeof planned.failure, Failure | AgentTrouble>>();
  // @ts-expect-error: no agent that Pawl knows
  await planAgent({ action: 'install', agent: 'clippy' });
}

// @ts-expect-error: which cell?
why({});
// @ts-expect-error: whose claim is it?
next({});
// @ts-expect-error: an answer is approved or rejected, by somebody, by some channel
answerCheckpoint({ id: 'C1', decision: 'maybe', by: 'me', host: 'here', channel: 'terminal' });
// @ts-expect-error: the world is no option of a request
run({ clock: systemEnvironment().clock });

export const spent: Cost = { usd: 0.25, inputTokens: 10 };
// @ts-expect-error: nobody has another currency
export const paid: Cost = { eur: 0.25 };
