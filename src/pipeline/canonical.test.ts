import { describe, expect, it } from 'vitest';
import { loadText } from '../../test/fixtures/manifests.ts';
import { hashJson } from '../base/hash.ts';

const manifest = `pawl: 1
pipeline: p
failures: stop
units: { count: 8, id: "f{index}" }
phases:
  a:
    run: { command: [x] }
    params: { seed: 7 }
    ladder: [{ params: { seed: 8 } }]
    outputs: { o: { path: "a/{unit}.png", optional: false } }
    limits: { attempts: 60, retry_rate: 0.5 }
    retries: 2
    timeout: 1m
  b:
    run: { command: [x] }
    inputs: { before: { from: a.o, of: previous, on_change: tell } }
    outputs: { r: "b/{unit}.json" }
    gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 4, score: r.n }
layout: { unit_key: frame }
pace: { concurrency: 2 }
`;

async function hashWith(from: string, to: string): Promise<string> {
  const changed = manifest.replace(from, to);
  expect(changed).not.toBe(manifest);
  return hashJson((await loadText(changed)).pipeline.manifest);
}

describe('the canonical manifest', () => {
  it.each([
    ['failures: stop', 'failures: allow'],
    ['failures: stop\n', ''],
    ['attempts: 60', 'attempts: 90'],
    ['    limits: { attempts: 60, retry_rate: 0.5 }\n', ''],
    ['retries: 2', 'retries: 3'],
    ['timeout: 1m', 'timeout: 2m'],
    ['unit_key: frame', 'unit_key: picture'],
    ['layout: { unit_key: frame }\n', ''],
    ['concurrency: 2', 'concurrency: 3'],
    ['pace:', 'code: rerun\npace:'],
    ['on_change: tell', 'on_change: rerun'],
    ['of: previous, on_change: tell', 'of: previous'],
    ['timeout: 1m', 'timeout: 1m\n    code: { on_change: ask, files: [lib.py] }'],
  ])('is the same with %j as %j: no result hangs on it', async (from, to) => {
    expect(await hashWith(from, to)).toBe(hashJson((await loadText(manifest)).pipeline.manifest));
  });

  it.each([
    ['count: 8', 'count: 9'],
    ['seed: 7', 'seed: 6'],
    ['seed: 8', 'seed: 9'],
    ['ladder: [', 'ladder: [{}, '],
    ['optional: false', 'optional: true'],
    ['score: r.n', 'score: r.m'],
    ['iterations: 4', 'iterations: 5'],
  ])('is another with %j as %j', async (from, to) => {
    expect(await hashWith(from, to)).not.toBe(hashJson((await loadText(manifest)).pipeline.manifest));
  });

  it('leaves out what a stage says of failures', async () => {
    const staged = (failures: string) =>
      `pawl: 1\npipeline: p\nstages:\n  - { name: s, units: [u], ${failures}phases: { a: { run: { command: [x] }, limits: { attempts: 1 } } } }\n`;
    const [plain, allowed] = await Promise.all(
      ['', 'failures: allow, '].map((text) => loadText(staged(text))),
    );
    expect(allowed?.pipeline.stages[0]?.failures).toBe('allow');
    expect(allowed?.pipeline.manifest).toEqual(plain?.pipeline.manifest);
    expect(JSON.stringify(plain?.pipeline.manifest)).not.toContain('limits');
  });

  it('is not what results of a phase depend on: that is its definition, without its limits', async () => {
    const before = (await loadText(manifest)).statics;
    const after = (
      await loadText(manifest.replace('attempts: 60', 'attempts: 61').replace('count: 8', 'count: 9'))
    ).statics;
    expect(after).toEqual(before);
  });
});
