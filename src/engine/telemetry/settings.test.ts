import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { telemetrySettings } from './settings.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const pieces = fc.constantFrom(
  'a',
  'B',
  '=',
  ',',
  ' ',
  '%',
  '%0d',
  '%0A',
  '%00',
  '%80',
  '\n',
  '\u0000',
  'é',
  '€',
);

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
    expect(settings?.traces?.url).toBe(url);
    expect(settings?.metrics?.url).toBe('http://collector:4318/v1/metrics');
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
    expect(telemetrySettings({ OTEL_EXPORTER_OTLP_ENDPOINT: url })?.traces?.url).toBe(traces);
  });

  it('an endpoint of one signal is used as it is, and before the general one', () => {
    const env = { ...endpoint, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://m.example/in' };
    const settings = telemetrySettings(env);
    expect(settings?.metrics?.url).toBe('https://m.example/in');
    expect(settings?.traces?.url).toBe('http://collector:4318/v1/traces');
  });

  it('an endpoint of one signal is for that signal alone', () => {
    const settings = telemetrySettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t.example/x' });
    expect(settings?.traces?.url).toBe('http://t.example/x');
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

  it('does not ask for the protocol', () => {
    for (const protocol of ['grpc', 'http/protobuf', 'http/json']) {
      expect(telemetrySettings({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: protocol })).toEqual(
        telemetrySettings(endpoint),
      );
    }
  });
});

describe('headers', () => {
  it('are decoded, and those of a signal go before the general ones', () => {
    const settings = telemetrySettings({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20dTpw==, X-Tenant = a ,,x-plus=1+1',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=b%2Cc',
    });
    expect([...(settings?.metrics?.headers ?? [])]).toEqual([
      ['authorization', 'Basic dTpw=='],
      ['x-tenant', 'a'],
      ['x-plus', '1+1'],
    ]);
    expect(settings?.traces?.headers.get('x-tenant')).toBe('b,c');
    expect(settings?.traces?.headers.get('authorization')).toBe('Basic dTpw==');
  });

  it.each(['broken', '=v', 'a b=c', 'a=%0d%0ahost: evil', 'a=%E2%82%AC'])(
    '%j cannot be one, and the others stay',
    (text) => {
      const env = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: `x-a=1,${text}` };
      const settings = telemetrySettings(env);
      expect([...(settings?.traces?.headers ?? [])]).toEqual([['x-a', '1']]);
      expect(settings?.unusable).toEqual(['OTEL_EXPORTER_OTLP_HEADERS']);
    },
  );

  it('are all such as fetch takes', () => {
    fc.assert(
      fc.property(fc.string({ unit: pieces, maxLength: 20 }), (text) => {
        const settings = telemetrySettings({ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: text });
        expect(() => new Headers([...(settings?.traces?.headers ?? [])])).not.toThrow();
      }),
    );
  });
});

describe('the time limit', () => {
  it.each([
    [undefined, 10_000, []],
    ['2500', 2500, []],
    ['99999999999', 600_000, []],
    ['0', 10_000, ['OTEL_EXPORTER_OTLP_TIMEOUT']],
    ['-5', 10_000, ['OTEL_EXPORTER_OTLP_TIMEOUT']],
    ['10s', 10_000, ['OTEL_EXPORTER_OTLP_TIMEOUT']],
  ])('of %j is %i ms', (text, timeoutMs, unusable) => {
    const settings = telemetrySettings({ ...endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: text });
    expect(settings?.traces?.timeoutMs).toBe(timeoutMs);
    expect(settings?.unusable).toEqual(unusable);
  });

  it('may be one of a signal', () => {
    const env = {
      ...endpoint,
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '3000',
    };
    const settings = telemetrySettings(env);
    expect([settings?.traces?.timeoutMs, settings?.metrics?.timeoutMs]).toEqual([2000, 3000]);
  });
});

describe('the resource', () => {
  it('is pawl by default', () => {
    expect([...(telemetrySettings(endpoint)?.resource ?? [])]).toEqual([['service.name', 'pawl']]);
  });

  it('is what the variables say, and the name of the service has a variable of its own', () => {
    const attributes = 'service.name=other,team=a%20b,__proto__=p';
    const plain = telemetrySettings({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: attributes });
    expect(plain?.resource.get('service.name')).toBe('other');
    expect(plain?.resource.get('team')).toBe('a b');
    expect(plain?.resource.get('__proto__')).toBe('p');
    const env = { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'book' };
    expect(telemetrySettings(env)?.resource.get('service.name')).toBe('book');
  });

  it('takes a percent sign that encodes nothing as one', () => {
    const env = { ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'share=50%' };
    expect(telemetrySettings(env)?.resource.get('share')).toBe('50%');
  });

  it('has no end of attributes', () => {
    const attributes = Array.from({ length: 200 }, (_, index) => `k${index}=v`).join(',');
    const settings = telemetrySettings({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: attributes });
    expect(settings?.resource.size).toBe(129);
    expect(settings?.unusable).toEqual(['OTEL_RESOURCE_ATTRIBUTES']);
  });
});

describe('the parent', () => {
  const parentOf = (text: string) => telemetrySettings({ ...endpoint, TRACEPARENT: text });

  it.each([`00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-03`, `cc-${traceId}-${spanId}-01-more`])(
    'is read from %j',
    (text) => {
      expect(parentOf(text)).toMatchObject({ parent: { traceId, spanId }, unusable: [] });
      expect(parentOf(text)?.traces).toBeDefined();
    },
  );

  it('that is not kept keeps no spans of ours either', () => {
    const settings = parentOf(`00-${traceId}-${spanId}-00`);
    expect(settings?.traces).toBeUndefined();
    expect(settings?.metrics).toBeDefined();
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
