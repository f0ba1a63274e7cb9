import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { MetricOptions, Span } from '@opentelemetry/api';
import type { Clock } from '../../base/clock.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { TelemetryReason } from '../../model/reason.ts';
import type { OpenTelemetry, TelemetrySettings } from './settings.ts';
import * as spans from './spans.ts';

export interface TelemetryParts {
  readonly run: Omit<spans.FoldedRun, 'id'> & { readonly identity: Readonly<Record<string, string>> };
  readonly clock: Clock;
  /** Of the program. */
  readonly version: string | undefined;
}

export interface TelemetryTrouble {
  readonly reason: TelemetryReason;
  /** The host and port that it was meant for, or names of variables. */
  readonly to: string;
  readonly facts?: Readonly<Record<string, string | number>>;
}

/** So long an invocation waits at its end for a collector. */
const deliveryMsMax = 5000;

/**
 * Projects the events of one invocation onto spans and metrics. OpenTelemetry's SDK sends them in the background, and only
 * `end` waits for it.
 */
export class Telemetry {
  readonly #otel: OpenTelemetry;
  readonly #settings: TelemetrySettings;
  readonly #parts: TelemetryParts;
  readonly #sdk: ReturnType<typeof openSdk>;
  readonly #endLog: () => void;
  /** The first only, because the next ones most likely have the same cause. */
  trouble: TelemetryTrouble | undefined;
  #invocation: { readonly run: spans.FoldedRun; readonly span: Span } | undefined;
  readonly #open = new Map<string, spans.OpenAttempt>();
  #kind = 'new';
  /** Of the newest event. */
  #atMs = 0;

  constructor(otel: OpenTelemetry, settings: TelemetrySettings, parts: TelemetryParts) {
    this.#otel = otel;
    this.#settings = settings;
    this.#parts = parts;
    const onTrouble: OnTrouble = (trouble) => {
      this.trouble ??= trouble;
    };
    const { unusable } = settings;
    if (unusable.length > 0) onTrouble({ reason: 'variable-unusable', to: unusable.join(', ') });
    this.#endLog = readLog(otel.diag, (settings.traces ?? settings.metrics)?.host ?? '', onTrouble);
    this.#sdk = openSdk(otel, settings, parts.version, onTrouble);
  }

