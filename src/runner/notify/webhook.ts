import { fail, ok, type Result } from '../../base/result.ts';
import type { Notifier } from '../../model/definition.ts';
import type { NotificationPayload, NotificationTrouble, NotifyGround } from './notification.ts';

type Webhook = Notifier & { kind: 'webhook' };

/** Posts the payload as JSON. Anything but a 2xx is trouble, and of the answer only its status is read. */
export async function postToWebhook(
  { signal }: Pick<NotifyGround, 'signal'>,
  { url, headers, timeoutMs }: Webhook,
  payload: NotificationPayload,
): Promise<Result<undefined, NotificationTrouble>> {
  const address = fromEnvironment(url);
  if (!address.ok) return address;
  if (!isOfWeb(address.value))
    return fail({ reason: 'variable-unusable', facts: { name: variableIn(url) ?? url } });
  const sent = new Headers({ 'content-type': 'application/json', 'user-agent': 'pawl' });
  for (const [name, written] of Object.entries(headers)) {
    const value = fromEnvironment(written);
    if (!value.ok) return value;
    if (!setHeader(sent, name, value.value))
      return fail({ reason: 'variable-unusable', facts: { name: variableIn(written) ?? name } });
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
    return fail({ reason: 'unreachable', ...codeIn(error) });
  }
}

/** What a warning may say of a webhook: the rest of the address is a secret more often than not. */
export function webhookName(url: string): string {
  return variableIn(url) === undefined ? new URL(url).host : url;
}

/** An address never looks like this: it holds a colon. */
const named = /^((?:[A-Za-z][A-Za-z0-9._-]* )?)\$([A-Za-z_][A-Za-z0-9_]*)$/;

function variableIn(written: string): string | undefined {
  return named.exec(written)?.[2];
}

/** `$NAME` or `Bearer $NAME` with its value in place; an address as it is. */
function fromEnvironment(written: string): Result<string, NotificationTrouble> {
  const [, scheme = '', name] = named.exec(written) ?? [];
  if (name === undefined) return ok(written);
  const value = process.env[name]?.trim();
  if (value === undefined || value === '') return fail({ reason: 'variable-missing', facts: { name } });
  return ok(`${scheme}${value}`);
}

function isOfWeb(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
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

/** `ECONNREFUSED`, `ENOTFOUND`; never the message of an error, which may hold what was to be sent. */
function codeIn(error: unknown): { facts?: { code: string } } {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' ? { facts: { code } } : {};
}
