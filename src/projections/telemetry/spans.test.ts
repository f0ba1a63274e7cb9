import { describe, expect, it } from 'vitest';
import { bareCall, fullCall, fullCost } from '../../../test/fixtures/telemetry.ts';
import { hashBytes } from '../../base/hash.ts';
import type { ModelParameters } from '../../model/definition.ts';
import type { EventBody } from '../../model/event.ts';
import { type EndedSpan, foldSpan, interruptedSpan, type OpenAttempt } from './spans.ts';

const startMs = Date.parse('2026-11-15T12:00:00.000Z');
const step = { unit: 'ch001_sc001', phase: 'write', attempt: 2 };
const call = { model: 'anthropic/claude-sonnet-5', key: hashBytes('key') };
const started: EventBody = {
  type: 'attempt_started',
  ...step,
  revision: 1,
  call,
  why: { code: 'failed-before', attempt: 1, failure: 'timed-out' },
};
const succeeded: EventBody = { type: 'attempt_succeeded', ...step, outputs: {}, ms: 3000, verdict: 'pass' };
const failed: EventBody = {
  type: 'attempt_failed',
  ...step,
  reason: 'check-failed',
  message: 'once upon',
  ms: 3000,
};
const interrupted: EventBody = { type: 'attempt_interrupted', ...step, ms: 3000 };
const until = '2026-11-15T13:00:00.000Z';
const paused: EventBody = { type: 'attempt_paused', ...step, reason: 'quota', message: '', until, ms: 3000 };

function folding(parameters: ModelParameters = {}) {
  const run = { id: 'r1', pipeline: 'book', parametersOf: () => parameters };
  const open = new Map<string, OpenAttempt>();
  let seq = 0;
  const add = (ms: number, body: EventBody) => {
    const at = new Date(startMs + ms).toISOString();
    return foldSpan(run, open, { ...body, seq: ++seq, at, actor: 'runner', epoch: 1 });
  };
  const rest = (ms: number) => [...open.values()].map((one) => interruptedSpan(run, one, startMs + ms));
  return { add, rest };
}

/** An attempt that starts after 1 s and ends after 4 s. */
function attempt(end: EventBody, start: EventBody = started, parameters?: ModelParameters): EndedSpan {
  const { add } = folding(parameters);
  add(1000, start);
  const span = add(4000, end);
  if (span === undefined) throw new Error('the attempt has no span');
  return span;
}

function timesOf({ startMs: from, endMs }: EndedSpan): [number, number] {
  return [from - startMs, endMs - startMs];
}

/** Without what is left out. */
function saidBy(attributes: object | undefined): object {
  return JSON.parse(JSON.stringify(attributes ?? {}));
}

describe('the span of an attempt', () => {
  it('has the times of its events, and says what it is about', () => {
    const span = attempt(succeeded);
    expect(timesOf(span)).toEqual([1000, 4000]);
    expect(span).toMatchObject({ name: 'pawl.phase write', error: undefined, isClient: false, children: [] });
    expect(saidBy(span.attributes)).toEqual({
      'pawl.run.id': 'r1',
      'pawl.unit': 'ch001_sc001',
      'pawl.phase': 'write',
      'pawl.attempt': 2,
      'pawl.iteration': 1,
      'pawl.why': 'failed-before',
      'pawl.outcome': 'succeeded',
      'pawl.verdict': 'pass',
    });
    const by = { 'pawl.pipeline': 'book', 'pawl.phase': 'write', 'pawl.outcome': 'succeeded' };
    expect(span.measures).toEqual([['pawl.phase.attempts', 1, by]]);
  });

  it('is of a first attempt where no reason is on record, and of a later round where one is', () => {
    const first = { ...step, attempt: 1 };
    const start = { type: 'attempt_started', ...first, round: 3, revision: 1 } as const;
    expect(attempt({ ...succeeded, ...first }, start).attributes).toMatchObject({
      'pawl.why': 'never-ran',
      'pawl.iteration': 3,
    });
  });

  it.each([
    [failed, 'check-failed', { 'pawl.outcome': 'failed', 'pawl.failure': 'check-failed' }],
    [interrupted, undefined, { 'pawl.outcome': 'interrupted' }],
    [paused, undefined, { 'pawl.outcome': 'paused', 'pawl.paused_for': 'quota', 'pawl.paused_until': until }],
    [
      { type: 'revision_requested', ...step, to: 'plan', reason: 'once upon', ms: 3000 } as const,
      undefined,
      { 'pawl.outcome': 'revised' },
    ],
  ])('says how it ended: $type', (end, error, attributes) => {
    const span = attempt(end);
    expect(span.error).toBe(error);
    expect(span.attributes).toMatchObject(attributes);
    expect(JSON.stringify(span)).not.toContain('once upon');
  });

  it('holds no verdict that is as long as an answer', () => {
    const span = attempt({ ...succeeded, verdict: `once upon a time ${'there was '.repeat(5)}` });
    expect(span.attributes['pawl.verdict']).toBeUndefined();
  });

  it('is that of its own unit, phase and number', () => {
    const { add } = folding();
    const others = [step, { ...step, unit: 'ch002' }, { ...step, phase: 'lint' }, { ...step, attempt: 3 }];
    for (const [at, other] of others.entries()) add(at, { ...started, ...other });
    const spans = others.map((other) => add(100, { ...succeeded, ...other }));
    expect(spans.map((span) => span && timesOf(span)[0])).toEqual([0, 1, 2, 3]);
  });

  it('is not made of an end whose start another process recorded', () => {
    expect(folding().add(0, succeeded)).toBeUndefined();
  });

  it('ends with its invocation where no end is on record', () => {
    const { add, rest } = folding();
    add(1000, started);
    const [span, ...others] = rest(2000);
    expect(others).toEqual([]);
    expect(span?.attributes['pawl.outcome']).toBe('interrupted');
    expect(span && timesOf(span)).toEqual([1000, 2000]);
    expect(span?.children).toHaveLength(1);
  });
});

