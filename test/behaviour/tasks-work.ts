import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Environment, systemEnvironment } from '../../src/engine/open/environment.ts';
import { type Answer, type Finished, pawl, pawlJson } from '../support/command.ts';
import type { RawEvent } from '../support/journal.ts';
import { type TestWorkspace, withEnv, workspaceWith } from '../support/workspace.ts';

/** A workspace whose tasks are listed in a file and done by agents. */
export function crewWith(tasks: readonly object[], manifest = crew): TestWorkspace {
  return workspaceWith(manifest, { 'tasks.json': JSON.stringify(tasks) });
}

/** The same, with a run in which everything can be claimed. */
export async function startedCrew(tasks: readonly object[], manifest = crew): Promise<TestWorkspace> {
  const work = crewWith(tasks, manifest);
  await expectCode(work, 75, 'run');
  return work;
}

export const crew = `
pawl: 1
pipeline: crew
inputs: { list: { path: tasks.json } }
units: { from: list, touches: area }
layout: { run: "runs/{id}" }
phases:
  implement:
    run: { task: executor, lease: 10m, files: artifacts }
    outputs: { notes: { path: "{run}/notes/{unit}.md", check: non-empty, optional: true } }
`;

export const leaseMs = 10 * 60_000;

/** Calls the command, and demands how it ends. */
export async function expectCode(work: TestWorkspace, code: number, ...args: string[]): Promise<Finished> {
  const finished = await pawl(work, ...args);
  expect(finished.code, `pawl ${args.join(' ')}\n${finished.stdout}${finished.stderr}`).toBe(code);
  return finished;
}

/** The environment in which use cases that are called here see what the command sees, so much later. */
export function engineAt({ root, env }: TestWorkspace, laterMs = 0): Environment {
  const { clock, ...others } = systemEnvironment();
  const now = () => clock.now() + laterMs;
  return {
    ...others,
    clock: { ...clock, now },
    cwd: root,
    stateFolder: join(env.XDG_STATE_HOME ?? '', 'pawl'),
  };
}

/** What `next` and `start` say. */
export interface NextJson extends Answer {
  readonly heading: { readonly run: string; readonly status: string };
  readonly task?: { readonly unit: string; readonly attempt: number; readonly folder: string };
  readonly none?: { readonly code: string };
  readonly holding: readonly { readonly unit: string }[];
  readonly tasks: Readonly<Record<string, number>>;
}

export function next(
  work: TestWorkspace,
  actor: string,
  ...more: string[]
): Promise<NextJson & { readonly finished: Finished }> {
  return pawlJson<NextJson>(work, 'next', '--actor', actor, ...more);
}

/** Every run of a workspace, as paths relative to it. */
export function runsOf({ root }: TestWorkspace): string[] {
  return readdirSync(join(root, 'runs')).map((name) => `runs/${name}`);
}

/** What all actors have written into the journal of the only run, read by the test itself. */
export function journalOf(work: TestWorkspace): (RawEvent & { readonly actor: string })[] {
  const [run] = runsOf(work);
  const folder = join(work.root, run ?? '', 'events');
  return readdirSync(folder).flatMap((actor) =>
    readdirSync(join(folder, actor))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .flatMap((name) => readFileSync(join(folder, actor, name), 'utf8').split('\n'))
      // A kill may have torn the last line.
      .flatMap((line) => (line.endsWith('"}') ? [JSON.parse(line)] : []))
      .filter((line) => 'seq' in line && 'type' in line)
      .map((event: RawEvent) => ({ ...event, actor })),
  );
}
