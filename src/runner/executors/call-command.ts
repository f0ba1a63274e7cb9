import { fail, ok, type Result } from '../../base/result.ts';
import type { Executor } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt, Produced } from '../attempt.ts';
import { makeFolder } from '../attempt-folder.ts';
import { type RunContext, record } from '../context.ts';
import { redactFile } from '../redact-file.ts';
import { commandRedactor } from '../redaction.ts';
import { readRevision, revisionFailure } from '../revise.ts';
import { runCommand } from './command.ts';
import { commandEnvironment } from './environment.ts';
import { requestedPause } from './requested-pause.ts';
import { pauseExitCode, type ResultFile, readResultFile } from './result-file.ts';
import { inputPaths, reviseName, taskEnvironment } from './task-environment.ts';

/** An attempt of a phase that is a program. */
export async function callCommand(
  run: RunContext,
  attempt: Attempt,
  executor: Executor & { kind: 'command' },
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  const folder = makeFolder(run, attempt, '');
  const outputFolder = makeFolder(run, attempt, '/outputs');
  const outputs = Object.fromEntries(
    attempt.phase.outputs.map((output) => [output.name, `${outputFolder}/${output.name}`]),
  );
  const at = { unit: attempt.unit.id, phase: attempt.phase.name, attempt: attempt.number };
  const { self } = run.host;
  const ended = await runCommand(run, {
    argv: executor.argv.map((item) => fillIn(item, attempt, inputPaths(run, attempt), outputs)),
    env: commandEnvironment(executor.env, taskEnvironment(run, attempt, outputs), process.env),
    cwd: run.root,
    folder,
    timeoutMs: attempt.phase.timeoutMs,
    signal: run.interrupt,
    stop: run.stop,
    beforeStart: (pid) =>
      record(run, {
        type: 'process_started',
        ...at,
        pid,
        started: run.host.startedAt(pid) ?? '',
        boot: self.boot,
        host: self.host,
      }),
  });
  const redactor = commandRedactor(executor.env, process.env);
  if (redactor !== undefined)
    for (const name of ['stdout.log', 'stderr.log']) redactFile(run.disk, `${folder}/${name}`, redactor);
  const revision = run.interrupt.aborted ? undefined : readRevision(run, `${folder}/${reviseName}`);
  const reported = readResultFile(run, folder);
  if (reported.ok && reported.value.cost !== undefined) account.costs.push(reported.value.cost);
  if (revision !== undefined) return fail(revisionFailure(run, attempt, revision));
  if (ended.ok)
    return reported.ok
      ? ok({ response: undefined, outputs: { kind: 'folder', folder: outputFolder } })
      : reported;
  const message = redactor?.redactValues(ended.failure.message) ?? ended.failure.message;
  return fail(unended(run, attempt, account, { ...ended.failure, message }, reported));
}

/** Why the command made nothing: it asked to wait, it failed, or what it reported is not as documented. */
function unended(
  run: RunContext,
  attempt: Attempt,
  account: Account,
  failure: AttemptFailure,
  reported: Result<ResultFile, AttemptFailure>,
): AttemptFailure {
  const { facts, message } = failure;
  const asksToWait = failure.reason === 'command-failed' && facts?.exitCode === pauseExitCode;
  if (!asksToWait)
    return reported.ok ? failure : { ...failure, facts: { ...facts, reported: problemOf(reported.failure) } };
  if (!reported.ok) return reported.failure;
  if (!run.interrupt.aborted)
    account.pause = requestedPause(run, attempt, reported.value.retryAt, lastLine(message));
  return failure;
}

function problemOf({ facts }: AttemptFailure): string {
  const key = facts?.key === undefined ? '' : `${facts.key}: `;
  return `${key}${facts?.problem ?? ''}`;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** Placeholders become whole arguments or parts of one; no shell ever sees them. */
function fillIn(
  item: string,
  attempt: Attempt,
  inputs: Readonly<Record<string, string>>,
  outputs: Readonly<Record<string, string>>,
): string {
  return item.replaceAll(
    /\{(unit|input|output|param)(?:\.([A-Za-z0-9._-]+))?\}/g,
    (whole, kind: string, name: string | undefined) => {
      if (kind === 'unit')
        return name === undefined ? attempt.unit.id : String(attempt.unit.data[name] ?? '');
      if (name === undefined) return whole;
      if (kind === 'input') return inputs[name] ?? '';
      if (kind === 'output') return outputs[name] ?? whole;
      const param = attempt.phase.params[name];
      return typeof param === 'string' ? param : JSON.stringify(param ?? '');
    },
  );
}
