import type { Hash } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { RenderedPrompt, TemplateVariables } from '../pipeline/loaded.ts';
import type { Renderer } from '../pipeline/render.ts';
import type { Assignment } from './assignment.ts';
import type { RunContext } from './context.ts';
import { handover } from './handover.ts';
import type { TaskInputs } from './inputs.ts';

const renderers = new WeakMap<RunContext, Promise<Renderer>>();

/** The fully resolved prompt of one attempt; undefined for a phase without one. */
export async function renderPrompt(
  run: RunContext,
  assignment: Assignment,
  taken: TaskInputs,
): Promise<Result<RenderedPrompt | undefined, AttemptFailure>> {
  const { phase } = assignment;
  if (phase.prompt === undefined) return ok(undefined);
  const renderer = await rendererOf(run);
  const rendered = renderer.render(phase, variables(run, assignment, taken));
  if (rendered.ok) return ok(rendered.value);
  const { code, path, line, column, name = '', detail } = rendered.failure;
  return fail({ reason: 'template-failed', message: detail, facts: { code, path, line, column, name } });
}

/** What is kept on disk of a prompt: what was sent, readable. */
export function promptFile(prompt: RenderedPrompt): string {
  const system = prompt.system === undefined ? '' : `<!-- system -->\n${prompt.system}\n`;
  return `${system}<!-- prompt -->\n${prompt.text}\n`;
}

export function promptHash(prompt: RenderedPrompt | undefined): { prompt: Hash } | Record<string, never> {
  return prompt === undefined ? {} : { prompt: prompt.hash };
}

/** The template engine is heavy: a run without prompts never loads it. */
function rendererOf(run: RunContext): Promise<Renderer> {
  let renderer = renderers.get(run);
  if (renderer === undefined) {
    renderer = import('../pipeline/render.ts').then((room) => room.createRenderer(run.loaded));
    renderers.set(run, renderer);
  }
  return renderer;
}

function variables(run: RunContext, assignment: Assignment, taken: TaskInputs): TemplateVariables {
  const { unit, phase, iteration } = assignment;
  const { mode, existing, feedback } = handover(run, assignment);
  const inputs: Record<string, string> = {};
  const data: Record<string, JsonValue> = {};
  for (const [name, file] of Object.entries(taken.inputs)) {
    if (file === undefined) continue;
    const text = file.text();
    inputs[name] = text;
    const json = tryJson(text);
    if (json !== undefined) data[name] = json;
  }
  return {
    unit: { ...(unit.index !== undefined && { index: unit.index }), id: unit.id, ...unit.data },
    inputs,
    data,
    state: taken.state === undefined ? null : (tryJson(taken.state.text()) ?? null),
    params: phase.params,
    identity: run.loaded.pipeline.identity,
    pipeline: run.loaded.pipeline.name,
    iteration,
    mode,
    existing,
    feedback: feedback as unknown as JsonValue[],
  };
}

function tryJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
