import { hashJson } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Phase } from '../../model/definition.ts';
import type { LoadedPipeline, RenderedPrompt, TemplateVariables } from '../loaded.ts';
import { placeAtOffset } from '../text/problems.ts';
import { NoPromptText } from '../units/fields.ts';
import { errorFile, errorOffset, errorText, MissingTemplate, TemplateSet } from './liquid.ts';
import { type PromptFile, withPromptFile } from './prompt-file.ts';
import { findUnknown } from './variables.ts';

/** Why a prompt could not be made. */
export interface RenderFailure {
  readonly code: /** It is not there. */
    | 'template-missing'
    /** It is no template. */
    | 'template-syntax'
    /** It names something that this step does not have. */
    | 'template-unknown-variable'
    /** It took too much time or memory. */
    | 'template-too-large'
    /** A filter could not work with what it was given. */
    | 'template-failed'
    /** It takes the text of the unit's own file, which has more than 1 MiB. */
    | 'unit-file-too-large'
    /** The same of a file that is no text. */
    | 'unit-file-not-text';
  /** The template, or the one that it includes, where it happened. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The unknown variable, the template, or the file. */
  readonly name?: string;
  /** Of that file, in bytes. */
  readonly size?: number;
  /** The variable that may have been meant. */
  readonly suggestion?: string;
  /** The engine's own words: data, shown as such. */
  readonly detail: string;
}

/** Makes prompts of a pipeline's templates. The same variables give the same prompt, today and elsewhere. */
export interface Renderer {
  render(
    phase: Phase,
    variables: TemplateVariables,
    file?: PromptFile,
  ): Result<RenderedPrompt, RenderFailure>;
  /** What is said to an answer that could not be used. */
  renderRepair(phase: Phase, variables: TemplateVariables, file?: PromptFile): Result<string, RenderFailure>;
}

export function createRenderer(loaded: LoadedPipeline): Renderer {
  const { templates } = loaded;
  const engine = new TemplateSet((path) => templates.get(path));

  function renderFile(path: string, variables: TemplateVariables): Result<string, RenderFailure> {
    try {
      return ok(engine.rendered(path, variables));
    } catch (error) {
      return fail(readError(error, path, variables));
    }
  }

  function readError(error: unknown, path: string, variables: TemplateVariables): RenderFailure {
    const found = errorFile(error, templates) ?? path;
    const { line, column } = placeAtOffset(found, templates.get(found) ?? '', errorOffset(error));
    const failure = classify(error);
    const isUnknown = failure.code === 'template-unknown-variable';
    const [near] = isUnknown ? (findUnknown(failure.name?.split('.') ?? [], variables)?.near ?? []) : [];
    return { ...failure, path: found, line, column, ...(near !== undefined && { suggestion: near }) };
  }

  return {
    render(phase, given, file) {
      const variables = withPromptFile(given, file);
      const { prompt } = phase;
      if (prompt === undefined) throw new Error(`phase ${phase.name} has no prompt`);
      const { override } = prompt;
      const main = override !== undefined && templates.has(override) ? override : prompt.phase;
      const system = prompt.system === undefined ? undefined : renderFile(prompt.system, variables);
      if (system !== undefined && !system.ok) return system;
      const text = renderFile(main, variables);
      if (!text.ok) return text;
      const parts = { ...(system === undefined ? {} : { system: system.value }), text: text.value };
      return ok({ system: system?.value, text: text.value, hash: hashJson(parts) });
    },
    renderRepair(phase, variables, file) {
      const path = phase.prompt?.repair;
      if (path === undefined) throw new Error(`phase ${phase.name} has no repair prompt`);
      return renderFile(path, withPromptFile(variables, file));
    },
  };
}

function classify(error: unknown): Pick<RenderFailure, 'code' | 'name' | 'size' | 'detail'> {
  const cause = (error as { originalError?: unknown } | null)?.originalError ?? error;
  const detail = errorText(error);
  if (cause instanceof MissingTemplate) return { code: 'template-missing', name: cause.path, detail };
  if (cause instanceof NoPromptText)
    return { code: cause.code, name: cause.path, size: cause.size, detail: '' };
  const variable = (cause as { variableName?: unknown } | null)?.variableName;
  if (typeof variable === 'string') return { code: 'template-unknown-variable', name: variable, detail };
  if (/limit exceeded$/.test(detail)) return { code: 'template-too-large', detail };
  const name = error instanceof Error ? error.name : '';
  const isSyntax = name === 'ParseError' || name === 'TokenizationError';
  return { code: isSyntax ? 'template-syntax' : 'template-failed', detail };
}
