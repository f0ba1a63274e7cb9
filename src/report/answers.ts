import type { JsonObject } from '../base/json.ts';
import { unreachable } from '../base/result.ts';
import type {
  AdoptAnswer,
  DecideAnswer,
  DiffAnswer,
  LogsAnswer,
  PlanAnswer,
  RepairAnswer,
  ResetAnswer,
  RunAnswer,
  RunsAnswer,
  StatusAnswer,
  VerifyAnswer,
  WhyAnswer,
} from '../engine/answers.ts';
import { adoptText, decideText, repairText, resetText, verifyText } from './acts.ts';
import { diffText } from './diff.ts';
import { logsText } from './logs.ts';
import { plain } from './plain.ts';
import { planText } from './plan.ts';
import { runText } from './run.ts';
import { runsText } from './runs.ts';
import { statusText } from './status.ts';
import type { Style } from './style.ts';
import { whyText } from './why.ts';

/** An answer with the command that asked for it. */
export type Answered =
  | { readonly command: 'run' | 'resume'; readonly answer: RunAnswer }
  | { readonly command: 'plan'; readonly answer: PlanAnswer }
  | { readonly command: 'why'; readonly answer: WhyAnswer }
  | { readonly command: 'status'; readonly answer: StatusAnswer }
  | { readonly command: 'runs'; readonly answer: RunsAnswer }
  | { readonly command: 'logs'; readonly answer: LogsAnswer }
  | { readonly command: 'diff'; readonly answer: DiffAnswer }
  | { readonly command: 'verify'; readonly answer: VerifyAnswer }
  | { readonly command: 'adopt'; readonly answer: AdoptAnswer }
  | { readonly command: 'reset'; readonly answer: ResetAnswer }
  | { readonly command: 'repair'; readonly answer: RepairAnswer }
  | { readonly command: 'approve' | 'reject'; readonly answer: DecideAnswer }
  | { readonly command: 'schema'; readonly answer: JsonObject }
  | { readonly command: 'init'; readonly answer: InitAnswer };

/** What `init` wrote. */
export interface InitAnswer {
  readonly template: string;
  readonly folder: string;
  readonly files: readonly string[];
}

/** The answer for a person. */
export function answerText(answered: Answered, style: Style): string {
  switch (answered.command) {
    case 'run':
    case 'resume':
      return runText(answered.answer, style);
    case 'plan':
      return planText(answered.answer, style);
    case 'why':
      return whyText(answered.answer, style);
    case 'status':
      return statusText(answered.answer, style);
    case 'runs':
      return runsText(answered.answer, style);
    case 'logs':
      return logsText(answered.answer, style);
    case 'diff':
      return diffText(answered.answer, style);
    case 'verify':
      return verifyText(answered.answer, style);
    case 'adopt':
      return adoptText(answered.answer, style);
    case 'reset':
      return resetText(answered.answer, style);
    case 'repair':
      return repairText(answered.answer, style);
    case 'approve':
    case 'reject':
      return decideText(answered.answer, style);
    case 'schema':
      return JSON.stringify(answered.answer, undefined, 2);
    case 'init':
      return initText(answered.answer, style);
    default:
      return unreachable(answered);
  }
}

function initText({ folder, files }: InitAnswer, { paint, symbols }: Style): string {
  const there = folder === '.' ? '' : ` ${plain(folder)}`;
  return [
    ...files.map((file) => `  ${plain(file)}`),
    `${paint.green(symbols.good)} a small pipeline is there; to see what it would do: pawl plan${there}; to do it: pawl run${there}`,
  ].join('\n');
}
