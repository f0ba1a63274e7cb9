import type { Hash } from '../../base/hash.ts';
import { type JsonValue, parseJson } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { FailedAttempt } from '../../ledger/ledger.ts';
import type { Phase } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { RenderedPrompt, TemplateVariables } from '../../pipeline/loaded.ts';
import type { PromptFile } from '../../pipeline/prompts/prompt-file.ts';
import type { Renderer, RenderFailure } from '../../pipeline/prompts/render.ts';
import type { PromptVariable } from '../../pipeline/prompts/variables.ts';
import { isFileNamed } from '../../pipeline/units/fields.ts';
import type { RunView } from '../context.ts';
import type { TaskInputs } from '../executors/input-file.ts';
import { handover, type ReadyStep } from './attempt.ts';
import { ownFileText } from './inputs.ts';

const renderers = new WeakMap<RunView, Promise<Renderer>>();

/** The fully resolved prompt of one attempt; undefined for a phase without one. */
export async function renderPrompt(
  run: RunView,
  step: ReadyStep,
  taken: TaskInputs,
): Promise<Result<RenderedPrompt | undefined, AttemptFailure>> {
  const { phase } = step;
  if (phase.prompt === undefined) return ok(undefined);
  const file = promptFileOf(step, taken);
  return inTurn(run, (renderer) => renderer.render(phase, variables(run, step, taken), file));
}

/** The text that asks a model to repair an answer that could not be used. */
export async function renderRepair(
  run: RunView,
  step: ReadyStep,
  taken: TaskInputs,
  { failure, answer }: { readonly failure: FailedAttempt; readonly answer: string },
): Promise<Result<string, AttemptFailure>> {
  const { reason, message, facts = {} } = failure;
  const file = promptFileOf(step, taken);
  return inTurn(run, (renderer) => {
    const about = { failure: { reason, message, output: facts.output ?? '' }, answer };
    return renderer.renderRepair(step.phase, { ...variables(run, step, taken), ...about }, file);
  });
}

/** By run: ends when the process has looked for signals after a prompt that could not be rendered. */
const pauses = new WeakMap<RunView, Promise<void>>();

/**
 * Renders, and lets the process look for signals before the next one when that failed: a template that reaches its limit
 * takes up to seconds, and steps that start together would render one after the other without a pause.
 */
async function inTurn<T>(
  run: RunView,
  render: (renderer: Renderer) => Result<T, RenderFailure>,
): Promise<Result<T, AttemptFailure>> {
  const renderer = await rendererOf(run);
  for (let pause = pauses.get(run); pause !== undefined; pause = pauses.get(run)) await pause;
  const rendered = render(renderer);
  if (rendered.ok) return rendered;
  const turn = new Promise<void>((resolve) => {
    setImmediate(() => {
      pauses.delete(run);
      resolve();
    });
  });
  pauses.set(run, turn);
  return fail(templateFailure(rendered.failure));
}

function templateFailure({ detail, name = '', ...failure }: RenderFailure): AttemptFailure {
  return { reason: 'template-failed', message: detail, facts: { ...failure, name } };
}

export function promptHash(prompt: RenderedPrompt | undefined): { prompt: Hash } | Record<string, never> {
  return prompt === undefined ? {} : { prompt: prompt.hash };
}

/** The template engine is heavy: a run without prompts never loads it. */
function rendererOf(run: RunView): Promise<Renderer> {
  let renderer = renderers.get(run);
  if (renderer === undefined) {
    renderer = import('../../pipeline/prompts/render.ts').then((room) => room.createRenderer(run.loaded));
    renderers.set(run, renderer);
  }
  return renderer;
}

function variables(
  run: RunView,
  step: ReadyStep,
  taken: TaskInputs,
): TemplateVariables & Record<PromptVariable, JsonValue> {
  const { unit, phase, round } = step;
  const { mode, existing, feedback } = handover(run, step);
  const inputs: Record<string, string> = {};
  const data: Record<string, JsonValue> = {};
  for (const [name, file] of Object.entries(taken.inputs)) {
    // What is sent as a file is seldom text.
    if (file === undefined || isAttached(phase, name)) continue;
    const own = isOwnFile(phase, name) ? unit.file : undefined;
    const text = own === undefined ? file.text() : ownFileText(file, own);
    if (typeof text !== 'string') {
      Object.defineProperty(inputs, name, { enumerable: true, get: () => failWith(text) });
      continue;
    }
    inputs[name] = text;
    const json = parseJson(text);
    if (json !== undefined) data[name] = json;
  }
  return {
    unit: { ...(unit.index !== undefined && { index: unit.index }), id: unit.id, ...unit.data },
    inputs,
    data,
    state: taken.state === undefined ? null : (parseJson(taken.state.text()) ?? null),
    params: phase.params,
    identity: run.loaded.pipeline.identity,
    pipeline: run.loaded.pipeline.name,
    iteration: round,
    mode,
    existing,
    feedback: feedback as unknown as JsonValue[],
  };
}

/** Undefined: the phase does not take it, or the unit has another field called `file`. */
function promptFileOf({ unit, phase }: ReadyStep, { inputs }: TaskInputs): PromptFile | undefined {
  const name = phase.inputs.find(({ kind }) => kind === 'unit-file')?.name;
  const taken = name === undefined ? undefined : inputs[name];
  if (taken === undefined || unit.file === undefined || !isFileNamed(unit)) return undefined;
  const own = unit.file;
  const { path, hash } = own;
  const readText = () => {
    const text = ownFileText(taken, own);
    return typeof text === 'string' ? text : failWith(text);
  };
  return { path, hash, readText };
}

function failWith(error: Error): never {
  throw error;
}

function isOwnFile({ inputs }: Phase, name: string): boolean {
  return inputs.some((input) => input.kind === 'unit-file' && input.name === name);
}

function isAttached(phase: Phase, input: string): boolean {
  return asksModel(phase) && phase.executor.attach.includes(input);
}
