import type {
  Channel,
  Gate,
  Limits,
  Models,
  OutputCheck,
  OutputSpec,
  Phase,
  PromptSpec,
  Retries,
  Rung,
  StateSpec,
  Unit,
} from '../../model/definition.ts';
import { codePolicy, resolveCode, type WrittenCode } from '../code/policy.ts';
import { checkName, type LoadContext } from '../context.ts';
import { resolveDuration } from '../durations.ts';
import { usePath, usePathPattern } from '../paths.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import type { StageUnits } from '../units/units.ts';
import { resolveCheckpoints, resolveRevises } from './checkpoints.ts';
import { resolveCheck, resolveSchema } from './checks.ts';
import { isTask, resolveExecutor } from './executor.ts';
import { checkWhen, findLoops, resolveGate } from './gates.ts';
import { defaultInputs, resolveInputs, resolveNeeds, type StageView, withOwnFile } from './inputs.ts';
import { resolveAnswerPart, resolveBudget, resolveModelCall } from './models.ts';

const timeoutMsDefault = 30 * 60_000;
const backoffMsDefault = 1000;
const limitsAfterDefault = 10;
const claimsDefault = 3;
/** In one invocation, of a model that fails in a way which may be over by itself. */
const triesDefault = 3;
/** The name of the output that `state: write` adds. */
const stateOutput = 'state';

/** What the phases of every stage can see. */
export interface PipelineView {
  readonly state: StateSpec | undefined;
  readonly channels: readonly Channel[];
  readonly models: Models;
  /** What models are called in this manifest. */
  readonly named: Readonly<Record<string, string>>;
  /** What the pipeline says of code. */
  readonly code: WrittenCode;
  /** What the pipeline says of results and answers that were made before. */
  readonly reuse: ManifestPhase['reuse'];
}

/** Reads the phases of a stage. `at` is the path of their map. */
export function resolvePhases(
  context: LoadContext,
  phases: Readonly<Record<string, ManifestPhase>>,
  { units, haveFiles }: Pick<StageUnits, 'units' | 'haveFiles'>,
  { state, ...pipeline }: PipelineView,
  earlier: StageView['earlier'],
  at: string,
): Phase[] {
  const listed = Object.keys(phases);
  const outputs = new Map<string, OutputSpec[]>();
  const gates = new Map<string, Gate>();
  // A second writer is refused where the state is checked; one output of its is enough.
  const writer = listed.find((name) => phases[name]?.state === 'write');
  for (const [name, phase] of Object.entries(phases)) {
    const path = `${at}.${name}`;
    checkPhaseName(context, name, path);
    const written = resolveOutputs(context, phase, name === writer ? state : undefined, `${path}.outputs`);
    outputs.set(name, written);
    if (phase.gate === undefined) continue;
    const names = written.map((output) => output.name);
    const gate = resolveGate(context, phase.gate, listed, name, names, `${path}.gate`);
    gates.set(name, gate);
    // An attempt without a report would have no verdict.
    if (written.some((output) => output.name === gate.output && output.optional)) {
      const facts = { expected: 'an output that is not optional', found: gate.output };
      const key = phase.gate.verdict === undefined ? 'score' : 'verdict';
      context.problems.add('wrong-type', `${path}.gate.${key}`, facts);
    }
  }
  const conditional = new Set(listed.filter((name) => phases[name]?.when !== undefined));
  const needs = resolveNeeds(context, phases, at);
  const loops = findLoops(context, listed, gates, at);
  const view: StageView = { units, haveFiles, listed, outputs, loops, earlier };
  return Object.entries(phases).map(([name, phase]) => {
    const own = { needs: needs.get(name) ?? [], outputs: outputs.get(name) ?? [], gate: gates.get(name) };
    return resolvePhase(context, { ...view, ...pipeline, conditional }, name, phase, own, `${at}.${name}`);
  });
}

