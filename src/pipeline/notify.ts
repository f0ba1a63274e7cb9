import type { Notifier, NotifyEvent } from '../model/definition.ts';
import type { LoadContext } from './context.ts';
import { resolveDuration } from './durations.ts';
import { checkArgv, resolveEnv } from './phases/executor.ts';
import { checkAddress, checkSecretHeader } from './refuse-secrets.ts';
import type { ManifestNotifier, ManifestNotify } from './schema/parts.ts';

const eventsDefault: readonly NotifyEvent[] = ['waiting', 'completed', 'failed', 'stopped'];
const timeoutMsDefault = 10_000;
/** A command waits for its notifiers before it answers. */
const timeoutMsMax = 60_000;
const placeholders = ['{event}', '{run}', '{pipeline}', '{message}'];
const ways = ['command', 'webhook', 'bell', 'osc9'] as const;

/**
 * Reads who is notified of the end of an invocation; an entry that names several ways becomes as many
 * notifiers.
 */
export function resolveNotify(context: LoadContext, written: ManifestNotify): readonly Notifier[] {
  if (!Array.isArray(written)) return resolveEntry(context, written, 'notify');
  return written.flatMap((entry, nth) => resolveEntry(context, entry, `notify[${nth}]`));
}

function resolveEntry(context: LoadContext, entry: ManifestNotifier, at: string): Notifier[] {
  const { command, env, webhook, headers, bell, osc9 } = entry;
  const when = {
    on: entry.on ?? eventsDefault,
    timeoutMs: resolveDuration(context, entry.timeout, timeoutMsDefault, 1, `${at}.timeout`, timeoutMsMax),
  };
  const notifiers: Notifier[] = [];
  if (command !== undefined) {
    checkArgv(context, command, placeholders, `${at}.command`);
    notifiers.push({
      ...when,
      kind: 'command',
      argv: command,
      env: resolveEnv(context, env ?? {}, `${at}.env`),
    });
  }
  if (webhook !== undefined) {
    checkAddress(context, webhook, `${at}.webhook`);
    notifiers.push({ ...when, kind: 'webhook', url: webhook, headers: headers ?? {} });
  }
  if (bell) notifiers.push({ ...when, kind: 'bell' });
  if (osc9) notifiers.push({ ...when, kind: 'osc9' });

  for (const [name, value] of Object.entries(headers ?? {}))
    checkSecretHeader(context, value, `${at}.headers.${name}`);
  if (env !== undefined && command === undefined)
    context.problems.add('missing-key', `${at}.command`, { expected: 'list' });
  if (headers !== undefined && webhook === undefined)
    context.problems.add('missing-key', `${at}.webhook`, { expected: 'string' });
  if (notifiers.length === 0) context.problems.add('missing-key', at, { valid: ways }, 'key');
  return notifiers;
}
