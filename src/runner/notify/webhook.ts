import { fail, ok, type Result } from '../../base/result.ts';
import type { Notifier } from '../../model/definition.ts';
import { endingVariable, isPublicAddress, variableIn } from '../../model/secrets.ts';
import { networkCode } from '../network-code.ts';
import type { NotificationPayload, NotificationTrouble, NotifyGround } from './notification.ts';

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
