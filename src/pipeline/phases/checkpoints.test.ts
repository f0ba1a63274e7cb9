import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';
import type { Phase } from '../../model/definition.ts';

/** Two phases that make something, and a third one with the keys. */
const manifest = (keys: string, top = '') =>
  `pawl: 1\npipeline: p\nunits: [u]\n${top}phases:\n` +
  '  spec: { run: { command: [x] }, outputs: { text: spec.md } }\n' +
  '  plan: { run: { command: [x] }, outputs: { text: plan.md, list: list.md } }\n' +
  `  code: { run: { command: [x] }, inputs: { text: plan.text }, outputs: { file: code.ts }, ${keys} }\n`;

async function phaseOf(text: string, name = 'code'): Promise<Phase> {
  const { pipeline } = await loadText(text);
  const phase = pipeline.stages[0]?.phases.find((written) => written.name === name);
  if (phase === undefined) throw new Error(`no phase ${name}`);
  return phase;
}

const points = async (keys: string, top = '') => (await phaseOf(manifest(keys, top))).checkpoints;

describe('a checkpoint', () => {
  it('is none where nothing is said', async () => {
    const { checkpoints, revises, again, onInterrupt } = await phaseOf(manifest('needs: [plan]'));
    expect({ checkpoints, revises, again, onInterrupt }).toEqual({
      checkpoints: [],
      revises: [],
      again: 'fresh',
      onInterrupt: 'rerun',
    });
  });

  it('may be only a name: after the phase, about what it made, sent back to it', async () => {
    expect(await points('checkpoint: Code review')).toEqual([
      {
        name: 'Code review',
        place: 'after Code review',
        when: 'after',
        show: [],
        backTo: 'code',
        channels: ['terminal', 'page'],
        expiresMs: undefined,
      },
    ]);
  });

  it('may say all of it', async () => {
    const written =
      'checkpoint: { name: Go, when: before, show: [plan.list, spec.text], back_to: plan, channels: [mcp], expires: 7d }';
    expect(await points(written)).toEqual([
      {
        name: 'Go',
        place: 'before Go',
        when: 'before',
        show: [
          { phase: 'plan', output: 'list' },
          { phase: 'spec', output: 'text' },
        ],
        backTo: 'plan',
        channels: ['mcp'],
        expiresMs: 7 * 86_400_000,
      },
    ]);
  });

  it('may be one of several: each has a place of its own, whatever it is called', async () => {
    const written =
      'checkpoint: [Review, { name: Go, when: before }, { name: Review }, { name: Go, when: before }]';
    expect((await points(written)).map(({ name, place }) => `${name} ${place}`)).toEqual([
      'Review after Review',
      'Go before Go',
      'Review after Review 2',
      'Go before Go 2',
    ]);
  });

  it('is answered as the manifest says for all, unless it says otherwise itself', async () => {
    const both = 'checkpoint: [A, { name: B, channels: [terminal] }]';
    expect((await points(both, 'channels: [terminal, script]\n')).map(({ channels }) => channels)).toEqual([
      ['terminal', 'script'],
      ['terminal'],
    ]);
  });

  it('shows outputs of the phase itself only when they are there', async () => {
    const [point] = await points('checkpoint: { name: A, show: [code.file] }');
    expect(point?.show).toEqual([{ phase: 'code', output: 'file' }]);
    expect(await codesOf(manifest('checkpoint: { name: A, when: before, show: [code.file] }'))).toEqual([
      'unknown-input phases.code.checkpoint.show[0]',
    ]);
  });

  it('shows outputs of phases whose names hold dots', async () => {
    const text =
      'pawl: 1\npipeline: p\nunits: [u]\nphases:\n' +
      '  a.b: { run: { command: [x] }, outputs: { c.d: x }, checkpoint: { name: A, show: [a.b.c.d] } }\n';
    const { checkpoints } = await phaseOf(text, 'a.b');
    expect(checkpoints[0]?.show).toEqual([{ phase: 'a.b', output: 'c.d' }]);
  });
});

describe('what a rejection sends back to', () => {
  it.each([
    ['checkpoint: { name: A }', 'code'],
    ['checkpoint: { name: A, show: [spec.text] }', 'code'],
    ['checkpoint: { name: A, back_to: spec }', 'spec'],
    ['checkpoint: { name: A, back_to: code }', 'code'],
    ['checkpoint: { name: A, when: before }', 'plan'],
    ['checkpoint: { name: A, when: before, show: [plan.text, spec.text] }', 'spec'],
    ['checkpoint: { name: A, when: before, back_to: spec }', 'spec'],
    // It takes plan.text, so that is shown, whatever else comes before it.
    ['needs: [spec], checkpoint: { name: A, when: before }', 'plan'],
    ['needs: [plan, spec], checkpoint: { name: A, when: before }', 'plan'],
  ])('%s: %s', async (written, phase) => {
    expect((await points(written))[0]?.backTo).toBe(phase);
  });

  it('is nothing before the first phase', async () => {
    const text =
      'pawl: 1\npipeline: p\nunits: [u]\nphases:\n' +
      '  a: { run: { command: [x] }, outputs: { c: x }, checkpoint: { name: A, when: before } }\n';
    expect((await phaseOf(text, 'a')).checkpoints[0]?.backTo).toBeUndefined();
  });
});

