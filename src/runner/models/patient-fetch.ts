/**
 * Node's fetch gives up on a server that says nothing for five minutes, and models may think for longer: how long a call
 * may take is for the phase's own time limit. The limits are those of its dispatcher, which has no public name; where there
 * is none of the kind that is known, fetch stays as it is.
 */
export function patientFetch(silenceMs = 0): typeof fetch {
  let dispatcher: Promise<object | undefined> | undefined;
  return async (input, init) => {
    dispatcher ??= dispatcherWith(silenceMs);
    const patient = await dispatcher;
    return await fetch(
      input,
      patient === undefined ? init : ({ ...init, dispatcher: patient } as RequestInit),
    );
  };
}

const shared = Symbol.for('undici.globalDispatcher.1');

async function dispatcherWith(silenceMs: number): Promise<object | undefined> {
  // It is made with the first fetch; this one asks nobody.
  await fetch('data:,');
  const known = (globalThis as { [shared]?: object })[shared];
  const Agent = known?.constructor as (new (options: object) => object) | undefined;
  // Whoever has set a dispatcher of their own, such as a proxy, keeps it.
  if (Agent?.name !== 'Agent') return undefined;
  try {
    return new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs });
  } catch {
    return undefined;
  }
}
