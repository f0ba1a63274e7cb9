import { spawn } from 'node:child_process';
import { relative } from 'node:path';
import { fail, ok } from '../../base/result.ts';
import { systemEnvironment } from '../../engine/open/environment.ts';
import type { Target } from '../../engine/open/requests.ts';
import { waitForChange } from '../../engine/run/wait-for-change.ts';
import type { Sources } from '../../engine/run/watched-sources.ts';
import { exitCodesOfSignals } from '../../text/catalogue/exit-codes.ts';
import { againText, waitingText, watchedText } from '../../text/watched.ts';
import { type Call, flagOption } from '../call.ts';
import { type Outcome, present } from '../command.ts';
import type { Face } from '../face.ts';
import { watchSignals } from '../signals.ts';

/*
 * `run --watch`. Each run is a process of its own, because a process never loads a module twice and so would not see a
 * changed function.
 */

/** Runs, waits until sources have changed, and runs again, until Ctrl-C. */
export async function watchAndRun(call: Call, face: Face): Promise<Outcome> {
  const others = (['json', 'dryRun'] as const).filter((name) => flagOption(call, name));
  if (others.length > 0) return excluded(others.map((name) => (name === 'json' ? '--json' : '--dry-run')));
  const env = systemEnvironment(face.place);
  let child: ReturnType<typeof startRun> | undefined;
  // A terminal sends Ctrl-C to the run as well: passed on, it would count as the second one.
  const passOn = (name: NodeJS.Signals) => {
    if (name === 'SIGTERM' || !face.io.stdin.isTTY) child?.kill(name);
  };
  for (const [name] of exitCodesOfSignals) face.io.onSignal(name, () => passOn(name));
  const signals = watchSignals(face.io);
  for (let runs = 1; ; runs++) {
    child = startRun(face, env.typedIn ?? env.cwd);
    const { code, sources } = await child.ended;
    child = undefined;
    const stopped = signals.exitCode();
    if (stopped !== undefined || isSignalCode(code)) return watched(runs, stopped ?? code);
    // Without sources the call itself is wrong, or there is no manifest.
    if (sources === undefined) return watched(runs, code);
    say(face, waitingText(sources.files.length));
    const changed = await waitForChange(env, sources, signals.stop);
    if (changed === undefined) return watched(runs, signals.exitCode() ?? code);
    say(face, againText(changed.map((path) => relative(env.typedIn ?? env.cwd, path))));
  }
}

/** Sends the sources of the pipeline to the process that started this run, before anything runs. */
export async function reportSources({ io, place }: Face, target: Target): Promise<void> {
  const isAsked = io.process.variables[askedBy] !== undefined;
  delete io.process.variables[askedBy];
  if (!isAsked || io.tellParent === undefined) return;
  const { findSources } = await import('../../engine/run/watched-sources.ts');
  await io.tellParent((await findSources(systemEnvironment(place), target)) ?? {});
}

const askedBy = 'PAWL_WATCHED';

function startRun({ io, typed }: Face, cwd: string) {
  const [program = '', ...args] = [...io.self, ...typed.filter((word) => word !== '--watch')];
  const child = spawn(program, args, {
    cwd,
    env: { ...io.process.variables, [askedBy]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let sources: Sources | undefined;
  child.on('message', (message: Partial<Sources>) => {
    if (message.files !== undefined) sources = message as Sources;
  });
  const ended = new Promise<{ readonly code: number; readonly sources: Sources | undefined }>((resolve) => {
    child.on('close', (code, signal) => {
      const ofSignal = [...exitCodesOfSignals].find(([name]) => name === signal)?.[1];
      resolve({ code: code ?? ofSignal ?? 1, sources });
    });
  });
  return { ended, kill: (signal: NodeJS.Signals) => child.kill(signal) };
}

function isSignalCode(code: number): boolean {
  return [...exitCodesOfSignals.values()].includes(code);
}

function watched(runs: number, exitCode: number): Outcome {
  return { ...present('watch', ok({ runs }), { loadText: async () => watchedText }), exitCode };
}

function excluded(flags: readonly string[]): Outcome {
  return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: ['--watch', ...flags] } });
}

function say(face: Face, text: string): void {
  if (!face.quiet) face.err(text);
}
