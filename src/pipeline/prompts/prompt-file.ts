import { Drop } from 'liquidjs';
import type { JsonValue } from '../../base/json.ts';
import type { TemplateVariables } from '../loaded.ts';
import { fileFields } from '../units/fields.ts';

/** The unit's own file, as a prompt is given it. */
export interface PromptFile {
  readonly path: string;
  readonly hash: string | undefined;
  /** Throws where the file is too large for a prompt, or no text. */
  readText(): string;
}

/** What a template can name of `unit.file`. */
export const promptFileFields = ['path', 'name', 'stem', 'folder', 'hash', 'text'] as const;

/** The path where a text is wanted, and its fields. The text is read when a template asks for it, and not before. */
class FileDrop extends Drop {
  readonly #path: string;

  constructor({ path, hash, readText }: PromptFile, written: string) {
    super();
    this.#path = written;
    for (const [name, value] of fileFields(path)) this[name] = value;
    if (hash !== undefined) this.hash = hash;
    Object.defineProperty(this, 'text', { enumerable: true, get: readText });
  }

  override valueOf(): string {
    return this.#path;
  }
}

/** `unit.file` is the unit's own file, unless the unit has another field of that name. */
export function withPromptFile(
  variables: TemplateVariables,
  file: PromptFile | undefined,
): TemplateVariables {
  const unit = variables.unit as Readonly<Record<string, JsonValue>>;
  if (file === undefined) return variables;
  const written = typeof unit.file === 'string' ? unit.file : file.path;
  return { ...variables, unit: { ...unit, file: new FileDrop(file, written) as unknown as JsonValue } };
}
