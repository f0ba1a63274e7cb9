import type { JsonObject } from '../../base/json.ts';
import { clip } from '../../base/plain.ts';

/*
 * OTLP 1.x as JSON. It differs from the usual JSON of protocol buffers: ids are hex, enums are numbers. 64-bit numbers are
 * strings in both.
 */

/** JSON knows one kind of number; a receiver knows two, and takes one name with both for a conflict. */
export type AttributeValue =
  | string
  | boolean
  | readonly string[]
  | { readonly int: number }
  | { readonly double: number };

/** What is undefined is left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** Who sends. */
export interface Sender {
  readonly resource: ReadonlyMap<string, string>;
  /** Of the program. */
  readonly version: string | undefined;
}

/** Something that took time and is over. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** `client`: it waited for somebody outside. */
  readonly kind: 'internal' | 'client';
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** Why it failed; undefined: it did not. */
  readonly error: string | undefined;
}

/** What was measured from a start on, in all. */
export type Metric = {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly startMs: number;
  readonly timeMs: number;
} & (
  | { readonly kind: 'sum'; readonly points: readonly SumPoint[] }
  | {
      readonly kind: 'histogram';
      /** Upper ends of the buckets, which belong to them; the last bucket has none. */
      readonly bounds: readonly number[];
      readonly points: readonly HistogramPoint[];
    }
);

export interface SumPoint {
  readonly attributes: Attributes;
  readonly value: { readonly int: number } | { readonly double: number };
}

export interface HistogramPoint {
  readonly attributes: Attributes;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly buckets: readonly number[];
}

/** The body of a request to `/v1/traces`. */
export function encodeTraces(sender: Sender, spans: readonly Span[]): JsonObject {
  const scopeSpans = [{ scope: encodeScope(sender), spans: spans.map(encodeSpan) }];
  return { resourceSpans: [{ resource: encodeResource(sender), scopeSpans }] };
}

/** The body of a request to `/v1/metrics`. */
export function encodeMetrics(sender: Sender, metrics: readonly Metric[]): JsonObject {
  const scopeMetrics = [{ scope: encodeScope(sender), metrics: metrics.map(encodeMetric) }];
  return { resourceMetrics: [{ resource: encodeResource(sender), scopeMetrics }] };
}

const attributesMax = 128;
const textLengthMax = 1024;
const spanKinds = { internal: 1, client: 3 } as const;
const statusError = 2;
const isSampled = 1;
const cumulative = 2;

function encodeResource({ resource }: Sender): JsonObject {
  return { attributes: encodeAttributes(resource) };
}

function encodeScope({ version }: Sender): JsonObject {
  return { name: 'pawl', ...(version !== undefined && { version }) };
}

function encodeSpan(span: Span): JsonObject {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
    flags: isSampled,
    name: encodeText(span.name),
    kind: spanKinds[span.kind],
    startTimeUnixNano: encodeTime(span.startMs),
    endTimeUnixNano: encodeTime(span.endMs),
    attributes: encodeAttributes(Object.entries(span.attributes)),
    status: span.error === undefined ? {} : { code: statusError, message: encodeText(span.error) },
  };
}

function encodeMetric(metric: Metric): JsonObject {
  const { name, unit, description } = metric;
  const times = {
    startTimeUnixNano: encodeTime(metric.startMs),
    timeUnixNano: encodeTime(metric.timeMs),
  };
  if (metric.kind === 'sum') {
    const dataPoints = metric.points.map((point) => ({ ...times, ...encodeSumPoint(point) }));
    const sum = { aggregationTemporality: cumulative, isMonotonic: true, dataPoints };
    return { name, unit, description, sum };
  }
  const { bounds } = metric;
  const dataPoints = metric.points.map((point) => ({ ...times, ...encodeHistogramPoint(point, bounds) }));
  return { name, unit, description, histogram: { aggregationTemporality: cumulative, dataPoints } };
}

function encodeSumPoint({ attributes, value }: SumPoint): JsonObject {
  return {
    attributes: encodeAttributes(Object.entries(attributes)),
    ...('int' in value ? { asInt: String(value.int) } : { asDouble: value.double }),
  };
}

function encodeHistogramPoint(point: HistogramPoint, bounds: readonly number[]): JsonObject {
  return {
    attributes: encodeAttributes(Object.entries(point.attributes)),
    count: String(point.count),
    sum: point.sum,
    min: point.min,
    max: point.max,
    bucketCounts: point.buckets.map(String),
    explicitBounds: bounds,
  };
}

function encodeAttributes(attributes: Iterable<readonly [string, AttributeValue | undefined]>): JsonObject[] {
  const encoded: JsonObject[] = [];
  for (const [key, attribute] of attributes) {
    const value = attribute === undefined ? undefined : encodeValue(attribute);
    if (value !== undefined && encoded.length < attributesMax) encoded.push({ key: encodeText(key), value });
  }
  return encoded;
}

/** Undefined for a number that is none: there is no way to write it down that every receiver reads. */
function encodeValue(value: AttributeValue): JsonObject | undefined {
  if (typeof value === 'string') return { stringValue: encodeText(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if ('int' in value) return Number.isSafeInteger(value.int) ? { intValue: String(value.int) } : undefined;
  if ('double' in value) return Number.isFinite(value.double) ? { doubleValue: value.double } : undefined;
  return { arrayValue: { values: value.map((item) => ({ stringValue: encodeText(item) })) } };
}

/** Half of a surrogate pair is no UTF-8, and there are receivers that refuse the whole request for it. */
function encodeText(text: string): string {
  return clip(text, textLengthMax, '…').replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** Nanoseconds since 1970 are more than a number holds exactly. */
function encodeTime(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}
