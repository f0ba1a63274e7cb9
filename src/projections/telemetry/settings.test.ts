import { describe, expect, it } from 'vitest';
import { telemetrySettings } from './settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
describe('whether anything is sent', () => {
  it.each([
    ['nothing is set', {}],
    ['an endpoint is empty', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['only other variables are set', { OTEL_SERVICE_NAME: 'book', OTEL_TRACES_EXPORTER: 'otlp' }],
    ['it is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'True' }],
    ['both are turned off', { ...endpoint, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('nothing, when %s', (_, env) => {
    expect(telemetrySettings(env)).toBeUndefined();
  });

  it.each([
    ['none', undefined],
    ['NONE', undefined],
    ['console', undefined],
    ['otlp', 'http://collector:4318/v1/traces'],
    ['console, otlp', 'http://collector:4318/v1/traces'],
    ['', 'http://collector:4318/v1/traces'],
  ])('spans by the exporter %j', (exporter, url) => {
    const settings = telemetrySettings({ ...endpoint, OTEL_TRACES_EXPORTER: exporter });
    expect(settings?.traces?.href).toBe(url);
    expect(settings?.metrics?.href).toBe('http://collector:4318/v1/metrics');
  });

  it('is not disabled by anything but true', () => {
    expect(telemetrySettings({ ...endpoint, OTEL_SDK_DISABLED: '1' })).toBeDefined();
  });
});

describe('where it is sent', () => {
  it.each([
    ['http://collector:4318', 'http://collector:4318/v1/traces'],
    ['http://collector:4318/', 'http://collector:4318/v1/traces'],
    [' https://a.example/otlp ', 'https://a.example/otlp/v1/traces'],
    ['https://a.example/otlp//', 'https://a.example/otlp/v1/traces'],
    ['https://a.example/otlp?key=k', 'https://a.example/otlp/v1/traces?key=k'],
  ])('a general endpoint %j gets the path of the signal', (url, traces) => {
    expect(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url })?.traces?.href).toBe(traces);
  });

  it('an endpoint of one signal is used as it is, and before the general one', () => {
    const env = { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m.example/in' };
    const settings = telemetrySettings(env);
    expect(settings?.metrics?.href).toBe('https://m.example/in');
    expect(settings?.traces?.href).toBe('http://collector:4318/v1/traces');
  });

  it('an endpoint of one signal is for that signal alone', () => {
    const settings = telemetrySettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.example/x' });
    expect(settings?.traces?.href).toBe('http://t.example/x');
    expect(settings?.metrics).toBeUndefined();
    expect(settings?.unusable).toEqual([]);
  });

  it.each([
    'collector:4318',
    'grpc://collector',
    'file:///etc/passwd',
    'http://user:secret@collector',
    '//x',
  ])('the endpoint %j is named as unusable, not guessed at', (url) => {
    expect(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url })).toMatchObject({
      traces: undefined,
      metrics: undefined,
      unusable: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
    });
  });

  it.each([
    [undefined, 'http/json'],
    ['http/json', 'http/json'],
    ['http/protobuf', 'http/protobuf'],
    ['grpc', 'http/json'],
  ])('by the protocol %j: as %s', (asked, protocol) => {
    expect(telemetrySettings({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: asked })?.protocol).toBe(protocol);
  });
});

describe('the parent', () => {
  const parentOf = (text: string) => telemetrySettings({ ...endpoint, TRACEPARENT: text });

  it.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-03`, `cc-${traceId}-${spanId}-01-more`])(
    'is read from %j',
    (text) => {
      expect(parentOf(text)).toMatchObject({ parent: { traceId, spanId, traceFlags: 1 }, unusable: [] });
    },
  );

  it('may be one that is not kept', () => {
    expect(parentOf(`00-${traceId}-${spanId}-00`)?.parent?.traceFlags).toBe(0);
  });

  it.each([
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}`,
    'nonsense',
  ])('is none in %j', (text) => {
    expect(parentOf(text)).toMatchObject({ parent: undefined, unusable: ['TRACEPARENT'] });
    expect(parentOf(text)?.traces).toBeDefined();
  });
});
