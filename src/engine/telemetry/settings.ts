/** Where telemetry goes, and what it says of who sends it. */
export interface TelemetrySettings {
  /** Undefined: no spans are sent. */
  readonly traces: Destination | undefined;
  /** Undefined: no metrics are sent. */
  readonly metrics: Destination | undefined;
  /** What every span and metric is from. */
  readonly resource: ReadonlyMap<string, string>;
  /** The span that the run belongs under. */
  readonly parent: TraceParent | undefined;
  /** Variables that are set and hold nothing that can be used. */
  readonly unusable: readonly string[];
}

export interface Destination {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** For one request and its repetition together. */
  readonly timeoutMs: number;
}

export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

/**
 * What the variables of OpenTelemetry ask for; undefined: nothing. Without one of the three endpoints nothing is ever
 * sent: a default address would be the network without anybody's word for it.
 *
 * `OTEL_EXPORTER_OTLP_PROTOCOL` is not looked at: it is always `http/json`, which every collector takes on its port for
 * OTLP over HTTP (4318). The port for gRPC (4317) takes none of it.
 */
export function telemetrySettings(
  env: Readonly<Record<string, string | undefined>>,
): TelemetrySettings | undefined {
  const variables = new Variables(env);
  if (variables.get('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const wanted = signals.filter((signal) => isWanted(variables, signal));
  if (wanted.length === 0) return undefined;
  const parent = parentOf(variables);
  const destinations = new Map(wanted.map((signal) => [signal, destinationOf(variables, signal)]));
  return {
    // Whoever began the trace has decided for all of it that it is not kept.
    traces: parent?.isSampled === false ? undefined : destinations.get('TRACES'),
    metrics: destinations.get('METRICS'),
    resource: resourceOf(variables),
    parent: parent && { traceId: parent.traceId, spanId: parent.spanId },
    unusable: [...variables.unusable],
  };
}

type Signal = (typeof signals)[number];

const signals = ['TRACES', 'METRICS'] as const;
const timeoutMsDefault = 10_000;
const timeoutMsMax = 600_000;
const pairsMax = 128;

class Variables {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly unusable = new Set<string>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** An empty variable is as good as none: so the specification says. */
  get(name: string): string | undefined {
    return this.#env[name]?.trim() || undefined;
  }
}

function isWanted(variables: Variables, signal: Signal): boolean {
  const hasEndpoint =
    variables.get('OTEL_EXPORTER_OTLP_ENDPOINT') !== undefined ||
    variables.get(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) !== undefined;
  // `none`, or only exporters of another kind: whoever wants spans on the console does not want them on the network.
  const exporters = variables.get(`OTEL_${signal}_EXPORTER`)?.toLowerCase().split(',') ?? ['otlp'];
  return hasEndpoint && exporters.some((exporter) => exporter.trim().startsWith('otlp'));
}

function destinationOf(variables: Variables, signal: Signal): Destination | undefined {
  const url = urlOf(variables, signal);
  if (url === undefined) return undefined;
  return {
    url,
    headers: new Map([
      ...headersOf(variables, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...headersOf(variables, `OTEL_EXPORTER_OTLP_${signal}_HEADERS`),
    ]),
    timeoutMs:
      timeoutOf(variables, `OTEL_EXPORTER_OTLP_${signal}_TIMEOUT`) ??
      timeoutOf(variables, 'OTEL_EXPORTER_OTLP_TIMEOUT') ??
      timeoutMsDefault,
  };
}

/** One for the signal is used as it is; a general one gets the path of the signal. */
function urlOf(variables: Variables, signal: Signal): string | undefined {
  const own = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
  const name = variables.get(own) === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : own;
  const url = webUrl(variables.get(name) ?? '');
  if (url === undefined) {
    variables.unusable.add(name);
    return undefined;
  }
  if (name !== own) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`;
  return url.href;
}

/** `fetch` refuses an address that holds a password: that belongs into a header. */
function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfWeb && url.username === '' && url.password === '' ? url : undefined;
}

const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

function headersOf(variables: Variables, name: string): [string, string][] {
  return pairsOf(variables, name)
    .map(([header, value]): [string, string] => [header.toLowerCase(), value])
    .filter(([header, value]) => {
      const isUsable = headerName.test(header) && headerValue.test(value);
      if (!isUsable) variables.unusable.add(name);
      return isUsable;
    });
}

function timeoutOf(variables: Variables, name: string): number | undefined {
  const text = variables.get(name);
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) : 0;
  if (ms > 0) return Math.min(ms, timeoutMsMax);
  variables.unusable.add(name);
  return undefined;
}

function resourceOf(variables: Variables): Map<string, string> {
  const resource = new Map([['service.name', 'pawl'], ...pairsOf(variables, 'OTEL_RESOURCE_ATTRIBUTES')]);
  const name = variables.get('OTEL_SERVICE_NAME');
  if (name !== undefined) resource.set('service.name', name);
  return resource;
}

/** `k=v,k2=v2`, values percent-encoded. */
function pairsOf(variables: Variables, name: string): [string, string][] {
  const pairs: [string, string][] = [];
  for (const pair of variables.get(name)?.split(',') ?? []) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    const key = percentDecoded(pair.slice(0, Math.max(at, 0)).trim());
    if (key === '' || pairs.length === pairsMax) variables.unusable.add(name);
    else pairs.push([key, percentDecoded(pair.slice(at + 1).trim())]);
  }
  return pairs;
}

/** A percent sign that encodes nothing was meant as one. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const traceParent = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** W3C Trace Context. What is not as it says is as good as not there; later versions may have more at the end. */
function parentOf(variables: Variables): (TraceParent & { readonly isSampled: boolean }) | undefined {
  const text = variables.get('TRACEPARENT');
  if (text === undefined) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = traceParent.exec(text) ?? [];
  const isKnown = version !== undefined && version !== 'ff' && !(version === '00' && more !== undefined);
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) {
    variables.unusable.add('TRACEPARENT');
    return undefined;
  }
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
