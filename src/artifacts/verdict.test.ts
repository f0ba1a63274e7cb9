import { describe, expect, it } from 'vitest';
import type { Gate } from '../model/definition.ts';
import { readJudgement, readVerdict } from './verdict.ts';

const gate: Gate = {
  output: 'report',
  path: ['result', 'status'],
  score: undefined,
  scores: undefined,
  defects: undefined,
  pass: ['pass', 'true', '1'],
  backTo: 'draw',
  iterations: 3,
  // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
  then: 'stop',
};
const whole: Gate = { ...gate, score: ['n'], scores: ['by', 'name'], defects: ['why'] };
const bytes = (text: string) => new TextEncoder().encode(text);
const json = (value: unknown) => bytes(JSON.stringify(value));

describe('a verdict', () => {
  it.each([
    ['pass', 'pass'],
    [true, 'true'],
    [1, '1'],
    ['', ''],
  ])('may be %j', (status, verdict) => {
    expect(readVerdict(gate, json({ result: { status } }))).toEqual({ ok: true, value: verdict });
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
    expect(readVerdict(gate, bytes(text))).toEqual({ ok: false, failure: '' });
  });

  it.each([[''], ['{'], ['not json'], ['{"result":{"status":"pa']])('is not read from %j', (text) => {
    const read = readVerdict(gate, bytes(text));
    expect(read.ok === false && read.failure).toContain('SyntaxError');
  });

  it('is not what every object has', () => {
    const inherited = { ...gate, path: ['constructor', 'name'] };
    expect(readVerdict(inherited, json({}))).toEqual({ ok: false, failure: '' });
  });
});

describe('what a gate makes of a report', () => {
  it('is whether it passed, by the list of then', () => {
    expect(readJudgement(gate, 'pass', json({}))).toEqual({ passed: true });
    expect(readJudgement(gate, 'Pass', json({}))).toEqual({ passed: false });
  });

  it('is its score, its scores by name and its defects', () => {
    const report = { n: 0.75, by: { name: { feet: 1, alpha: 0 } }, why: ['too dark', 'no feet'] };
    expect(readJudgement(whole, 'fail', json(report))).toEqual({
      passed: false,
      score: 0.75,
      scores: { feet: 1, alpha: 0 },
      defects: ['too dark', 'no feet'],
    });
  });

  it('leaves out what is not there, and what is of another kind', () => {
    expect(readJudgement(whole, 'pass', json({}))).toEqual({ passed: true });
    const odd = { n: '0.75', by: { name: [1, 2] }, why: 'too dark' };
    expect(readJudgement(whole, 'pass', json(odd))).toEqual({ passed: true });
    const mixed = { n: null, by: { name: { feet: 1, note: 'x', none: null } }, why: [] };
    expect(readJudgement(whole, 'pass', json(mixed))).toEqual({
      passed: true,
      scores: { feet: 1 },
      defects: [],
    });
  });

  it('leaves out numbers that JSON can read and cannot write', () => {
    const report = bytes('{"n":1e999,"by":{"name":{"feet":-1e999,"alpha":1}},"why":[]}');
    expect(readJudgement(whole, 'pass', report)).toEqual({ passed: true, scores: { alpha: 1 }, defects: [] });
  });

  it('writes defects that are no texts as they stand', () => {
    const report = { why: [{ at: 3 }, 7, null] };
    expect(readJudgement(whole, 'pass', json(report)).defects).toEqual(['{"at":3}', '7', 'null']);
  });

  it('has an end', () => {
    const scores = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`s${at}`, at]));
    const why = Array.from({ length: 200 }, () => 'x'.repeat(2000));
    const judged = readJudgement(whole, 'pass', json({ by: { name: scores }, why }));
    expect(Object.keys(judged.scores ?? {})).toHaveLength(64);
    expect(judged.defects).toHaveLength(32);
    expect(new Set(judged.defects?.map(({ length }) => length))).toEqual(new Set([500]));
  });

  it('takes any name', () => {
    const report = bytes('{"by":{"name":{"__proto__":1,"constructor":2}}}');
    const { scores = {} } = readJudgement(whole, 'pass', report);
    expect(Object.entries(scores)).toEqual([
      ['__proto__', 1],
      ['constructor', 2],
    ]);
  });
});
