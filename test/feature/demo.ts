import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { type Finished, pawl, pawlJson } from '../support/command.ts';
import { type RawEvent, runFolder } from '../support/journal.ts';
import { tempFolder } from '../support/temp.ts';
import { edit, type TestWorkspace } from '../support/workspace.ts';

export const unit = '001-refund-export';
export const specPath = `specs/${unit}/feature.spec.md`;
export const adrPath = `specs/${unit}/adr.md`;

/** The example as a user gets it: `pawl init feature demo`. */
export async function newDemo(): Promise<TestWorkspace> {
  const home = tempFolder();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    LANG: 'C.UTF-8',
  };
  mkdirSync(join(home, 'state'));
  const made = await pawl({ root: home, env }, 'init', 'feature', 'demo');
  expect(made.code, made.stderr).toBe(0);
  return { root: join(home, 'demo'), env };
}

/** The same for tests, which sit at no terminal: a program may answer, too. */
export async function openDemo(): Promise<TestWorkspace> {
  const demo = await newDemo();
  edit(demo, 'pawl.yaml', '\ninputs:\n', '\nchannels: [terminal, script]\ninputs:\n');
  return demo;
}

export type Approval =
  | 'Spec approval'
  | 'Architecture approval'
  | 'Test approval'
  | 'Release approval'
  | 'nothing';

const prepared = new Map<Approval, Promise<TestWorkspace>>();

/** A workspace of one's own in which everything is approved up to this question, which waits. */
export async function demoAt(approval: Approval): Promise<TestWorkspace> {
  let known = prepared.get(approval);
  if (known === undefined) {
    known = prepare(approval);
    prepared.set(approval, known);
  }
  const { root, env } = await known;
  const home = tempFolder();
  cpSync(dirname(root), home, { recursive: true });
  return { root: join(home, 'demo'), env: { ...env, HOME: home, XDG_STATE_HOME: join(home, 'state') } };
}

async function prepare(approval: Approval): Promise<TestWorkspace> {
  const demo = await openDemo();
  await pawl(demo, 'run');
  for (let [asked] = await waiting(demo); asked !== undefined; [asked] = await waiting(demo)) {
    if (asked.name === approval) return demo;
    await pawl(demo, 'approve', asked.id, '--continue');
  }
  expect(approval).toBe('nothing');
  return demo;
}

export interface Waiting {
  readonly id: string;
  readonly name: string;
}

/** What waits for a person, as `pawl checkpoints` lists it. */
export async function waiting(demo: TestWorkspace): Promise<Waiting[]> {
  const { checkpoints } = await pawlJson<{ checkpoints: readonly (Waiting & { state: string })[] }>(
    demo,
    'checkpoints',
  );
  return checkpoints.filter(({ state }) => state === 'waiting').map(({ id, name }) => ({ id, name }));
}

/** The only thing that waits. */
export async function onlyQuestion(demo: TestWorkspace): Promise<Waiting> {
  const [asked, ...others] = await waiting(demo);
  expect(others).toEqual([]);
  if (asked === undefined) throw new Error('nothing waits for a person');
  return asked;
}

export async function expectCode(demo: TestWorkspace, code: number, ...args: string[]): Promise<Finished> {
  const finished = await pawl(demo, ...args);
  expect(finished.code, `pawl ${args.join(' ')}\n${finished.stdout}${finished.stderr}`).toBe(code);
  return finished;
}

/** What everybody has written into the journal, in the order of time. */
export function journal(demo: TestWorkspace, folder = runFolder(demo)): RawEvent[] {
  const actors = join(demo.root, folder, 'events');
  const lines = readdirSync(actors).flatMap((actor) =>
    readdirSync(join(actors, actor))
      .filter((name) => name.endsWith('.jsonl'))
      .flatMap((name) => readFileSync(join(actors, actor, name), 'utf8').split('\n')),
  );
  // A kill may have torn the last one.
  const events = lines.flatMap((line) => (line.endsWith('"}') ? [JSON.parse(line) as RawEvent] : []));
  return events
    .filter((event) => 'seq' in event && 'type' in event)
    .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)) || a.seq - b.seq);
}

/** The phases that were started, in order. */
export function started(demo: TestWorkspace): string[] {
  return journal(demo)
    .filter(({ type }) => type === 'attempt_started')
    .map(({ phase }) => String(phase));
}

/** A file of an attempt's folder. */
export function attemptFile(demo: TestWorkspace, phase: string, attempt: number, name: string): string {
  return readFileSync(
    join(demo.root, runFolder(demo), 'attempts', unit, phase, String(attempt), name),
    'utf8',
  );
}

/** What an attempt was told of those before it. */
export interface Context {
  readonly mode: string;
  readonly existing: Readonly<Record<string, string>>;
  readonly feedback: readonly { readonly from: string; readonly kind: string; readonly text: string }[];
  readonly inputs: Readonly<Record<string, string>>;
  readonly previous?: string;
}

export function contextOf(demo: TestWorkspace, phase: string, attempt: number): Context {
  return JSON.parse(attemptFile(demo, phase, attempt, 'context.json')) as Context;
}

export function asideOf(demo: TestWorkspace): string[] {
  const folder = join(demo.root, runFolder(demo), 'aside');
  return existsSync(folder) ? readdirSync(folder) : [];
}
