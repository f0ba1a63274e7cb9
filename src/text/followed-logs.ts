import { unreachable } from '../base/result.ts';
import type { FollowedLogs } from '../engine/observe/logs-answer.ts';
import { failureSentence } from './catalogue/attempt-failures.ts';
import { attemptHead, barred, logsText } from './logs.ts';
import { hint } from './phrases/hints.ts';
import type { Style } from './style/style.ts';
import { stepLabel } from './style/words.ts';

type Attempt = FollowedLogs['attempts'][number];

/** The line before the output of an attempt that has just started. */
export function startedText(
  { unit, phase }: { readonly unit: string; readonly phase: string },
  attempt: Attempt,
  style: Style,
): string {
  return attemptHead(style.paint.bold(stepLabel(unit, phase)), attempt, style);
}

/** What an attempt writes, behind a bar because it is data. */
export function wroteText(kind: 'output' | 'error', lines: readonly string[], style: Style): string {
  return barred(lines.join('\n'), style, kind === 'error' ? style.paint.red : undefined).join('\n');
}

/** How following ended. */
export function followedText(answer: FollowedLogs, style: Style): string {
  const { unit, phase, attempts, followed } = answer;
  const note = (text: string) => `${style.paint.yellow(style.symbols.warning)} ${text}`;
  switch (followed) {
    case 'nothing-runs':
      return [
        logsText(answer, style),
        note(
          `no process works on this run, so there is nothing to follow; to continue it: ${hint('run', style.path)}`,
        ),
      ].join('\n');
    case 'step-finished':
    case 'run-ended':
    case 'stopped': {
      const name = stepLabel(unit, phase);
      const last = attempts.at(-1);
      const lines = last === undefined ? [] : [endLine(name, last, style)];
      if (followed === 'run-ended')
        lines.push(note(`the run ended; to see where it stands: ${hint('status', style.path)}`));
      return lines.length === 0 ? `${name} has not started` : lines.join('\n');
    }
    default:
      return unreachable(followed);
  }
}

function endLine(name: string, attempt: Attempt, style: Style): string {
  const head = attemptHead(style.paint.bold(name), attempt, style);
  return attempt.failure === undefined ? head : `${head}: ${failureSentence(attempt.failure, attempt.facts)}`;
}
