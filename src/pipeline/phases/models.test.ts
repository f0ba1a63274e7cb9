import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';
import type { ModelCall, Phase } from '../../model/definition.ts';

const files = {
  't.md': 'Say {{ unit.id }}.',
  's.md': 'Be brief.',
  'r.md': 'It was {{ failure.reason }}, {{ failure.message }} in {{ failure.output }}: {{ answer }}',
  's.json': '{"type":"object"}',
  'notes.md': 'Notes',
};
const prompt = 'prompt: t.md';
const outputs = 'outputs: { o: "out/{unit}.md" }';
const model = 'model: anthropic/claude-sonnet-5';

/** A manifest whose phase `a` has these keys, with more at the top. */
function manifest(phase: string, more = ''): string {
  return `pawl: 1\npipeline: p\nunits: [u]\n${more}phases:\n  a: { ${phase} }\n`;
}

/** The same with all that a phase of a model cannot do without. */
function asking(phase: string, more = ''): string {
  return manifest([prompt, outputs, phase].join(', '), more);
}

async function phaseOf(text: string): Promise<Phase> {
  const { pipeline } = await loadText(text, files);
  const phase = pipeline.stages[0]?.phases[0];
  if (phase === undefined) throw new Error('no phase');
  return phase;
}

async function callOf(text: string): Promise<ModelCall> {
  const { executor } = await phaseOf(text);
  if (executor.kind !== 'model') throw new Error(`no model, but ${executor.kind}`);
  return executor;
}

const codes = (text: string) => codesOf(text, files);