function resolvePhase(
  context: LoadContext,
  {
    channels,
    models,
    named,
    code,
    reuse,
    conditional,
    ...view
  }: StageView & Omit<PipelineView, 'state'> & { conditional: ReadonlySet<string> },
  name: string,
  phase: ManifestPhase,
  own: Pick<Phase, 'needs' | 'outputs' | 'gate'>,
  at: string,
): Phase {
  if (phase.when !== undefined) checkWhen(context, name, view.loops.get(name), at);
  const inputs = withOwnFile(
    view,
    own.needs,
    phase.inputs,
    phase.inputs === undefined
      ? defaultInputs(view, own.needs)
      : resolveInputs(context, view, name, phase.inputs, `${at}.inputs`),
  );
  const params = phase.params ?? {};
  const budget = resolveBudget(context, phase.budget, `${at}.budget`);
  const names = {
    unitFields: () => (view.units.length === 0 ? undefined : sharedFields(view.units)),
    inputs: inputs.map((input) => input.name),
    outputs: own.outputs.map((output) => output.name),
    params: Object.keys(params),
  };
  return {
    name,
    needs: own.needs,
    when: phase.when ?? 'always',
    executor:
      phase.model === undefined
        ? resolveExecutor(context, name, phase.run, names, `${at}.run`)
        : resolveModelCall(context, { models, named, reuse }, phase, names.inputs, at),
    prompt: resolvePrompt(context, phase.prompt, `${at}.prompt`),
    inputs,
    outputs: own.outputs,
    state: phase.state ?? 'none',
    gate: own.gate,
    params,
    ladder: resolveLadder(context, phase, view.loops.has(name), at),
    limits: resolveLimits(phase.limits),
    ...(budget && { budget }),
    retries: resolveRetries(context, phase, `${at}.retries`),
    timeoutMs: resolveDuration(context, phase.timeout, timeoutMsDefault, 1, `${at}.timeout`),
    onInterrupt: phase.on_interrupt ?? (phase.again === 'continue' ? 'continue' : 'rerun'),
    again: phase.again ?? 'fresh',
    checkpoints: resolveCheckpoints(
      context,
      view,
      { name, needs: own.needs, inputs, conditional },
      phase.checkpoint,
      channels,
      at,
    ),
    revises: resolveRevises(context, view, name, phase.revises, at),
    onChange: phase.on_change,
    code: codePolicy(resolveCode(context, phase.code, `${at}.code`), phase.on_change, code),
    ...resolveReuse(context, phase, reuse, at),
  };
}

/** What was claimed and done outside is never taken from another run. */
function resolveReuse(
  { problems }: LoadContext,
  { run, reuse: own }: ManifestPhase,
  general: ManifestPhase['reuse'],
  at: string,
): Pick<Phase, 'reuse'> {
  if (own !== undefined && isTask(run))
    problems.add('gate-needs-key', `${at}.reuse`, { found: 'reuse', needs: 'model' });
  const reuse = own ?? general;
  return reuse === undefined ? {} : { reuse };
}

function sharedFields([first, ...others]: readonly Unit[]): string[] {
  return Object.keys(first?.data ?? {}).filter((name) =>
    others.every((unit) => Object.hasOwn(unit.data, name)),
  );
}

/** JavaScript moves keys that are whole numbers to the front of a map: they would lose their place. */
function checkPhaseName(context: LoadContext, name: string, at: string): void {
  if (/^(0|[1-9]\d*)$/.test(name)) {
    context.problems.add('bad-name', at, { found: name, expected: 'letters' }, 'key');
  } else checkName(context, name, at);
}

