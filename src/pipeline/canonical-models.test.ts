import { describe, expect, it } from 'vitest';
import { loadText } from '../../test/fixtures/manifests.ts';
import { hashJson } from '../base/hash.ts';

const files = { 't.md': 'Say it.', 'r.md': 'Again.', 's.json': '{"type":"object"}', 'notes.md': 'Notes' };
const manifest = `pawl: 1
pipeline: p
units: [u]
inputs: { notes: notes.md }
models:
  use: { writer: openai/gpt-5 }
  providers: { local: { base_url: "http://x", concurrency: 1 } }
  prices:
    openai/gpt-5: { input: 1, output: 1 }
    openai/gpt-6: { input: 1, output: 1 }
    local/gpt-5: { input: 1, output: 1 }
  limits: { openai/gpt-5: { concurrency: 2 } }
budget: { usd: 1, warn_at: 50% }
phases:
  a:
    model: { use: writer, temperature: 0.5, max_tokens: 9, options: { effort: low } }
    reuse: content
    budget: { tokens: 5 }
    prompt: t.md
    inputs: { notes: notes }
    outputs: { o: { path: "out/{unit}.json", from: json, schema: s.json } }
pace: { wait: 1m }
`;

async function identity(text: string) {
  const { pipeline, statics } = await loadText(text, files);
  return { manifest: hashJson(pipeline.manifest), definition: statics.get('a')?.definition };
}

async function changed(from: string, to: string) {
  const text = manifest.replace(from, to);
  expect(text).not.toBe(manifest);
  return identity(text);
}

describe('what a run is does not hang on', () => {
  it.each([
    ['where models are found', '"http://x", concurrency: 1', '"http://y"'],
    [
      'which providers there are',
      'concurrency: 1 } }',
      'concurrency: 1 }, other: { base_url: "http://z" } }',
    ],
    ['prices', 'openai/gpt-5: { input: 1, output: 1', 'openai/gpt-5: { input: 2, output: 7'],
    ['how fast models may be asked', 'concurrency: 2', 'requests_per_minute: 7'],
    ['what may be spent', 'usd: 1, warn_at: 50%', 'usd: 100'],
    ['that anything may be spent at all', 'budget: { usd: 1, warn_at: 50% }\n', ''],
    ['what a phase may spend', '    budget: { tokens: 5 }\n', ''],
    ['whether answers are reused', '    reuse: content\n', '    reuse: never\n'],
    ['whether anything is said of that', '    reuse: content\n', ''],
    ['how long is waited', 'wait: 1m', 'wait: 1h'],
    [
      'what a model is called here',
      'use: { writer: openai/gpt-5 }',
      'use: { writer: openai/gpt-5, x: openai/y }',
    ],
  ])('%s', async (_, from, to) => {
    expect(await changed(from, to)).toEqual(await identity(manifest));
  });

  it('whether a model is called by its own name or by one of the manifest', async () => {
    expect(await changed('use: writer,', 'use: openai/gpt-5,')).toEqual(await identity(manifest));
    const renamed = manifest
      .replace('writer: openai', 'author: openai')
      .replace('use: writer', 'use: author');
    expect(await identity(renamed)).toEqual(await identity(manifest));
  });

  it('whether a model stands alone or in a map', async () => {
    const map = '{ use: writer, temperature: 0.5, max_tokens: 9, options: { effort: low } }';
    const alone = await identity(manifest.replace(map, 'openai/gpt-5'));
    expect(await identity(manifest.replace(map, '{ use: openai/gpt-5 }'))).toEqual(alone);
    expect(await identity(manifest.replace(map, 'writer'))).toEqual(alone);
    expect(await identity(manifest.replace(map, '{ use: writer }'))).toEqual(alone);
  });

  it('the order of what is said', async () => {
    expect(await changed('temperature: 0.5, max_tokens: 9', 'max_tokens: 9, temperature: 0.5')).toEqual(
      await identity(manifest),
    );
  });
});

describe('what a run is and what a phase makes are others', () => {
  it.each([
    ['the model that a name stands for', 'writer: openai/gpt-5', 'writer: openai/gpt-6'],
    ['the model', 'use: writer,', 'use: local/gpt-5,'],
    ['temperature', 'temperature: 0.5', 'temperature: 0.6'],
    ['that there is a temperature', 'temperature: 0.5, ', ''],
    ['how long an answer may be', 'max_tokens: 9', 'max_tokens: 10'],
    ['options', 'effort: low', 'effort: high'],
    ['files that are sent', 'max_tokens: 9', 'max_tokens: 9, attach: [notes]'],
    ['the part that is taken', 'from: json', 'from: json.o'],
    ['a repair prompt', 'prompt: t.md', 'prompt: { phase: t.md, repair: r.md }'],
  ])('with another %s', async (_, from, to) => {
    const before = await identity(manifest);
    const after = await changed(from, to);
    expect(after.manifest).not.toBe(before.manifest);
    expect(after.definition).not.toBe(before.definition);
  });
});

it('leaves nothing of models, budgets or reuse in what is recorded', async () => {
  const { pipeline } = await loadText(manifest, files);
  const text = JSON.stringify(pipeline.manifest);
  for (const word of ['models', 'providers', 'prices', 'budget', 'reuse', 'writer', 'http://x'])
    expect(text).not.toContain(word);
  expect(pipeline.manifest).toMatchObject({
    phases: { a: { model: { use: 'openai/gpt-5', temperature: 0.5, max_tokens: 9 } } },
  });
});

it('treats the phases of stages alike', async () => {
  const staged = (phase: string) =>
    `pawl: 1\npipeline: p\nmodels: { use: { w: openai/m } }\nstages:\n  - { name: s, units: [u], phases: { a: { ${phase}, prompt: t.md, outputs: { o: "o/{unit}" } } } }\n`;
  const plain = await identity(staged('model: openai/m'));
  expect(await identity(staged('model: w, reuse: content, budget: { tokens: 4 }'))).toEqual(plain);
  expect(await identity(staged('model: openai/n'))).not.toEqual(plain);
});