describe('the model of a phase', () => {
  it('is a provider and a model, in one word', async () => {
    expect(await callOf(asking(model))).toEqual({
      kind: 'model',
      provider: 'anthropic',
      model: 'claude-sonnet-5',
      parameters: {},
      attach: [],
      reuse: 'never',
    });
  });

  it('may have slashes in its own name', async () => {
    const more = 'models: { providers: { router: { base_url: "https://router.example/v1" } } }\n';
    expect(await callOf(asking('model: router/meta/llama-4', more))).toMatchObject({
      provider: 'router',
      model: 'meta/llama-4',
    });
  });

  it('may have a name of its own in the manifest', async () => {
    const more = 'models: { use: { writer: openai/gpt-5 } }\n';
    expect(await callOf(asking('model: writer', more))).toMatchObject({ provider: 'openai', model: 'gpt-5' });
    expect(await callOf(asking('model: { use: writer, seed: 3 }', more))).toMatchObject({
      provider: 'openai',
      model: 'gpt-5',
      parameters: { seed: 3 },
    });
  });

  it('is asked with these parameters, and no others', async () => {
    const keys =
      'use: openai/gpt-5, temperature: 0, max_tokens: 9, top_p: 0.5, top_k: 4, seed: -1, stop: [END], options: { x: [1] }';
    expect((await callOf(asking(`model: { ${keys} }`))).parameters).toEqual({
      temperature: 0,
      maxTokens: 9,
      topP: 0.5,
      topK: 4,
      seed: -1,
      stop: ['END'],
      options: { x: [1] },
    });
  });

  it('is sent inputs as files that the phase has', async () => {
    const more = 'inputs: { notes: notes.md }\n';
    const phase = 'model: { use: openai/gpt-5, attach: [notes] }, inputs: { notes: notes }';
    expect((await callOf(asking(phase, more))).attach).toEqual(['notes']);
    expect(await problemsOf(asking(phase.replace('[notes]', '[notes, note]'), more), files)).toMatchObject([
      {
        code: 'not-one-of',
        path: 'phases.a.model.attach[1]',
        facts: { found: 'note', valid: ['notes'], suggestion: 'notes' },
      },
    ]);
  });

  it.each([
    ['model: openai/gpt-5', 'never'],
    ['model: { use: openai/gpt-5, temperature: 0 }', 'content'],
    ['model: { use: openai/gpt-5, temperature: 0.1 }', 'never'],
    ['model: { use: openai/gpt-5, temperature: 0 }, reuse: never', 'never'],
    ['model: { use: openai/gpt-5, temperature: 2 }, reuse: content', 'content'],
  ])('%s: an earlier answer is reused %s', async (phase, reuse) => {
    expect((await callOf(asking(phase))).reuse).toBe(reuse);
  });

  it.each([
    ['model: gpt-5', 'wrong-type phases.a.model'],
    ['model: /gpt-5', 'wrong-type phases.a.model'],
    ['model: openai/', 'wrong-type phases.a.model'],
    ['model: ""', 'wrong-type phases.a.model'],
    ['model: { use: "" }', 'wrong-type phases.a.model.use'],
    ['model: { use: gpt-5 }', 'wrong-type phases.a.model.use'],
    ['model: opnai/gpt-5', 'not-one-of phases.a.model'],
    ['model: { use: opnai/gpt-5 }', 'not-one-of phases.a.model.use'],
    ['model: { use: openai/gpt-5, temperature: 3 }', 'out-of-range phases.a.model.temperature'],
    ['model: { use: openai/gpt-5, max_tokens: 0 }', 'out-of-range phases.a.model.max_tokens'],
    ['model: { use: openai/gpt-5, max_tokens: 1.5 }', 'wrong-type phases.a.model.max_tokens'],
    ['model: { use: openai/gpt-5, top_p: -1 }', 'out-of-range phases.a.model.top_p'],
    ['model: { use: openai/gpt-5, max_token: 5 }', 'unknown-key phases.a.model.max_token'],
    ['model: { temperature: 1 }', 'missing-key phases.a.model.use'],
    ['model: openai/gpt-5, reuse: always', 'not-one-of phases.a.reuse'],
  ])('is refused: %s', async (phase, code) => {
    expect(await codes(asking(phase))).toEqual([code]);
  });

  it.each(['model: ""', 'model: { use: "" }'])('is asked for in words: %s', async (phase) => {
    const [problem] = await problemsOf(asking(phase), files);
    expect(problem?.facts).toEqual({ expected: 'PROVIDER/MODEL', found: '' });
  });

  it('is suggested where a name is nearly right', async () => {
    const more = 'models: { use: { writer: openai/gpt-5 } }\n';
    expect(await problemsOf(asking('model: writr', more), files)).toMatchObject([
      { code: 'wrong-type', facts: { found: 'writr', expected: 'PROVIDER/MODEL', suggestion: 'writer' } },
    ]);
    expect(await problemsOf(asking('model: antropic/x'), files)).toMatchObject([
      { facts: { found: 'antropic', suggestion: 'anthropic', valid: ['anthropic', 'openai', 'google'] } },
    ]);
  });

  it('cannot be had together with what only a program has, nor without a prompt and something to make', async () => {
    expect(await codes(asking(`${model}, run: { command: [x] }`))).toEqual(['unknown-key phases.a.run']);
    expect(await codes(manifest(`${model}, ${outputs}`))).toEqual(['missing-key phases.a.prompt']);
    expect(await codes(manifest(`${model}, ${prompt}`))).toEqual(['missing-key phases.a.outputs']);
    expect(await codes(manifest(`${model}, ${prompt}, outputs: {}`))).toEqual([
      'missing-key phases.a.outputs',
    ]);
    expect(await codes(manifest(prompt))).toEqual(['missing-key phases.a.run']);
    const state = 'state: { path: st.json, initial: s.json }\n';
    const chain = asking(`${model}, state: write`, state).replace('[u]', '{ list: [u], order: chain }');
    expect(await codes(chain)).toEqual(['unknown-key phases.a.state']);
  });

  it('has what it says of answers refused where a program runs: it would mean nothing there', async () => {
    const run = 'run: { command: [x] }';
    expect(await codes(manifest(`${run}, outputs: { o: { path: o.md, from: text } }`))).toEqual([
      'gate-needs-key phases.a.outputs.o.from',
    ]);
  });
});

