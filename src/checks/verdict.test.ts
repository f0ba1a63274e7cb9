import { describe, expect, it } from 'vitest';
import type { Gate } from '../model/definition.ts';
import type { Judgement } from '../model/event.ts';
import { readReport } from './verdict.ts';

const gate: Gate = {
  output: 'report',
  path: ['result', 'status'],
  score: undefined,
  scores: undefined,
  defects: undefined,
  pass: ['pass', 'true', '1'],
  bar: undefined,
  backTo: 'draw',
  iterations: 3,
  plateau: undefined,
  regression: undefined,
  budget: undefined,
  cluster: undefined,
  keep: 'last',
  // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
  then: 'stop',
};
const whole: Gate = { ...gate, score: ['n'], scores: ['by', 'name'], defects: ['why'] };
const bytes = (text: string) => new TextEncoder().encode(text);
const json = (value: unknown) => bytes(JSON.stringify(value));

/** What is made of a report by a gate that nothing keeps from letting it through. */
function judgedBy(by: Gate, report: Uint8Array): Judgement {
  const read = readReport({ ...by, path: undefined }, report);
  if (!read.ok) throw new Error(read.failure.detail);
  return read.value.judged;
}

describe('a verdict', () => {
  it.each([
    ['pass', 'pass'],
    [true, 'true'],
    [1, '1'],
    ['', ''],
  ])('may be %j', (status, verdict) => {
    expect(readReport(gate, json({ result: { status } }))).toMatchObject({ ok: true, value: { verdict } });
  });

  it.each([
    ['{}'],
    ['[]'],
    ['null'],
    ['7'],
    ['{ "result": "pass" }'],
    ['{ "result": { "status": null } }'],
    ['{ "result": { "status": ["pass"] } }'],
    ['{ "status": "pass" }'],
  ])('is not in %s', (text) => {
    const failure = { path: 'result.status', detail: '' };
    expect(readReport(gate, bytes(text))).toEqual({ ok: false, failure });
  });

  it.each([[''], ['{'], ['not json'], ['{"result":{"status":"pa']])('is not read from %j', (text) => {
    const read = readReport(gate, bytes(text));
    expect(read.ok === false && read.failure.detail).toContain('SyntaxError');
  });

  it('is not what every object has', () => {
    const inherited = { ...gate, path: ['constructor', 'name'] };
    expect(readReport(inherited, json({}))).toMatchObject({ ok: false, failure: { detail: '' } });
  });
});

describe('what a gate makes of a report', () => {
  it('is whether it passed, by the list of then', () => {
    const said = (status: string) => readReport(gate, json({ result: { status } }));
    expect(said('pass')).toEqual({ ok: true, value: { verdict: 'pass', judged: { passed: true } } });
    expect(said('Pass')).toEqual({ ok: true, value: { verdict: 'Pass', judged: { passed: false } } });
  });

  it('is its score, its scores by name and its defects', () => {
    const report = {
      result: { status: 'fail' },
      n: 0.75,
      by: { name: { feet: 1, alpha: 0 } },
      why: ['too dark', 'no feet'],
    };
    const judged = {
      passed: false,
      score: 0.75,
      scores: { feet: 1, alpha: 0 },
      defects: ['too dark', 'no feet'],
    };
    expect(readReport(whole, json(report))).toEqual({ ok: true, value: { verdict: 'fail', judged } });
  });

  it('leaves out what is not there, and what is of another kind', () => {
    expect(judgedBy(whole, json({}))).toEqual({ passed: true });
    const odd = { n: '0.75', by: { name: [1, 2] }, why: 'too dark' };
    expect(judgedBy(whole, json(odd))).toEqual({ passed: true });
    const mixed = { n: null, by: { name: { feet: 1, note: 'x', none: null } }, why: [] };
    expect(judgedBy(whole, json(mixed))).toEqual({
      passed: true,
      scores: { feet: 1 },
      defects: [],
    });
  });

  it('leaves out numbers that JSON can read and cannot write', () => {
    const report = bytes('{"n":1e999,"by":{"name":{"feet":-1e999,"alpha":1}},"why":[]}');
    expect(judgedBy(whole, report)).toEqual({ passed: true, scores: { alpha: 1 }, defects: [] });
  });

  it('writes defects that are no texts as they stand', () => {
    const report = { why: [{ at: 3 }, 7, null] };
    expect(judgedBy(whole, json(report)).defects).toEqual(['{"at":3}', '7', 'null']);
  });

  it('has an end', () => {
    const scores = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s${at}`, at]));
    const why = Array.from({ length: 200 }, () => 'x'.repeat(2000));
    const judged = judgedBy(whole, json({ by: { name: scores }, why }));
    expect(Object.keys(judged.scores ?? {})).toHaveLength(64);
    expect(judged.defects).toHaveLength(32);
    expect(new Set(judged.defects?.map(({ length }) => length))).toEqual(new Set([500]));
  });

  it('takes any name', () => {
    const report = bytes('{"by":{"name":{"__proto__":1,"constructor":2}}}');
    const { scores = {} } = judgedBy(whole, report);
    expect(Object.entries(scores)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });
});

describe('a bar', () => {
  const { path: _, ...rest } = gate;
  const scored: Gate = { ...rest, path: undefined, pass: [], score: ['n'], bar: 80 };

  it.each([
    [80, true],
    [79.99, false],
    [100, true],
    [-1, false],
  ])('judges %j without a verdict: the gate says it itself', (n, passed) => {
    const verdict = passed ? 'pass' : 'fail';
    const value = { verdict, judged: { passed, score: n } };
    expect(readReport(scored, json({ n }))).toEqual({ ok: true, value });
  });

  it.each([['{}'], ['{ "n": "80" }'], ['{ "n": null }'], ['{ "n": 1e999 }']])(
    'has no score in %s',
    (text) => {
      expect(readReport(scored, bytes(text))).toEqual({ ok: false, failure: { path: 'n', detail: '' } });
    },
  );

  it.each([
    ['pass', 80, true],
    ['pass', 79, false],
    ['fail', 100, false],
  ])('beside the verdict %s: %i passes: %s', (status, n, passed) => {
    const both: Gate = { ...scored, path: ['result', 'status'], pass: ['pass'] };
    const value = { verdict: status, judged: { passed, score: n } };
    expect(readReport(both, json({ result: { status }, n }))).toEqual({ ok: true, value });
  });
});
