import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Notifier } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { runCommand } from '../executors/command.ts';
import { commandEnvironment } from '../executors/environment.ts';
import { commandRedactor } from '../redaction.ts';
import type { NotificationPayload, NotificationTrouble, NotifyGround } from './notification.ts';

/** Runs a program as a phase runs one: its own group, the same environment, arguments that no shell sees. */
export async function callNotifier(
  { clock, process: { variables }, root, signal }: NotifyGround,
  { argv, env, timeoutMs }: Notifier & { kind: 'command' },
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  // Not in the run's folder: the run is let go, and somebody else may hold it by now.
  const folder = mkdtempSync(join(tmpdir(), 'pawl-notify-'));
  try {
    const file = join(folder, 'notification.json');
    writeFileSync(file, `${JSON.stringify(payload, null, 2)}\n`, { mode: 0o600 });
    const ended = await runCommand(
      { clock },
      {
        argv: argv.map((item) => fillIn(item, payload)),
        env: commandEnvironment(env, ownEnvironment(payload, file), variables),
        cwd: root,
        folder,
        timeoutMs,
        signal,
        // There is nothing to write down: telling somebody twice does no harm.
        beforeStart: () => Promise.resolve(),
      },
    );
    if (ended.ok) return ok(undefined);
    if (signal.aborted) return fail({ reason: 'interrupted' });
    return fail(troubleOf(ended.failure, env, variables));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ownEnvironment(payload: NotificationPayload, file: string): Record<string, string> {
  return {
    PAWL_EVENT: payload.event,
    PAWL_RUN: payload.run,
    PAWL_PIPELINE: payload.pipeline,
    PAWL_MESSAGE: payload.message,
    PAWL_NOTIFICATION: file,
  };
}

/** Placeholders become whole arguments or parts of one. What is filled in is not looked at again. */
function fillIn(item: string, payload: NotificationPayload): string {
  return item.replaceAll(
    /\{(event|run|pipeline|message)\}/g,
    (_, name: 'event' | 'run' | 'pipeline' | 'message') => payload[name],
  );
}

function troubleOf(
  { reason, message, facts }: AttemptFailure,
  env: Readonly<Record<string, string>>,
  variables: NodeJS.ProcessEnv,
): NotificationTrouble {
  const redactor = commandRedactor(env, variables);
  const known = commandReasons.find((candidate) => candidate === reason);
  return {
    reason: known ?? 'cannot-start',
    ...(facts !== undefined && { facts }),
    ...(message !== '' && { message: redactor?.redactValues(message) ?? message }),
  };
}

const commandReasons = [
  'command-not-found',
  'command-not-executable',
  'command-failed',
  'command-killed',
  'timed-out',
] as const;