describe('what becomes of an answer', () => {
  const from = async (output: string) =>
    (await phaseOf(manifest(`${model}, ${prompt}, outputs: { o: ${output} }`))).outputs[0];

  it.each([
    ['o.md', { kind: 'text' }],
    ['{ path: o.md }', { kind: 'text' }],
    ['{ path: o.md, from: text }', { kind: 'text' }],
    ['{ path: o.json, from: json }', { kind: 'json', key: undefined }],
    ['{ path: o.json, from: json.patch }', { kind: 'json', key: 'patch' }],
    ['{ path: o.json, schema: s.json }', { kind: 'json', key: undefined }],
    ['{ path: o.json, from: json.a, schema: s.json }', { kind: 'json', key: 'a' }],
  ])('%s', async (output, part) => {
    expect((await from(output))?.from).toEqual(part);
  });

  it('is proven by the schema that it was asked for in', async () => {
    expect((await from('{ path: o.json, schema: s.json }'))?.check).toEqual({
      kind: 'json-schema',
      path: 's.json',
      schema: { type: 'object' },
    });
  });

  it.each([
    ['{ path: o.json, from: yaml }', 'phases.a.outputs.o.from'],
    ['{ path: o.json, from: json. }', 'phases.a.outputs.o.from'],
    ['{ path: o.json, from: json.a.b }', 'phases.a.outputs.o.from'],
    ['{ path: o.json, from: text, schema: s.json }', 'phases.a.outputs.o.schema'],
    ['{ path: o.json, schema: s.json, check: json }', 'phases.a.outputs.o.schema'],
    ['{ path: o.json, schema: gone.json }', 'phases.a.outputs.o.schema'],
  ])('is refused: %s', async (output, path) => {
    const found = await problemsOf(manifest(`${model}, ${prompt}, outputs: { o: ${output} }`), files);
    expect(found.map((problem) => problem.path)).toEqual([path]);
  });

  it('may be repaired with a template that knows what was wrong', async () => {
    const text = manifest(`${model}, ${outputs}, prompt: { phase: t.md, system: s.md, repair: r.md }`);
    expect((await phaseOf(text)).prompt).toEqual({
      system: 's.md',
      phase: 't.md',
      override: undefined,
      repair: 'r.md',
    });
  });

  it('is tried a few times a sitting where nothing is said of retries', async () => {
    expect((await phaseOf(asking(model))).retries).toMatchObject({ attempts: undefined, sitting: 3 });
    expect((await phaseOf(asking(`${model}, retries: 7`))).retries).toMatchObject({ attempts: 7 });
    expect((await phaseOf(manifest('run: { command: [x] }'))).retries).not.toHaveProperty('sitting');
  });
});

