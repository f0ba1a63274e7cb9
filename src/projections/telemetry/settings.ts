import { findPackage, loadPackage, type Package, packageSpec } from '../../runner/models/packages.ts';

/** Where telemetry goes. Known without OpenTelemetry's packages, which read all other variables themselves. */
export interface TelemetrySettings {
  /** Undefined: that signal is not sent. */
  readonly traces: URL | undefined;
  readonly metrics: URL | undefined;
  readonly protocol: 'http/json' | 'http/protobuf';
  /** The span that the run belongs under: ids as hex digits, and 1 for a trace that is kept. */
  readonly parent:
    | { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
    | undefined;
  /** Variables that are set to a value that cannot be used. */
  readonly unusable: readonly string[];
}

/**
 * Undefined: nothing is sent. Without one of the three endpoints nothing ever is, because OpenTelemetry's default address
 * would open a connection that the user did not ask for.
 */
export function telemetrySettings(
  variables: Readonly<Record<string, string | undefined>>,
): TelemetrySettings | undefined {
  // The specification treats an empty variable as unset.
  const get = (name: string) => variables[name]?.trim() || undefined;
  const unusable = new Set<string>();
  const endpoint = (signal: 'TRACES' | 'METRICS') => {
    const own = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
    const name = get(own) === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : own;
    const text = get(name);
    // `none`, or only exporters of another kind.
    const exporters = get(`OTEL_${signal}_EXPORTER`)?.toLowerCase().split(',') ?? ['otlp'];
    if (text === undefined || !exporters.some((exporter) => exporter.trim().startsWith('otlp')))
      return undefined;
    const url = webUrl(text);
    if (url === undefined) unusable.add(name);
    // The endpoint of a signal is used as it is; the path of the signal is added to the general one.
    else if (name !== own) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`;
    return url;
  };
  const [traces, metrics] = [endpoint('TRACES'), endpoint('METRICS')];
  const isAsked = traces !== undefined || metrics !== undefined || unusable.size > 0;
  if (!isAsked || get('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined;
  const traceParent = get('TRACEPARENT');
  const [, traceId = '', spanId = '', flags = ''] = traceParentPattern.exec(traceParent ?? '') ?? [];
  if (traceParent !== undefined && spanId === '') unusable.add('TRACEPARENT');
  return {
    traces,
    metrics,
    protocol: get('OTEL_EXPORTER_OTLP_PROTOCOL') === 'http/protobuf' ? 'http/protobuf' : 'http/json',
    parent: spanId === '' ? undefined : { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 },
    unusable: [...unusable],
  };
}

/** W3C Trace Context: version 00 has four fields, later versions may have more, and version ff is invalid. */
const traceParentPattern =
  /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** A password belongs into a header, because addresses are shown in messages. */
function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isOfWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isOfWeb && url.username === '' && url.password === '' ? url : undefined;
}

/** All that OpenTelemetry's packages export. */
export type OpenTelemetry = typeof import('@opentelemetry/api') &
  typeof import('@opentelemetry/resources') &
  typeof import('@opentelemetry/sdk-trace-base') &
  typeof import('@opentelemetry/sdk-metrics') &
  (
    | typeof import('@opentelemetry/exporter-trace-otlp-http')
    | typeof import('@opentelemetry/exporter-trace-otlp-proto')
  ) &
  (
    | typeof import('@opentelemetry/exporter-metrics-otlp-http')
    | typeof import('@opentelemetry/exporter-metrics-otlp-proto')
  );

/** The packages are optional: they are looked for in the workspace first, and beside this program then. */
export function loadOpenTelemetry(root: string, settings: TelemetrySettings): OpenTelemetry {
  return Object.assign({}, ...packagesOf(settings).map((one) => loadPackage(findPackage(root, one) ?? '')));
}

/** As they are installed. */
export function missingPackages(root: string, settings: TelemetrySettings): string[] {
  const missing = packagesOf(settings).filter((one) => findPackage(root, one) === undefined);
  return missing.map(packageSpec);
}

function packagesOf({ protocol }: TelemetrySettings): Package[] {
  const encoding = protocol === 'http/protobuf' ? 'proto' : 'http';
  const pack = (name: string, major: number, minor: number) => ({
    name: `@opentelemetry/${name}`,
    major,
    minor,
  });
  return [
    // Not the newest, because the SDK does not accept 1.10.
    pack('api', 1, 9),
    ...['resources', 'sdk-trace-base', 'sdk-metrics'].map((name) => pack(name, 2, 9)),
    ...['trace', 'metrics'].map((signal) => pack(`exporter-${signal}-otlp-${encoding}`, 0, 220)),
  ];
}