const asked = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'anthropic',
  'gen_ai.request.model': 'claude-sonnet-5',
};
const model = { ...asked, 'gen_ai.response.model': 'claude-sonnet-5-20260801' };

function callOf(end: EventBody, start?: EventBody, parameters?: ModelParameters): EndedSpan | undefined {
  return attempt(end, start, parameters).children[0];
}

describe('the span of a call', () => {
  it('says what the conventions name', () => {
    const parameters = { temperature: 1, maxTokens: 4096, topP: 0.9, topK: 40, seed: 7, stop: ['END'] };
    const span = callOf({ ...succeeded, call: fullCall, cost: fullCost }, started, parameters);
    expect(span).toMatchObject({ name: 'chat claude-sonnet-5', isClient: true, error: undefined });
    expect(span && timesOf(span)).toEqual([1000, 3500]);
    expect(saidBy(span?.attributes)).toEqual({
      'pawl.run.id': 'r1',
      'pawl.unit': 'ch001_sc001',
      'pawl.phase': 'write',
      'pawl.attempt': 2,
      ...model,
      'gen_ai.request.temperature': 1,
      'gen_ai.request.max_tokens': 4096,
      'gen_ai.request.top_p': 0.9,
      'gen_ai.request.top_k': 40,
      'gen_ai.request.seed': 7,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.response.id': 'msg_01',
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.time_to_first_chunk': 0.4,
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.usage.cache_read.input_tokens': 1000,
      'gen_ai.usage.cache_write.input_tokens': 50,
      'pawl.cost.usd': 0.0125,
    });
  });

  it('does not end after its attempt', () => {
    const span = callOf({ ...succeeded, call: { ...fullCall, ms: 60_000 } });
    expect(span && timesOf(span)).toEqual([1000, 4000]);
  });

  it.each([
    ['without an answer', { ...failed, call: bareCall }, 'check-failed'],
    ['whose provider asked to wait', { ...paused, call: bareCall }, 'quota'],
    ['that was cut off', interrupted, 'interrupted'],
    ['whose answer failed its check', { ...failed, call: fullCall }, undefined],
    ['whose answer had come when its attempt was cut off', { ...interrupted, cost: fullCost }, undefined],
  ])('%s says why it failed, if it did', (_, end, error) => {
    const span = callOf(end);
    expect(span?.error).toBe(error);
    expect(span?.attributes['error.type']).toBe(error);
    expect(span?.attributes).toMatchObject(asked);
  });

  it.each([
    ['that was announced and not sent', { ...interrupted, unsent: true }],
    ['that another attempt was refused', { ...failed, call: { ...bareCall, ms: 0 } }],
  ])('is not made of a call %s', (_, end) => {
    expect(callOf(end)).toBeUndefined();
  });

  it('of an answer that was there already is no call, and has spent nothing', () => {
    const reused = { ...fullCall, ms: 0, reused: 'r0 a/write#1', saved: fullCost };
    const span = callOf({ ...succeeded, call: reused });
    expect(span?.isClient).toBe(false);
    expect(span?.measures.filter(([, value]) => value !== undefined)).toEqual([]);
    expect(span?.attributes).toMatchObject({ ...model, 'pawl.reused': true });
    const said = Object.keys(saidBy(span?.attributes));
    expect(said.filter((key) => /usage|cost/.test(key))).toEqual([]);
  });

  it.each([
    ['google/gemini', 'gcp.gemini', 'gemini'],
    ['mistral/large', 'mistral_ai', 'large'],
    ['openai/o9', 'openai', 'o9'],
    ['our-own-server/team/model', 'our-own-server', 'team/model'],
    ['constructor/m', 'constructor', 'm'],
  ])('names provider and model of %s', (asked, provider, name) => {
    const span = callOf({ ...succeeded, call: { ...fullCall, model: asked } });
    expect(span?.attributes).toMatchObject({
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': name,
    });
  });

  it('is counted by tokens, time and money', () => {
    const span = callOf({ ...succeeded, call: fullCall, cost: fullCost });
    expect(JSON.parse(JSON.stringify(span?.measures))).toEqual([
      ['gen_ai.client.token.usage', 1200, { ...model, 'gen_ai.token.type': 'input' }],
      ['gen_ai.client.token.usage', 300, { ...model, 'gen_ai.token.type': 'output' }],
      ['gen_ai.client.operation.duration', 2.5, model],
      ['pawl.cost.usd', 0.0125, { 'pawl.pipeline': 'book', 'pawl.phase': 'write', ...model }],
    ]);
  });
});
