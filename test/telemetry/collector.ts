import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';

/*
 * A collector on this machine that takes nothing but what OTLP 1.x says in JSON: an unknown field, an id of another length or
 * an enum by its name is answered with 400. A 64-bit integer is a string or a number, as in the JSON of protocol buffers;
 * a time is always a string, because nanoseconds since 1970 are more than a number holds.
 */

const nanoseconds = z.string().regex(/^\d{1,20}$/);
const uint64 = z.union([z.string().regex(/^\d{1,20}$/), z.number().int().min(0)]);
const int64 = z.union([z.string().regex(/^-?\d{1,19}$/), z.number().int()]);
const dropped = z.literal(0);
const traceId = z.string().regex(/^(?!0+$)[0-9a-f]{32}$/);
const spanId = z.string().regex(/^(?!0+$)[0-9a-f]{16}$/);

const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
]);
const anyValue = z.union([
  scalar,
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'a key occurs twice');

const resource = z.strictObject({ attributes, droppedAttributesCount: dropped });
const scope = z.strictObject({ name: z.string().min(1), version: z.string().optional() });

const span = z
  .strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    flags: z.number().int().min(0),
    name: z.string().min(1),
    kind: z.number().int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    droppedAttributesCount: dropped,
    events: z.array(z.never()),
    droppedEventsCount: dropped,
    links: z.array(z.never()),
    droppedLinksCount: dropped,
    status: z.strictObject({
      code: z.number().int().min(0).max(2).optional(),
      message: z.string().optional(),
    }),
  })
  .refine(({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(start) <= BigInt(end), 'ends early');

const point = { attributes, startTimeUnixNano: nanoseconds, timeUnixNano: nanoseconds };
const sumPoint = z.union([
  z.strictObject({ ...point, asInt: int64 }),
  z.strictObject({ ...point, asDouble: z.number() }),
]);
const histogramPoint = z
  .strictObject({
    ...point,
    count: uint64,
    sum: z.number(),
    min: z.number(),
    max: z.number(),
    bucketCounts: z.array(uint64),
    explicitBounds: z.array(z.number()),
  })
  .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1, 'buckets')
  .refine(
    ({ bucketCounts, count }) => bucketCounts.reduce((sum, one) => sum + BigInt(one), 0n) === BigInt(count),
    'the buckets do not add up',
  );

const described = { name: z.string().min(1), unit: z.string(), description: z.string() };
const metric = z.union([
  z.strictObject({
    ...described,
    sum: z.strictObject({
      aggregationTemporality: z.literal(2),
      isMonotonic: z.literal(true),
      dataPoints: z.array(sumPoint).min(1),
    }),
  }),
  z.strictObject({
    ...described,
    histogram: z.strictObject({
      aggregationTemporality: z.literal(2),
      dataPoints: z.array(histogramPoint).min(1),
    }),
  }),
]);

const requests = {
  '/v1/traces': z.strictObject({
    resourceSpans: z
      .array(
        z.strictObject({
          resource,
          scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span).min(1) })),
        }),
      )
      .min(1),
  }),
  '/v1/metrics': z.strictObject({
    resourceMetrics: z
      .array(
        z.strictObject({
          resource,
          scopeMetrics: z.array(z.strictObject({ scope, metrics: z.array(metric).min(1) })),
        }),
      )
      .min(1),
  }),
};

export type CollectedSpan = z.infer<typeof span>;
export type CollectedMetric = z.infer<typeof metric>;

export interface Collector {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  /** As it was told last. */
  readonly metrics: CollectedMetric[];
  readonly headers: IncomingHttpHeaders[];
  readonly bodies: string[];
  /** What was wrong with what it was sent. */
  readonly problems: string[];
  /** Resolves when a request has arrived as a whole. */
  asked(): Promise<void>;
  /** Answers the next request in another way; undefined: not at all. */
  answerNext(answer: ((response: ServerResponse) => void) | undefined): void;
  close(): void;
}

export async function startCollector(): Promise<Collector> {
  const waiting: (() => void)[] = [];
  const answers: (((response: ServerResponse) => void) | undefined)[] = [];
  const collected = {
    spans: [] as CollectedSpan[],
    metrics: [] as CollectedMetric[],
    headers: [] as IncomingHttpHeaders[],
    bodies: [] as string[],
    problems: [] as string[],
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks);
      const isCompressed = request.headers['content-encoding'] === 'gzip';
      const body = (isCompressed ? gunzipSync(sent) : sent).toString('utf8');
      collected.headers.push(request.headers);
      collected.bodies.push(body);
      for (const wake of waiting.splice(0)) wake();
      if (answers.length > 0) return answers.shift()?.(response);
      const problem = take(collected, `${request.method} ${request.url}`, request.headers, body);
      if (problem !== undefined) collected.problems.push(problem);
      response.writeHead(problem === undefined ? 200 : 400, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...collected,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => new Promise((resolve) => waiting.push(resolve)),
    answerNext: (answer) => void answers.push(answer),
    close: () => closeServer(server),
  };
}

function take(
  collected: Pick<Collector, 'spans' | 'metrics'>,
  line: string,
  headers: IncomingHttpHeaders,
  body: string,
): string | undefined {
  if (headers['content-type'] !== 'application/json') return `content-type ${headers['content-type']}`;
  if (line === 'POST /v1/traces') {
    const parsed = requests['/v1/traces'].safeParse(JSON.parse(body));
    if (!parsed.success) return z.prettifyError(parsed.error);
    collected.spans.push(
      ...parsed.data.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    );
    return undefined;
  }
  if (line !== 'POST /v1/metrics') return line;
  const parsed = requests['/v1/metrics'].safeParse(JSON.parse(body));
  if (!parsed.success) return z.prettifyError(parsed.error);
  const metrics = parsed.data.resourceMetrics.flatMap((one) =>
    one.scopeMetrics.flatMap((all) => all.metrics),
  );
  collected.metrics.splice(0, Number.POSITIVE_INFINITY, ...metrics);
  return undefined;
}

function closeServer(server: Server): void {
  server.closeAllConnections();
  server.close();
}
