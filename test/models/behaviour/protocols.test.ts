import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson } from '../../support/command.ts';
import { has, read, readJson, type TestWorkspace, write } from '../../support/workspace.ts';
import type { Asked, ModelServer } from '../server.ts';
import { answer, asking, manifest, of, ofAttempt, only, serve, workspaceFor } from '../support.ts';

/* What is asked, and what becomes of the answer, in each of the protocols that providers speak. */

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const paper = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const schema: JsonObject = {
  type: 'object',
  properties: { title: { type: 'string' }, beats: { type: 'array', items: { type: 'string' } } },
  required: ['title', 'beats'],
  additionalProperties: false,
};
const card = { title: 'Ember', beats: ['a spark', 'a fire'] };

/** Each protocol by the provider that people reach it by. */
const kinds = [
  { protocol: 'chat', model: 'local/writer', providers: {} },
  { protocol: 'responses', model: 'openai/gpt-5', providers: {} },
  { protocol: 'anthropic', model: 'anthropic/claude-sonnet-4-5', providers: {} },
  {
    protocol: 'google',
    model: 'google/gemini-2.5-pro',
    providers: { google: { base_url: '$GOOGLE_URL' } },
  },
] as const;

function phases(model: string): JsonObject {
  const system = 'templates/system.md';
  return {
    plan: {
      model: { use: model, max_tokens: 300, temperature: 0.5, stop: ['THE END'] },
      prompt: { system, phase: 'templates/plan.md', override: 'book/plan.md' },
      outputs: { card: { from: 'json', schema: 'card.schema.json', path: 'out/{unit}.json' } },
    },
    write: {
      model: { use: model, max_tokens: 300 },
      prompt: { system, phase: 'templates/write.md', override: 'book/write.md' },
      outputs: {
        prose: { from: 'text', path: 'out/{unit}.md' },
        mood: { from: 'json.mood', path: 'out/{unit}.mood.json' },
      },
    },
    look: {
      model: { use: model, max_tokens: 300, attach: ['picture', 'paper', 'notes'] },
      needs: ['write'],
      inputs: { picture: 'picture', paper: 'paper', notes: 'notes', prose: 'write.prose' },
      prompt: 'templates/look.md',
      outputs: { text: 'out/{unit}.look.md' },
    },
  };
}

const files = {
  'card.schema.json': JSON.stringify(schema),
  'templates/system.md': 'You write for {{ identity.book }}.\n',
  'templates/plan.md': 'PLAN {{ unit.id }}: {{ unit.about }}\n',
  'templates/write.md': 'WRITE by the house.\n',
  'book/write.md': 'WRITE by the book, of {{ data.card.title }}.\n',
  'templates/look.md': 'LOOK at it beside: {{ inputs.prose }}',
  'notes.md': 'The fire is small.\n',
};

/** Answers each phase in its own way. */
function reply({ prompt }: Asked) {
  if (prompt.includes('PLAN')) return answer(JSON.stringify(card));
  if (prompt.includes('WRITE')) return answer('It was dark.\n\n```json\n{"mood": "calm"}\n```\n');
  return answer('A pixel, on paper.', { usage: { input: 100, output: 20, cacheRead: 40 } });
}

describe('a parameter that a provider does not take', () => {
  it('spoils nothing of what is printed: stdout is one JSON document, and stderr is ours', async () => {
    const server = await serve(() => answer('yes'));
    const model = { use: 'openai/gpt-5', temperature: 0.5, seed: 7, top_k: 3, stop: ['x'] };
    const workspace = workspaceFor(server, asking({ model }));
    const { finished, ok } = await pawlJson(workspace, 'run');
    expect(ok).toBe(true);
    expect(finished.stderr).not.toContain('AI SDK');
  });
});

describe.each(kinds)('a provider that speaks $protocol', ({ protocol, model, providers }) => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let finished: Finished;
  let plan: Asked;
  let writing: Asked;
  let look: Asked;

  beforeAll(async () => {
    server = await serve(reply);
    const text = manifest(phases(model), {
      identity: { book: 'ember' },
      units: [{ id: 'a', about: 'a spark' }],
      inputs: { picture: 'picture.png', paper: 'paper.pdf', notes: 'notes.md' },
      models: { providers: { local: { base_url: '$LOCAL_URL', key: '$LOCAL_API_KEY' }, ...providers } },
    });
    workspace = workspaceFor(server, text, files);
    write(workspace, 'picture.png', pixel);
    write(workspace, 'paper.pdf', paper);
    finished = await pawl(workspace, 'run');
    [plan, writing, look] = server.asked as [Asked, Asked, Asked];
  }, 60_000);

  it('is understood, and every part of its answers is where the manifest wants it', () => {
    expect(finished.code, finished.stderr).toBe(0);
    expect(server.rejected).toEqual([]);
    expect(server.asked.map((asked) => [asked.protocol, asked.stream])).toEqual(
      Array.from({ length: 3 }, () => [protocol, true]),
    );
    expect(readJson(workspace, 'out/a.json')).toEqual(card);
    expect(read(workspace, 'out/a.md')).toBe('It was dark.\n');
    expect(readJson(workspace, 'out/a.mood.json')).toBe('calm');
    expect(read(workspace, 'out/a.look.md')).toBe('A pixel, on paper.\n');
  });

  it('is sent system, phase and override, and the override only where there is one', () => {
    expect(plan.system.trim()).toBe('You write for ember.');
    expect(plan.prompt.trim()).toBe('PLAN a: a spark');
    expect(writing.prompt.trim()).toBe('WRITE by the book, of Ember.');
    expect(look.system).toBe('');
    expect(ofAttempt(workspace, 'a/write#1', 'prompt.md')).toBe(
      '<!-- system -->\nYou write for ember.\n\n<!-- prompt -->\nWRITE by the book, of Ember.\n\n',
    );
  });

  it('is asked for the schema only where all of the answer has to be JSON', () => {
    expect(plan.schema).toMatchObject({ type: 'object', required: ['title', 'beats'] });
    expect(writing.schema).toBeUndefined();
    expect(look.schema).toBeUndefined();
  });

  it('gets the image and the file beside the prompt, and a text as text', () => {
    const [message] = look.messages;
    expect(message?.parts).toBe(2);
    expect(message?.text).toContain('The fire is small.');
    expect(message?.text).toContain('LOOK at it beside: It was dark.');
    const body = JSON.stringify(look.body);
    expect(body).toContain(pixel.toString('base64'));
    expect(body).toContain(paper.toString('base64'));
    const call = JSON.parse(ofAttempt(workspace, 'a/look#1', 'call.json'));
    expect(call.files.map((file: { mediaType: string }) => file.mediaType)).toEqual([
      'image/png',
      'application/pdf',
      'text/markdown',
    ]);
  });

  it('is on record with what it counted, and how it calls the answer', () => {
    const { call, cost } = only(workspace, 'attempt_succeeded', 'a/look');
    expect(cost).toMatchObject({ inputTokens: 100, outputTokens: 20, cacheReadTokens: 40 });
    expect(call).toMatchObject({
      model,
      answered: model.slice(model.indexOf('/') + 1),
      request: expect.stringMatching(/./),
      finish: 'stop',
    });
  });

  it('has nothing to do when it is run again', async () => {
    const before = server.asked.length;
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked).toHaveLength(before);
    expect(of(workspace, 'attempt_succeeded')).toHaveLength(3);
    expect(has(workspace, 'out/a.md')).toBe(true);
  });
});
