import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../src/base/json.ts';
import { afterFile } from '../support/after-file.ts';
import { eventsOf, type RawEvent, runFolder } from '../support/journal.ts';
import { read, type TestWorkspace, withEnv, workspaceWith } from '../support/workspace.ts';
import { type Asked, type ModelServer, modelServer, type Script, type Turn } from './server.ts';

/* What the tests of the command share that ask models over the wire: a server, a workspace that knows it, its journal. */

/** What stands in the environment of every command here. None of it opens anything. */
export const keys = {
  LOCAL_API_KEY: 'sk-local-4b1d77c09ae25f6381d0',
  OPENAI_API_KEY: 'sk-openai-91c3e0a7f5524db8b6e2',
  ANTHROPIC_API_KEY: 'sk-ant-api03-5e0f8a6b1c9d47e2',
  GOOGLE_GENERATIVE_AI_API_KEY: 'AIzaSyD-fake-0f3b6c1e9a47d2b85c60e1f7a3',
} as const;

/** A server for this test file, which ends with it. */
export async function serve(script: Script): Promise<ModelServer> {
  const server = await modelServer(script);
  afterFile(() => server.close());
  return server;
}

/** A server that does one turn after the other, and then answers with a text that nobody else gives. */
export function inTurn(...turns: readonly Turn[]): Promise<ModelServer> {
  return serve(({ nth }) => turns[nth - 1] ?? answer(`answer ${nth}`));
}

export function answer(text: string, more: Partial<Extract<Turn, { do: 'answer' }>> = {}): Turn {
  return { do: 'answer', text, ...more };
}

export function refuse(status: number, more: Partial<Extract<Turn, { do: 'refuse' }>> = {}): Turn {
  return { do: 'refuse', status, ...more };
}

/** The provider of these tests, as a manifest names it. */
export const local: JsonObject = { base_url: '$LOCAL_URL', key: '$LOCAL_API_KEY' };

/** One phase, `write`, that asks `local/writer` for a text; JSON, which is YAML as well. */
export function asking(phase: JsonObject = {}, more: JsonObject = {}): string {
  return manifest({ write: { ...writing, ...phase } }, more);
}

const writing: JsonObject = {
  model: 'local/writer',
  prompt: 'prompt.md',
  outputs: { text: 'out/{unit}.md' },
  retries: { backoff: '1ms' },
};

export function manifest(phases: JsonObject, { models = {}, ...more }: JsonObject = {}): string {
  const written = {
    pawl: 1,
    pipeline: 'asking',
    units: ['a'],
    models: { providers: { local }, ...(models as JsonObject) },
    phases,
    pace: { concurrency: 1 },
    ...more,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

/** A workspace whose commands find the server under every provider that takes its address from the environment. */
export function workspaceFor(
  { url }: ModelServer,
  text: string,
  files: Readonly<Record<string, string>> = {},
): TestWorkspace {
  const base = `${url}/v1`;
  return withEnv(workspaceWith(text, { 'prompt.md': 'Say {{ unit.id }}.\n', ...files }), {
    ...keys,
    LOCAL_URL: base,
    OPENAI_BASE_URL: base,
    ANTHROPIC_BASE_URL: base,
    GOOGLE_URL: `${url}/v1beta`,
  });
}

/** The one event of a type, or the one that a cell has of it. */
export function only(workspace: TestWorkspace, type: string, step?: string): RawEvent {
  const found = of(workspace, type, step);
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new Error(`expected one ${type}${step ? ` of ${step}` : ''}, there are ${found.length}`);
  return first;
}

/** The events of a type, of one cell where it is named. */
export function of(workspace: TestWorkspace, type: string, step?: string): RawEvent[] {
  return eventsOf(workspace, type).filter(
    ({ unit, phase }) => step === undefined || `${unit}/${phase}` === step,
  );
}

/** Why attempts ended, in order: reasons of failures and pauses. */
export function reasons(workspace: TestWorkspace, step?: string): string[] {
  return [...of(workspace, 'attempt_failed', step), ...of(workspace, 'attempt_paused', step)]
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ reason }) => String(reason));
}

/** A file of an attempt: `a/write#2`, `response.txt`. */
export function ofAttempt(workspace: TestWorkspace, attempt: string, file: string): string {
  return read(workspace, `${attemptFolder(workspace, attempt)}/${file}`);
}

export function attemptFolder(workspace: TestWorkspace, attempt: string): string {
  return `${runFolder(workspace)}/attempts/${attempt.replace('#', '/')}`;
}

/** The unit that a prompt like `Say a.` is about. */
export function unitAsked({ messages }: Asked): string {
  return /^Say (\S+)\./m.exec(messages[0]?.text ?? '')?.[1] ?? '';
}

/** Every file of a workspace and of the state that its commands keep outside that holds a text, by path. */
export function filesWith({ root }: TestWorkspace, text: string): string[] {
  const beside = dirname(root);
  const found: string[] = [];
  for (const entry of readdirSync(beside, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (readFileSync(path).includes(text)) found.push(path.slice(beside.length + 1));
  }
  return found.toSorted();
}

/** Resolves when it holds; a test that waits in vain is ended by its own time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
