import { describe, expect, it } from 'vitest';
import { callSpan, measureCall } from './call.ts';
import { bareCall, fullCall } from './fixtures.ts';
import { Measures } from './measures.ts';

const asked = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude-sonnet-5',
};
const model = { ...asked, 'gen_ai.response.model': 'claude-sonnet-5-20260801' };
const where = { 'pawl.phase': 'write' };

function told(attributes: object): object {
  return JSON.parse(JSON.stringify(attributes));
}

describe('the span of a call', () => {
  it('says what the conventions name', () => {
    const { attributes, ...span } = callSpan(fullCall);
    expect(span).toEqual({ name: 'chat claude-sonnet-5', kind: 'client', error: undefined });
    expect(told(attributes)).toEqual({
      ...model,
      'gen_ai.request.temperature': { double: 1 },
      'gen_ai.request.max_tokens': { int: 4096 },
      'gen_ai.request.top_p': { double: 0.9 },
      'gen_ai.request.top_k': { double: 40 },
      'gen_ai.request.seed': { int: 7 },
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.response.id': 'msg_01',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': { double: 0.4 },
      'gen_ai.usage.input_tokens': { int: 1200 },
      'gen_ai.usage.output_tokens': { int: 300 },
      'gen_ai.usage.cache_read.input_tokens': { int: 1000 },
      'gen_ai.usage.cache_write.input_tokens': { int: 50 },
      'pawl.cost.usd': { double: 0.0125 },
    });
  });

  it('says no more than is known', () => {
    expect(told(callSpan(bareCall).attributes)).toEqual(asked);
  });

  it('says why it failed', () => {
    const { attributes, error } = callSpan({ ...bareCall, failure: 'provider-overloaded' });
    expect(error).toBe('provider-overloaded');
    expect(attributes).toMatchObject({ 'error.type': 'provider-overloaded' });
  });

  it('of an answer that was there already is no call, and has spent nothing', () => {
    const { kind, attributes } = callSpan({ ...fullCall, reused: true });
    expect(kind).toBe('internal');
    expect(attributes).toMatchObject({ ...model, 'pawl.reused': true });
    expect(Object.keys(attributes).filter((key) => /usage|cost/.test(key))).toEqual([]);
  });

  it.each([
    ['google', 'gcp.gemini'],
    ['mistral', 'mistral_ai'],
    ['openai', 'openai'],
    ['our-own-server', 'our-own-server'],
  ])('names the provider %s as %s', (provider, name) => {
    expect(callSpan({ ...fullCall, provider }).attributes['gen_ai.provider.name']).toBe(name);
  });
});

describe('the metrics of a call', () => {
  it('are tokens, time and money', () => {
    const measures = new Measures();
    measureCall(measures, fullCall, where);
    const [tokens, duration, cost] = measures.metrics(0, 0);
    expect(tokens).toMatchObject({
      name: 'gen_ai.client.token.usage',
      unit: '{token}',
      bounds: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
      points: [
        { attributes: { ...model, 'gen_ai.token.type': 'input' }, count: 1, sum: 1200 },
        { attributes: { ...model, 'gen_ai.token.type': 'output' }, count: 1, sum: 300 },
      ],
    });
    expect(duration).toMatchObject({
      name: 'gen_ai.client.operation.duration',
      unit: 's',
      bounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
      points: [{ attributes: model, sum: 2.5 }],
    });
    expect(cost).toMatchObject({
      name: 'pawl.cost.usd',
      kind: 'sum',
      points: [{ attributes: { ...where, ...model }, value: { double: 0.0125 } }],
    });
  });

  it('tell failed calls apart, and count no tokens that nobody has reported', () => {
    const measures = new Measures();
    measureCall(measures, { ...bareCall, failure: 'timed-out' }, where);
    expect(measures.metrics(0, 0)).toMatchObject([
      {
        name: 'gen_ai.client.operation.duration',
        points: [{ attributes: { ...asked, 'error.type': 'timed-out' } }],
      },
    ]);
  });

  it('are none for an answer that was there already', () => {
    const measures = new Measures();
    measureCall(measures, { ...fullCall, reused: true }, where);
    expect(measures.metrics(0, 0)).toEqual([]);
  });
});
