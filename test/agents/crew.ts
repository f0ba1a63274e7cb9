import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { type Finished, pawl } from '../support/command.ts';
import type { RawEvent } from '../support/journal.ts';
import { tempFolder } from '../support/temp.ts';
import { projectRoot, type TestWorkspace } from '../support/workspace.ts';

/** The example as a user gets it, without its pauses: `pawl init agents demo`. */
export async function newDemo(): Promise<TestWorkspace> {
  const home = tempFolder();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    LANG: 'C.UTF-8',
    PAWL_BIN: join(projectRoot, 'bin/pawl.js'),
    AGENTS_PAUSE_MS: '0',
    AGENTS_CALLS: join(home, 'calls'),
  };
  mkdirSync(join(home, 'state'));
  const made = await pawl({ root: home, env }, 'init', 'agents', 'demo');
  expect(made.code, made.stderr).toBe(0);
  return { root: join(home, 'demo'), env };
}

/** The same with a graph that a person has approved: tasks can be claimed. */
export async function approvedDemo(): Promise<TestWorkspace> {
  const demo = await newDemo();
  await expectCode(demo, 3, 'run');
  await expectCode(demo, 0, 'approve', 'C1', '--note', 'as I would do it');
  await expectCode(demo, 75, 'run');
  return demo;
}

export async function expectCode(demo: TestWorkspace, code: number, ...args: string[]): Promise<Finished> {
  const finished = await pawl(demo, ...args);
  expect(finished.code, `pawl ${args.join(' ')}\n${finished.stdout}${finished.stderr}`).toBe(code);
  return finished;
}

/** Runs a script of the example to its end. */
export function runScript(
  { root, env }: TestWorkspace,
  script: string,
  ...args: string[]
): Promise<Finished> {
  // In a group of its own: whoever gives up on it can end the agents that it has started, too.
  const child = spawn(process.execPath, [script, ...args], { cwd: root, env: { ...env }, detached: true });
  const pid = child.pid ?? 0;
  afterFile(() => {
    if (child.exitCode === null && child.signalCode === null) endGroup(pid);
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}

/** The only run, as a path relative to the workspace. */
export function runOf({ root }: TestWorkspace): string {
  const runs = readdirSync(join(root, '.agent-memory/runs'));
  expect(runs).toHaveLength(1);
  return `.agent-memory/runs/${runs[0]}`;
}

export type ActorEvent = RawEvent & { readonly actor: string };

/** What everybody has written into the journal, in the order of time. */
export function journalOf(demo: TestWorkspace): ActorEvent[] {
  const folder = join(demo.root, runOf(demo), 'events');
  const events = readdirSync(folder).flatMap((actor) =>
    readdirSync(join(folder, actor))
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .flatMap((name) => linesOf(join(folder, actor, name)))
      .filter((line) => 'seq' in line && 'type' in line)
      .map((line) => ({ ...(line as RawEvent), actor })),
  );
  return events.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** One try at `implement`: whose it was, under which number, and from when to when. */
export interface Try {
  readonly unit: string;
  readonly actor: string;
  readonly number: number;
  readonly from: string;
  /** When it ended; of one that never did, when its lease ran out. */
  readonly until: string;
  readonly end: 'attempt_succeeded' | 'attempt_failed' | 'attempt_interrupted' | undefined;
}

export function triesOf(events: readonly ActorEvent[]): Try[] {
  const own = events.filter(({ phase }) => phase === 'implement');
  return own
    .filter(({ type }) => type === 'attempt_started')
    .map((started) => {
      const same = own.filter(({ unit, attempt }) => unit === started.unit && attempt === started.attempt);
      const end = same.find(({ type }) => /^attempt_(succeeded|failed|interrupted)$/.test(type));
      const renewed = same.findLast(({ type }) => type === 'lease_renewed');
      return {
        unit: String(started.unit),
        actor: started.actor,
        number: Number(started.attempt),
        from: started.at,
        until: end?.at ?? String(renewed?.until ?? started.lease),
        end: end?.type as Try['end'],
      };
    });
}

/** How often the stand-in was really called for a task, by task. */
export function answersGiven({ env }: TestWorkspace): string[] {
  const file = env.AGENTS_CALLS ?? '';
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.filter((line) => line.split(' ')[1] === 'implement').map((line) => line.split(' ')[0] ?? '');
}

function linesOf(path: string): object[] {
  // A kill may have torn the last line.
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line.endsWith('"}')).map((line) => JSON.parse(line));
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
