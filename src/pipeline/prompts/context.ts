import type { DeclaredFile } from '../../model/definition.ts';
import { isSafeName } from '../../model/names.ts';
import type { Reader } from '../loaded.ts';
import type { parseDataFile } from '../text/data-file.ts';
import type { ProblemList } from '../text/problems.ts';
import type { Sources } from '../units/sources.ts';

/** An artifact that was made, as text. */
export interface ArtifactText {
  readonly path: string;
  readonly text: string;
}

/** What every step of a load looks at. */
export interface LoadContext {
  readonly reader: Reader;
  readonly sources: Sources;
  readonly problems: ProblemList;
  /** Declared files, by name. */
  readonly files: ReadonlyMap<string, DeclaredFile>;
  /** Artifacts of the run, by `PHASE.OUTPUT`: what units of a later stage may be listed in. */
  readonly artifacts: ReadonlyMap<string, ArtifactText>;
  /** Phases whose function was given in code. */
  readonly functions: ReadonlySet<string>;
  /** Reads a JSON or YAML file. Only there for a manifest that names one: the parser takes long to load. */
  readonly parseData: typeof parseDataFile | undefined;
}

/** A reference such as `outline.scenes.first`: a known name, which may itself hold dots, and what follows it. */
export function splitReference(
  text: string,
  isKnown: (name: string) => boolean,
): { readonly name: string; readonly rest: string } | undefined {
  if (isKnown(text)) return { name: text, rest: '' };
  for (let dot = text.lastIndexOf('.'); dot > 0; dot = text.lastIndexOf('.', dot - 1)) {
    const name = text.slice(0, dot);
    if (isKnown(name)) return { name, rest: text.slice(dot + 1) };
  }
  return undefined;
}

/** The shape has settled that it is a name; whether some system would choke on it is asked here. */
export function checkName(context: LoadContext, name: string, at: string): void {
  if (!isSafeName(name)) context.problems.add('reserved-name', at, { found: name }, 'key');
}
