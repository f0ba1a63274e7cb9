import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, ok, type Result, unreachable } from '../../base/result.ts';
import type { Notifier } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { endingVariable, isPublicAddress, variableIn } from '../../model/secrets.ts';
import { runCommand } from '../executors/command.ts';
import { commandEnvironment } from '../executors/environment.ts';
import { commandRedactor } from '../redaction.ts';
import type { Notification, NotificationPayload, NotificationTrouble, NotifyGround } from './notification.ts';

/** Sends the event to all notifiers that want it, at once. A failure is returned, never thrown. */
export async function tellAll(
  ground: NotifyGround,
  notifiers: readonly Notifier[],
  payload: NotificationPayload,
): Promise<readonly Notification[]> {
  const wanted = notifiers.filter(({ on, kind }) => on.includes(payload.event) && isReachable(ground, kind));
  return await Promise.all(
    wanted.map(async (notifier): Promise<Notification> => {
      const head = { via: notifier.kind, to: nameOf(notifier), event: payload.event };
      const told = await notifyOne(ground, notifier, payload);
      return told.ok ? { ...head, ok: true } : { ...head, ok: false, ...told.failure };
    }),
  );
}

function isReachable({ terminal }: NotifyGround, kind: Notifier['kind']): boolean {
  return (kind !== 'bell' && kind !== 'osc9') || terminal !== undefined;
}

/** The run is over and its end stands: no trouble with telling people may spoil its answer, not even a bug. */
async function notifyOne(
  ground: NotifyGround,
  notifier: Notifier,
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  try {
    return await sendNotification(ground, notifier, payload);
  } catch (error) {
    return { ok: false, failure: { reason: 'cannot-start', facts: { code: codeOf(error) } } };
  }
}

async function sendNotification(
  ground: NotifyGround,
  notifier: Notifier,
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  switch (notifier.kind) {
    case 'command':
      return await callNotifier(ground, notifier, payload);
    case 'webhook':
      return await postToWebhook(ground, notifier, payload);
    case 'bell':
      ground.terminal?.(bell);
      return ok(undefined);
    case 'osc9':
      // Behind a name: `4;…` at the start of such a message is an order to show progress.
      ground.terminal?.(`${escapeCode}]9;Pawl: ${payload.message}${bell}`);
      return ok(undefined);
    default:
      return unreachable(notifier);
  }
}

const bell = String.fromCharCode(7);
const escapeCode = String.fromCharCode(27);

function nameOf(notifier: Notifier): string {
  switch (notifier.kind) {
    case 'command':
      return notifier.argv[0] ?? '';
    case 'webhook':
      return webhookName(notifier.url);
    case 'bell':
    case 'osc9':
      return 'terminal';
    default:
      return unreachable(notifier);
  }
}

/** Never the message of an error: it may hold what was to be sent. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return (error as NodeJS.ErrnoException).code ?? error.name;
}

/** Runs a program as a phase runs one: its own group, the same environment, arguments that no shell sees. */
export async function callNotifier(
  { clock, process: { variables }, root, signal }: NotifyGround,
  { argv, env, timeoutMs }: Notifier & { kind: 'command' },
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  // Not in the run's folder, because the lock is released and another process may hold the run by now.
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
        // Nothing is recorded, because a notification that is sent twice does no harm.
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

type Webhook = Notifier & { kind: 'webhook' };

/** Posts the payload as JSON. Anything but a 2xx is trouble, and of the answer only its status is read. */
export async function postToWebhook(
  { signal, process: { variables } }: Pick<NotifyGround, 'signal' | 'process'>,
  { url, headers, timeoutMs }: Webhook,
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  const variable = variableIn(url);
  const address = variable === undefined ? ok(url) : held(variable, variables);
  if (!address.ok) return address;
  if (!isPublicAddress(address.value))
    return fail({ reason: 'variable-unusable', facts: { name: variable ?? url } });
  const sent = new Headers({ 'content-type': 'application/json', 'user-agent': 'pawl' });
  for (const [name, written] of Object.entries(headers)) {
    const ending = endingVariable(written);
    const value = ending === undefined ? ok(written) : held(ending.name, variables);
    if (!value.ok) return value;
    if (!setHeader(sent, name, `${ending?.before ?? ''}${value.value}`))
      return fail({ reason: 'variable-unusable', facts: { name: ending?.name ?? name } });
  }
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(address.value, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(payload),
      // Not followed: what the headers hold is meant for this host and for no other.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    // A body may be endless.
    void response.body?.cancel().catch(() => undefined);
    return response.ok ? ok(undefined) : fail({ reason: 'http-status', facts: { status: response.status } });
  } catch (error) {
    if (signal.aborted) return fail({ reason: 'interrupted' });
    if (timeout.aborted) return fail({ reason: 'timed-out', facts: { timeoutMs } });
    return fail({ reason: 'unreachable', ...networkCode(error) });
  }
}

/** What a warning may say of a webhook: the rest of the address is a secret more often than not. */
export function webhookName(url: string): string {
  return variableIn(url) === undefined ? new URL(url).host : url;
}

/** What a variable holds. */
function held(name: string, variables: NodeJS.ProcessEnv): Result<string, NotificationTrouble> {
  const value = variables[name]?.trim();
  return value ? ok(value) : fail({ reason: 'variable-missing', facts: { name } });
}

/** What an error would say of a value that is none holds that value. */
function setHeader(headers: Headers, name: string, value: string): boolean {
  try {
    headers.set(name, value);
    return true;
  } catch {
    return false;
  }
}

/** `ECONNREFUSED`, `ENOTFOUND`; never the message of an error of `fetch`, which may hold what was to be sent. */
function networkCode(error: unknown): { facts?: { code: string } } {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? { facts: { code } } : {};
}