describe('providers', () => {
  const providers = async (written: string) =>
    (await loadText(asking(model, `models: { providers: ${written} }\n`), files)).pipeline.models.providers;
  const none = { concurrency: undefined, requestsPerMinute: undefined, tokensPerMinute: undefined };

  it('that everybody knows need no word', async () => {
    const { models } = (await loadText(asking(model), files)).pipeline;
    expect(models.providers.map(({ name, api, key }) => [name, api.kind, key])).toEqual([
      ['anthropic', 'anthropic', 'ANTHROPIC_API_KEY'],
      ['openai', 'openai', 'OPENAI_API_KEY'],
      ['google', 'google', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ]);
    expect(models.prices).toEqual({});
    expect(models.limits).toEqual({});
  });

  it('of another name speak as OpenAI does, unless they say otherwise', async () => {
    const [local, other] = await providers(
      '{ local: { base_url: "http://localhost:11434/v1" }, other: { api: anthropic, base_url: $OTHER_URL, key: $OTHER_KEY } }',
    );
    expect(local).toEqual({
      name: 'local',
      api: { kind: 'openai-compatible' },
      baseUrl: 'http://localhost:11434/v1',
      key: undefined,
      headers: {},
      limits: none,
    });
    expect(other).toMatchObject({ api: { kind: 'anthropic' }, baseUrl: '$OTHER_URL', key: 'OTHER_KEY' });
  });

  it('that are known may be set up otherwise, and are then listed once', async () => {
    const found = await providers(
      '{ anthropic: { base_url: "https://proxy.example", headers: { x-team: $TEAM }, concurrency: 2, requests_per_minute: 60, tokens_per_minute: 1000 } }',
    );
    expect(found.map(({ name }) => name)).toEqual(['anthropic', 'openai', 'google']);
    expect(found[0]).toEqual({
      name: 'anthropic',
      api: { kind: 'anthropic' },
      baseUrl: 'https://proxy.example',
      key: 'ANTHROPIC_API_KEY',
      headers: { 'x-team': '$TEAM' },
      limits: { concurrency: 2, requestsPerMinute: 60, tokensPerMinute: 1000 },
    });
  });

  it('may be a function of the workspace', async () => {
    const [standin] = await providers('{ standin: { function: "./lib/standin.js#answer", concurrency: 3 } }');
    expect(standin).toMatchObject({
      api: { kind: 'function', module: 'lib/standin.js', name: 'answer' },
      baseUrl: undefined,
      limits: { concurrency: 3 },
    });
  });

  it.each([
    ['{ local: {} }', ['missing-key models.providers.local.base_url']],
    ['{ local: { api: openai-compatible } }', ['missing-key models.providers.local.base_url']],
    ['{ local: { api: mistral, base_url: "http://x" } }', ['not-one-of models.providers.local.api']],
    ['{ local: { base_url: "ftp://x" } }', ['wrong-type models.providers.local.base_url']],
    ['{ local: { base_url: "localhost:1234" } }', ['wrong-type models.providers.local.base_url']],
    ['{ local: { base_url: "$NOT A NAME" } }', ['wrong-type models.providers.local.base_url']],
    ['{ local: { base_url: "http://x", key: sk-1234 } }', ['wrong-type models.providers.local.key']],
    ['{ local: { function: standin.js } }', ['wrong-type models.providers.local.function']],
    ['{ local: { function: "../out.js#f" } }', ['path-outside models.providers.local.function']],
    [
      '{ local: { function: "./s.js#f", api: openai, base_url: "http://x", key: $K, headers: {} } }',
      [
        'unknown-key models.providers.local.api',
        'unknown-key models.providers.local.base_url',
        'unknown-key models.providers.local.key',
        'unknown-key models.providers.local.headers',
      ],
    ],
    [
      '{ local: { base_url: "http://x", concurrency: 0 } }',
      ['out-of-range models.providers.local.concurrency'],
    ],
    ['{ Local: { base_url: "http://x" } }', ['bad-name models.providers.Local']],
  ])('%s is refused', async (written, expected) => {
    expect(await codes(asking(model, `models: { providers: ${written} }\n`))).toEqual(expected);
  });

  it('whose address would let its reader in are refused, and the address is not shown', async () => {
    const url = 'https://ann:letmein@host/v1';
    const found = await problemsOf(
      asking(model, `models: { providers: { local: { base_url: "${url}" } } }\n`),
      files,
    );
    expect(found).toMatchObject([{ code: 'wrong-type', path: 'models.providers.local.base_url' }]);
    expect(JSON.stringify(found)).not.toContain('letmein');
  });

  it('whose key stands in the manifest are refused, and the key is not shown', async () => {
    const key = 'sk-abcdefghijklmnop1234';
    const found = await problemsOf(
      asking(model, `models: { providers: { local: { base_url: "http://x", key: ${key} } } }\n`),
      files,
    );
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).not.toContain(key);
  });
});

describe('what is wrong with a model or a provider', () => {
  it('is told alone: whatever refers to it is not wrong as well', async () => {
    const local = 'models: { providers: { local: { base_url: "http://x", concurrency: 0 } } }\n';
    expect(await codes(asking('model: local/m', local))).toEqual([
      'out-of-range models.providers.local.concurrency',
    ]);
    const named = 'models: { use: { writer: openai/gpt-5 }, limits: { openai/gpt-5: { rpm: 1 } } }\n';
    expect(await codes(asking('model: writer', named))).toEqual([
      'unknown-key models.limits.openai/gpt-5.rpm',
    ]);
  });
});

describe('limits and prices', () => {
  it('are by provider and model', async () => {
    const more =
      'models: { limits: { openai/gpt-5: { concurrency: 1 } }, prices: { openai/gpt-5: { input: 1, output: 2.5, cache_read: 0.1, cache_write: 0 } } }\n';
    const { models } = (await loadText(asking(model, more), files)).pipeline;
    expect(models.limits).toEqual({
      'openai/gpt-5': { concurrency: 1, requestsPerMinute: undefined, tokensPerMinute: undefined },
    });
    expect(models.prices).toEqual({
      'openai/gpt-5': { input: 1, output: 2.5, cacheRead: 0.1, cacheWrite: 0 },
    });
  });

  it.each([
    ['prices: { openai/gpt-5: { input: 1 } }', 'missing-key'],
    ['prices: { openai/gpt-5: { input: -1, output: 1 } }', 'out-of-range'],
    ['prices: { openai/gpt-5: { input: 1, output: 1, cached: 1 } }', 'unknown-key'],
    ['limits: { openai/gpt-5: { rpm: 1 } }', 'unknown-key'],
  ])('%s is refused', async (written, code) => {
    expect((await codes(asking(model, `models: { ${written} }\n`)))[0]).toMatch(code);
  });
});

