import type { Notifier, NotifyEvent } from '../model/definition.ts';
import { resolveDuration } from './durations.ts';
import { checkArgv, resolveEnv } from './phases/executor.ts';
import type { LoadContext } from './prompts/context.ts';
import type { ManifestNotifier, ManifestNotify } from './shape/notify-schema.ts';
import { addUnshown } from './text/unshown.ts';

const eventsDefault: readonly NotifyEvent[] = ['waiting', 'completed', 'failed', 'stopped'];
const timeoutMsDefault = 10_000;
/** A command waits for its notifiers before it answers. */
const timeoutMsMax = 60_000;
const placeholders = ['{event}', '{run}', '{pipeline}', '{message}'];
const ways = ['command', 'webhook', 'bell', 'osc9'] as const;

/** Reads who is told how a sitting ended; an entry that names several ways becomes as many notifiers. */
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

  checkHeaders(context, headers ?? {}, `${at}.headers`);
  if (env !== undefined && command === undefined)
    context.problems.add('missing-key', `${at}.command`, { expected: 'list' });
  if (headers !== undefined && webhook === undefined)
    context.problems.add('missing-key', `${at}.webhook`, { expected: 'string' });
  if (notifiers.length === 0) context.problems.add('missing-key', at, { valid: ways }, 'key');
  return notifiers;
}

const variable = /^\$[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const headerValue = /^(?:[A-Za-z][A-Za-z0-9._-]{0,31} )?\$[A-Za-z_][A-Za-z0-9_]{0,127}$/;

/** Whoever reads the manifest must not be let in by it: a name and a password belong into a header. */
function checkAddress(context: LoadContext, webhook: string, at: string): void {
  if (variable.test(webhook)) return;
  const address = URL.canParse(webhook) ? new URL(webhook) : undefined;
  const isWeb = address?.protocol === 'http:' || address?.protocol === 'https:';
  if (isWeb && address.username === '' && address.password === '') return;
  addUnshown(context, at, ['http://HOST', 'https://HOST', '$NAME']);
}

function checkHeaders(context: LoadContext, headers: Readonly<Record<string, string>>, at: string): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!headerValue.test(value)) addUnshown(context, `${at}.${name}`, ['$NAME', 'Bearer $NAME']);
  }
}