/** `state`: what the phase commits, if it does. */
function resolveOutputs(
  context: LoadContext,
  phase: ManifestPhase,
  state: StateSpec | undefined,
  at: string,
): OutputSpec[] {
  const { reader, problems } = context;
  const outputs = Object.entries(phase.outputs ?? {}).map(([name, written]): OutputSpec => {
    const path = `${at}.${name}`;
    if (name === stateOutput) problems.add('reserved-name', path, { found: name }, 'key');
    else checkName(context, name, path);
    if (typeof written === 'string') {
      const pattern = usePathPattern(reader, problems, written, path);
      const from = phase.model === undefined ? {} : { from: { kind: 'text' } as const };
      return { name, path: pattern, check: undefined, optional: false, onEdit: 'refuse', ...from };
    }
    return {
      name,
      path: usePathPattern(reader, problems, written.path, `${path}.path`),
      check: resolveProof(context, written, path),
      optional: written.optional ?? false,
      onEdit: written.on_edit ?? 'refuse',
      ...resolveAnswerPart(context, written, phase.model !== undefined, path),
    };
  });
  if (state !== undefined) {
    const check = state.snapshots.endsWith('.json')
      ? { kind: 'json' as const }
      : { kind: 'non-empty' as const };
    outputs.push({ name: stateOutput, path: state.snapshots, check, optional: false, onEdit: 'refuse' });
  }
  return outputs;
}

/** A schema that an answer is asked for in is what proves it as well. */
function resolveProof(
  context: LoadContext,
  { check, schema }: Exclude<NonNullable<ManifestPhase['outputs']>[string], string>,
  at: string,
): OutputCheck | undefined {
  if (schema !== undefined) {
    if (check !== undefined)
      context.problems.add('unknown-key', `${at}.schema`, { found: 'schema', other: 'check' }, 'key');
    return resolveSchema(context, schema, `${at}.schema`);
  }
  return check === undefined ? undefined : resolveCheck(context, check, `${at}.check`);
}

function resolvePrompt(
  context: LoadContext,
  prompt: ManifestPhase['prompt'],
  at: string,
): PromptSpec | undefined {
  if (prompt === undefined) return undefined;
  const { reader, problems } = context;
  const use = (path: string | undefined, key: string) =>
    path === undefined ? undefined : usePath(reader, problems, path, `${at}${key}`);
  if (typeof prompt === 'string') {
    return { system: undefined, phase: usePath(reader, problems, prompt, at), override: undefined };
  }
  return {
    system: use(prompt.system, '.system'),
    phase: usePath(reader, problems, prompt.phase, `${at}.phase`),
    override: use(prompt.override, '.override'),
    ...(prompt.repair !== undefined && { repair: use(prompt.repair, '.repair') }),
  };
}

/** Only what goes round has later rounds. */
function resolveLadder(context: LoadContext, phase: ManifestPhase, isInLoop: boolean, at: string): Rung[] {
  const { reader, problems } = context;
  if (phase.ladder !== undefined && !isInLoop) problems.add('ladder-outside-loop', `${at}.ladder`, {});
  return (phase.ladder ?? []).map(({ params, prompt }, nth) => {
    const path = `${at}.ladder[${nth}].prompt`;
    if (prompt !== undefined && phase.prompt === undefined)
      problems.add('missing-key', path, { expected: 'prompt' });
    return {
      params: params ?? {},
      prompt: prompt === undefined ? undefined : usePath(reader, problems, prompt, path),
    };
  });
}

function resolveLimits(limits: ManifestPhase['limits']): Limits | undefined {
  return (
    limits && {
      attempts: limits.attempts,
      consecutiveFailures: limits.consecutive_failures,
      retryRate: limits.retry_rate,
      rejectRate: limits.reject_rate,
      after: limits.after ?? limitsAfterDefault,
    }
  );
}

function resolveRetries(context: LoadContext, { retries, run, model }: ManifestPhase, at: string): Retries {
  // No invocation ends the tries of what is claimed from outside.
  const attemptsDefault = isTask(run) ? claimsDefault : undefined;
  const tries = model === undefined ? {} : { sitting: triesDefault };
  if (retries === undefined || typeof retries === 'number') {
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; retries are never awaited
    return { attempts: retries ?? attemptsDefault, ...tries, backoffMs: backoffMsDefault, then: 'stop' };
  }
  const backoffMs = resolveDuration(context, retries.backoff, backoffMsDefault, 0, `${at}.backoff`);
  return {
    attempts: retries.attempts ?? attemptsDefault,
    ...tries,
    ...(retries.interruptions !== undefined && { interruptions: retries.interruptions }),
    backoffMs,
    // biome-ignore lint/suspicious/noThenProperty: the same
    then: retries.then ?? 'stop',
  };
}