describe('limits and prices of what nobody asks', () => {
  it.each([
    ['limits: { antropic/claude-sonnet-5: { concurrency: 1 } }', 'models.limits.antropic/claude-sonnet-5'],
    ['prices: { writer: { input: 1, output: 1 } }', 'models.prices.writer'],
  ])('%s: a slip of the pen is told, for it would do nothing', async (written, path) => {
    const found = await problemsOf(asking(model, `models: { ${written} }\n`), files);
    expect(found.map((problem) => problem.path)).toEqual([path]);
  });
});

describe('a budget', () => {
  const budgetOf = async (written: string) =>
    (await loadText(asking('model: anthropic/claude-sonnet-5', `budget: ${written}\n`), files)).pipeline
      .budget;

  it('is in money, tokens and time', async () => {
    expect(await budgetOf('{ usd: 10, tokens: 1000000, time: 2h, warn_at: 50% }')).toEqual({
      usd: 10,
      tokens: 1_000_000,
      timeMs: 7_200_000,
      warnAt: 0.5,
      strict: false,
    });
    expect(await budgetOf('{ usd: 0.01 }')).toEqual({
      usd: 0.01,
      tokens: undefined,
      timeMs: undefined,
      warnAt: 0.8,
      strict: false,
    });
    expect((await budgetOf('{ usd: 1, warn_at: 100% }'))?.warnAt).toBe(1);
    expect((await budgetOf('{ usd: 1, warn_at: 0% }'))?.warnAt).toBe(0);
  });

  it('is of the run, or of a phase', async () => {
    expect((await phaseOf(asking(`${model}, budget: { tokens: 5 }`))).budget).toMatchObject({ tokens: 5 });
    expect(await phaseOf(asking(model))).not.toHaveProperty('budget');
  });

  it.each([
    ['{}', 'missing-key budget'],
    ['{ warn_at: 50% }', 'missing-key budget'],
    ['{ usd: 0 }', 'out-of-range budget.usd'],
    ['{ tokens: 1.5 }', 'wrong-type budget.tokens'],
    ['{ time: 0s }', 'out-of-range budget.time'],
    ['{ usd: 1, warn_at: 101% }', 'wrong-type budget.warn_at'],
    ['{ usd: 1, warn_at: 80 }', 'wrong-type budget.warn_at'],
    ['{ eur: 1 }', 'unknown-key budget.eur'],
  ])('of %s is refused', async (written, code) => {
    expect(await codes(asking(model, `budget: ${written}\n`))).toContain(code);
  });

  it.each([
    ['80', 'number'],
    ['101%', '101%'],
    ['80 %', '80 %'],
    ['""', ''],
    ['[]', 'list'],
  ])('that is told of from %s on is refused in words', async (written, found) => {
    const [problem] = await problemsOf(asking(model, `budget: { usd: 1, warn_at: ${written} }\n`), files);
    expect(problem?.facts).toEqual({ expected: 'a share from 0% to 100%', found });
  });

  it('of time may be longer than a timer can wait: nobody waits for it', async () => {
    expect((await budgetOf('{ time: 60d }'))?.timeMs).toBe(60 * 86_400_000);
  });

  it('in money cannot be held where a price is not known, and each such model is told once', async () => {
    const two = (more: string) =>
      `pawl: 1\npipeline: p\nunits: [u]\n${more}phases:\n` +
      `  a: { model: openai/new, ${prompt}, ${outputs} }\n` +
      `  b: { model: openai/new, ${prompt}, outputs: { o: "b/{unit}.md" } }\n`;
    expect(await codes(two('budget: { usd: 1 }\n'))).toEqual(['missing-key models.prices.openai/new']);
    expect(await codes(two('budget: { tokens: 1 }\n'))).toEqual([]);
    expect(
      await codes(two('budget: { usd: 1 }\nmodels: { prices: { openai/new: { input: 1, output: 1 } } }\n')),
    ).toEqual([]);
    expect(await codes(asking('model: openai/new, budget: { usd: 1 }'))).toEqual([
      'missing-key models.prices.openai/new',
    ]);
    const standin = 'models: { providers: { openai: { function: "./s.js#f" } } }\nbudget: { usd: 1 }\n';
    expect(await codes(two(standin))).toEqual([]);
  });
});
