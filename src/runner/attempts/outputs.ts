import { basename } from 'node:path';
import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type CheckOutcome, runCheck } from '../../checks/run-check.ts';
import { readReport } from '../../checks/verdict.ts';
import type { OutputCheck, OutputSpec, Unit } from '../../model/definition.ts';
import type { Judgement, OutputRecord } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { compilePattern } from '../../pipeline/pattern.ts';
import { folderOf, type RunContext } from '../context.ts';
import type { Made, MadeOutput } from '../executors/assignment.ts';
import { commandEnvironment } from '../executors/environment.ts';
import { stagedName, stagingFolder } from '../promotion.ts';
import { runnableOf, type Staged, stage, stageFile } from '../staging.ts';
import { type Attempt, findEarlier, type Reused } from './attempt.ts';
import { AttemptContent } from './local-host.ts';

/** Outputs that were checked and kept: staged for promotion, and in the content store as of the next commit. */
export interface KeptOutputs {
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  readonly verdict: string | undefined;
  readonly judged: Judgement | undefined;
  readonly response: Hash | undefined;
}

/** Checks what an attempt has made, stages it for promotion, and puts it into the content store. */
export async function keepOutputs(
  run: RunContext,
  attempt: Attempt,
  made: Made,
  content: AttemptContent,
): Promise<Result<KeptOutputs, AttemptFailure>> {
  const outputs: Record<string, OutputRecord> = {};
  let verdict: string | undefined;
  let judged: Judgement | undefined;
  for (const spec of attempt.phase.outputs) {
    const output = made.outputs[spec.name];
    if (output === undefined) {
      if (spec.optional) continue;
      return fail({ reason: 'output-missing', message: '', facts: { output: spec.name } });
    }
    const readable = readableOutput(run, attempt, spec, output, content);
    const kept = await keep(run, attempt, readable, content);
    if (!kept.ok) return kept;
    outputs[spec.name] = kept.value;
    const { gate } = attempt.phase;
    if (gate?.output !== spec.name) continue;
    const read = readReport(gate, readable.bytes());
    if (!read.ok) {
      const { path, detail } = read.failure;
      return fail({ reason: 'verdict-unreadable', message: detail, facts: { output: gate.output, path } });
    }
    verdict = read.value.verdict;
    judged = read.value.judged;
  }
  if (made.response !== undefined) content.keep(made.response);
  content.release();
  return ok({ outputs, verdict, judged, response: made.response });
}

interface ReadableOutput {
  readonly spec: OutputSpec;
  readonly made: MadeOutput;
  readonly bytes: () => Uint8Array;
  /** Where the bytes lie that are too many to hold; absolute. */
  readonly file: string | undefined;
}

function readableOutput(
  run: RunContext,
  attempt: Attempt,
  spec: OutputSpec,
  made: MadeOutput,
  content: AttemptContent,
): ReadableOutput {
  const { hash } = made;
  if (made.file !== undefined) {
    const file = `${folderOf(run, attempt)}/${made.file}`;
    return { spec, made, file, bytes: () => run.disk.read(file) ?? new Uint8Array() };
  }
  const bytes = content.get(hash);
  if (bytes === undefined) throw new Error(`the content store has no ${hash}`);
  return { spec, made, file: undefined, bytes: () => bytes };
}

/** Stages an output, proves it there, and puts its bytes into the content store. */
async function keep(
  run: RunContext,
  attempt: Attempt,
  { spec, made, bytes, file }: ReadableOutput,
  content: AttemptContent,
): Promise<Result<OutputRecord, AttemptFailure>> {
  const { hash } = made;
  const runnable = runnableOf(made);
  const path = outputPath(spec, attempt.unit, attempt.number);
  const inside = run.checkInside(path);
  if (!inside.ok)
    return fail({
      reason: 'output-outside',
      message: inside.failure.reason,
      facts: { output: spec.name, path },
    });
  const name = stagedName(
    { unit: attempt.unit.id, phase: attempt.phase.name, attempt: attempt.number },
    spec.name,
  );
  const staged =
    file === undefined
      ? stage(run.disk, stagingFolder(run), name, bytes(), runnable)
      : await stageFile(run.disk, stagingFolder(run), name, file, hash, runnable);
  if (staged === undefined)
    return fail({ reason: 'output-missing', message: '', facts: { output: spec.name, path } });
  const checked =
    spec.check === undefined
      ? passed
      : await checkStaged(run, attempt, spec.check, path, staged, file ? undefined : bytes());
  if (!checked.passed) {
    keepRejected(run, attempt, spec.name, staged);
    return fail({
      reason: 'check-failed',
      message: checked.detail,
      facts: { output: spec.name, check: spec.check?.kind ?? '', path },
    });
  }
  content.keep(hash);
  run.files.stage(path, staged, hash);
  return ok({ path, hash, size: staged.size, ...runnable });
}

const patterns = new WeakMap<OutputSpec, (unit: Unit, attempt: number) => string>();

/** Where an output of an attempt belongs. The pattern is parsed once for all units. */
function outputPath(spec: OutputSpec, unit: Unit, attempt: number): string {
  let pattern = patterns.get(spec);
  if (pattern === undefined) {
    pattern = compilePattern(spec.path);
    patterns.set(spec, pattern);
  }
  return pattern(unit, attempt);
}

const passed: CheckOutcome = { passed: true };

function checkStaged(
  run: RunContext,
  { unit }: Attempt,
  check: OutputCheck,
  path: string,
  staged: Staged,
  bytes: Uint8Array | undefined,
): Promise<CheckOutcome> {
  return runCheck(check, bytes, {
    disk: run.disk,
    file: staged.path,
    scratch: { below: stagingFolder(run), name: basename(path) },
    cwd: run.root,
    env: commandEnvironment({}, {}, run.process.variables),
    importModule: run.process.importModule,
    unit,
    signal: run.interrupt,
  });
}

/** A rejected output stays in its attempt's folder, so that a person can find out why. */
function keepRejected(run: RunContext, attempt: Attempt, output: string, staged: Staged): void {
  const folder = `${folderOf(run, attempt)}/outputs`;
  run.disk.makeFolder(folder);
  run.disk.rename(staged.path, `${folder}/${output}`);
}

/**
 * Takes the result of another run: its bytes are proven by their hash, checked and promoted like those of any attempt.
 * Undefined: there is none, bytes of it are gone, or a check turns them down now; then the attempt runs.
 */
export async function takeEarlier(
  run: RunContext,
  attempt: Attempt,
): Promise<{ readonly kept: KeptOutputs; readonly from: Reused } | undefined> {
  const earlier = findEarlier(run, attempt);
  if (earlier === undefined || earlier.prompt !== attempt.prompt?.hash) return undefined;
  const content = new AttemptContent(run.store);
  const { outputs } = earlier;
  for (const { hash } of Object.values(outputs)) {
    const bytes = content.get(hash);
    if (bytes === undefined) return undefined;
    content.put(bytes, hash);
  }
  const kept = await keepOutputs(run, attempt, { outputs }, content);
  if (kept.ok) {
    const { source: reused, saved } = earlier;
    return { kept: kept.value, from: { reused, ...(saved && { saved }) } };
  }
  // What its check has turned down lies where the attempt itself is about to write.
  for (const { name } of attempt.phase.outputs) run.disk.remove(`${folderOf(run, attempt)}/outputs/${name}`);
  return undefined;
}
