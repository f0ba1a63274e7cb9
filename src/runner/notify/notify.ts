import { ok, type Result, unreachable } from '../../base/result.ts';
import type { Notifier } from '../../model/definition.ts';
import { callNotifier } from './command.ts';
import type { Notification, NotificationPayload, NotificationTrouble, NotifyGround } from './notification.ts';
import { postToWebhook, webhookName } from './webhook.ts';

/** Tells all who want to be told of the event, at once. Whatever goes wrong is an answer, and never thrown. */
export async function tellAll(
  ground: NotifyGround,
  notifiers: readonly Notifier[],
  payload: NotificationPayload,
): Promise<readonly Notification[]> {
  const wanted = notifiers.filter(({ on, kind }) => on.includes(payload.event) && isReachable(ground, kind));
  return await Promise.all(
    wanted.map(async (notifier): Promise<Notification> => {
      const head = { via: notifier.kind, to: nameOf(notifier), event: payload.event };
      const told = await attempt(ground, notifier, payload);
      return told.ok ? { ...head, ok: true } : { ...head, ok: false, ...told.failure };
    }),
  );
}

function isReachable({ terminal }: NotifyGround, kind: Notifier['kind']): boolean {
  return (kind !== 'bell' && kind !== 'osc9') || terminal !== undefined;
}

/** The run is over and its end stands: no trouble with telling people may spoil its answer, not even a bug. */
async function attempt(
  ground: NotifyGround,
  notifier: Notifier,
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  try {
    return await tell(ground, notifier, payload);
  } catch (error) {
    return { ok: false, failure: { reason: 'cannot-start', facts: { code: codeOf(error) } } };
  }
}

async function tell(
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