describe('what is wrong with a checkpoint', () => {
  it.each([
    ['checkpoint: { when: before }', 'missing-key phases.code.checkpoint.name'],
    ['checkpoint: { name: A, when: during }', 'not-one-of phases.code.checkpoint.when'],
    ['checkpoint: { name: A, show: [] }', 'out-of-range phases.code.checkpoint.show'],
    ['checkpoint: { name: A, show: [plan] }', 'unknown-input phases.code.checkpoint.show[0]'],
    ['checkpoint: { name: A, show: [plan.text, later.x] }', 'unknown-input phases.code.checkpoint.show[1]'],
    ['checkpoint: { name: A, back_to: later }', 'not-one-of phases.code.checkpoint.back_to'],
    ['checkpoint: { name: A, when: before, back_to: code }', 'not-one-of phases.code.checkpoint.back_to'],
    ['checkpoint: { name: A, channels: [] }', 'out-of-range phases.code.checkpoint.channels'],
    ['checkpoint: { name: A, channels: [chat] }', 'not-one-of phases.code.checkpoint.channels[0]'],
    ['checkpoint: { name: A, expires: soon }', 'wrong-type phases.code.checkpoint.expires'],
    ['checkpoint: { name: A, expires: 0 }', 'out-of-range phases.code.checkpoint.expires'],
    ['checkpoint: { name: A, who: ann }', 'unknown-key phases.code.checkpoint.who'],
    ['checkpoint: []', 'out-of-range phases.code.checkpoint'],
    ['checkpoint: [A, { name: B, show: [spec.txt] }]', 'unknown-input phases.code.checkpoint[1].show[0]'],
    ['checkpoint: 7', 'wrong-type phases.code.checkpoint'],
  ])('%s: %s', async (written, problem) => {
    expect(await codesOf(manifest(written))).toEqual([problem]);
  });

  it('is told with what could have been meant', async () => {
    expect(await problemsOf(manifest('checkpoint: { name: A, show: [plan.txt] }'))).toMatchObject([
      {
        code: 'unknown-input',
        place: { line: 7 },
        facts: {
          found: 'plan.txt',
          valid: ['spec.text', 'plan.text', 'plan.list', 'code.file'],
          suggestion: 'plan.text',
        },
      },
    ]);
    expect(await problemsOf(manifest('checkpoint: { name: A, back_to: pln }'))).toMatchObject([
      { code: 'not-one-of', facts: { found: 'pln', valid: ['spec', 'plan', 'code'], suggestion: 'plan' } },
    ]);
  });

  it('may be the channels of all', async () => {
    expect(await codesOf(manifest('needs: [plan]', 'channels: [terminal, chat]\n'))).toEqual([
      'not-one-of channels[1]',
    ]);
    expect(await codesOf(manifest('needs: [plan]', 'channels: []\n'))).toEqual(['out-of-range channels']);
  });
});

describe('what a phase may ask to be done again', () => {
  it('is what it is told that it may', async () => {
    expect((await phaseOf(manifest('revises: [spec, plan]'))).revises).toEqual(['spec', 'plan']);
  });

  it.each([
    ['revises: [code]', 'not-one-of phases.code.revises[0]'],
    ['revises: [spec, plna]', 'not-one-of phases.code.revises[1]'],
    ['revises: []', 'out-of-range phases.code.revises'],
  ])('%s: %s', async (written, problem) => {
    expect(await codesOf(manifest(written))).toEqual([problem]);
  });
});

describe('what a later attempt is handed', () => {
  it.each([
    ['again: continue', 'continue', 'continue'],
    ['again: continue, on_interrupt: ask', 'continue', 'ask'],
    ['again: fresh', 'fresh', 'rerun'],
  ])('%s', async (written, again, onInterrupt) => {
    expect(await phaseOf(manifest(written))).toMatchObject({ again, onInterrupt });
  });
});

describe('what people are asked', () => {
  const definitionOf = async (keys: string, top = '') =>
    (await loadText(manifest(keys, top))).statics.get('code')?.definition;

  it('says nothing of what the phase makes: it is no other definition', async () => {
    const plain = await definitionOf('needs: [plan]');
    expect(plain).toBeDefined();
    expect(await definitionOf('needs: [plan], checkpoint: Review')).toBe(plain);
    expect(await definitionOf('needs: [plan], revises: [spec], again: continue')).toBe(plain);
    expect(await definitionOf('needs: [plan]', 'channels: [terminal, mcp]\n')).toBe(plain);
    expect(await definitionOf('needs: [plan], params: { a: 1 }')).not.toBe(plain);
  });
});