  /** Takes what the invocation has recorded. */
  add(run: string, events: readonly StoredEvent[]): void {
    for (const event of events) {
      this.#atMs = Date.parse(event.at);
      this.#invocation ??= this.#begin(run);
      if (event.type === 'run_resumed') this.#kind = 'resumed';
      const attempt = spans.foldSpan(this.#invocation.run, this.#open, event);
      if (attempt !== undefined) this.#emit(attempt, this.#invocation.span);
    }
  }

  /** `failure` is a stable reason and makes the run an error; so does the status `failed`. */
  async end(status: string, failure?: string): Promise<void> {
    if (this.#invocation !== undefined) {
      const { run, span } = this.#invocation;
      for (const one of this.#open.values()) this.#emit(spans.interruptedSpan(run, one, this.#atMs), span);
      span.setAttributes(
        known({ 'pawl.run.kind': this.#kind, 'pawl.status': status, 'pawl.failure': failure }),
      );
      this.#end(span, this.#atMs, failure ?? (status === 'failed' ? status : undefined));
    }
    const { traces, metrics } = this.#settings;
    const { tracing, metering } = this.#sdk;
    await Promise.all([this.#deliver(traces, tracing), this.#deliver(metrics, metering)]);
    this.#endLog();
  }

  #begin(id: string) {
    const { ROOT_CONTEXT, trace } = this.#otel;
    const { parent } = this.#settings;
    const run = { ...this.#parts.run, id };
    const names = Object.entries(run.identity).map(([key, value]) => [`pawl.identity.${key}`, value]);
    const attributes = { 'pawl.run.id': id, 'pawl.pipeline': run.pipeline, ...Object.fromEntries(names) };
    const options = { startTime: this.#atMs, attributes };
    const above = parent && trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const span = this.#sdk.tracer.startSpan(`pawl.run ${run.pipeline}`, options, above ?? ROOT_CONTEXT);
    return { run, span };
  }

  #emit({ name, startMs, endMs, isClient, error, ...ended }: spans.EndedSpan, parent: Span): void {
    const { ROOT_CONTEXT, SpanKind, trace } = this.#otel;
    const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const options = { kind, startTime: startMs, attributes: known(ended.attributes) };
    const span = this.#sdk.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    for (const child of ended.children) this.#emit(child, span);
    for (const [instrument, value, by] of ended.measures)
      if (value !== undefined) this.#measure(instrument, value, known(by));
    this.#end(span, endMs, error);
  }

  /** The SDK finds the instrument that it has made before. */
  #measure(name: spans.InstrumentName, value: number, by: spans.Attributes): void {
    const { meter } = this.#sdk;
    const options: MetricOptions = spans.instruments[name];
    if (options.advice === undefined) meter.createCounter(name, options).add(value, by);
    else meter.createHistogram(name, options).record(value, by);
  }

  #end(span: Span, endMs: number, error: string | undefined): void {
    if (error !== undefined) span.setStatus({ code: this.#otel.SpanStatusCode.ERROR, message: error });
    span.end(endMs);
  }

  /** Does not wait for a collector that is gone, though the exporter tries again as long as it may. */
  async #deliver(to: URL | undefined, provider: { shutdown(): Promise<void> }): Promise<void> {
    if (to === undefined) return;
    const over = new AbortController();
    const late = this.#parts.clock.sleep(deliveryMsMax, over.signal).then(() => 'late');
    const trouble = await Promise.race([provider.shutdown(), late, connectionTrouble(to, over.signal)]);
    over.abort();
    if (trouble === 'late')
      this.trouble ??= { reason: 'timed-out', to: to.host, facts: { timeoutMs: deliveryMsMax } };
    else if (trouble) this.trouble ??= { reason: 'unreachable', to: to.host, facts: { code: trouble } };
  }
}

type OnTrouble = (trouble: TelemetryTrouble) => void;

function openSdk(
  otel: OpenTelemetry,
  { traces, metrics }: TelemetrySettings,
  version: string | undefined,
  onTrouble: OnTrouble,
) {
  // Two invocations at a time would write one series, each with its own sums: hence an instance of its own.
  const own = { 'service.name': 'pawl', 'service.instance.id': randomBytes(16).toString('hex') };
  const named = otel.detectResources({ detectors: [otel.envDetector] });
  const resource = otel.resourceFromAttributes(own).merge(named);
  const spanExporter = traces && watched(new otel.OTLPTraceExporter({ url: traces.href }), traces, onTrouble);
  const metricExporter =
    metrics && watched(new otel.OTLPMetricExporter({ url: metrics.href }), metrics, onTrouble);
  const spanProcessors = spanExporter ? [new otel.BatchSpanProcessor(spanExporter)] : [];
  const readers = metricExporter
    ? [new otel.PeriodicExportingMetricReader({ exporter: metricExporter })]
    : [];
  const tracing = new otel.BasicTracerProvider({ resource, spanProcessors });
  const metering = new otel.MeterProvider({ resource, readers });
  const [meter, tracer] = [metering.getMeter('pawl', version), tracing.getTracer('pawl', version)];
  return { tracing, metering, tracer, meter };
}

interface Exporter {
  export(items: object, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
}

/** Reports failures here and not to the SDK, which would write them to the console. */
function watched<Watched extends Exporter>(exporter: Watched, { host }: URL, onTrouble: OnTrouble): Watched {
  const send = exporter.export.bind(exporter);
  exporter.export = (items, done) =>
    send(items, ({ error }) => {
      if (error !== undefined) onTrouble({ ...reasonOf(error), to: host });
      done({ code: 0 });
    });
  return exporter;
}

function reasonOf({ code, message }: Error & { code?: unknown }): Pick<TelemetryTrouble, 'reason' | 'facts'> {
  if (message === 'Request timed out') return { reason: 'timed-out' };
  if (typeof code === 'number') return { reason: 'http-status', facts: { status: code } };
  // The exporter has tried again, and does not say after which status.
  if (message.includes('retryable status')) return { reason: 'http-status' };
  return { reason: 'unreachable', ...(typeof code === 'string' && { facts: { code } }) };
}

/** Reports what the packages only log. The function that is returned ends it. */
function readLog(diag: OpenTelemetry['diag'], to: string, onTrouble: OnTrouble): () => void {
  const ignore = () => undefined;
  const warn = (message: string, ...parts: unknown[]) => {
    const names = message.match(/OTEL_[A-Z_]+/g);
    if (names !== null) onTrouble({ reason: 'variable-unusable', to: [...new Set(names)].join(', ') });
    const [, count] = /"rejected(?:Spans|DataPoints)":"?([1-9]\d*)/.exec(String(parts[0])) ?? [];
    if (count !== undefined) onTrouble({ reason: 'refused', to, facts: { count: Number(count) } });
    if (message.startsWith('Dropped')) onTrouble({ reason: 'queue-full', to });
  };
  // A program that uses the library may have a logger of its own, which is not ours to replace.
  if (Reflect.get(globalThis, Symbol.for('opentelemetry.js.api.1'))?.diag !== undefined) return ignore;
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { suppressOverrideMessage: true });
  return () => diag.disable();
}

/** Resolves with the code of the error where no connection can be made. */
function connectionTrouble({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80), signal });
    socket.once('connect', () => socket.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  });
}

function known(attributes: spans.Attributes): spans.Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
