import type { JsonValue } from '../base/json.ts';
import type { ModelCall } from './calls.ts';

/** What does the work of a phase. */
export type Executor =
  /** A program; `argv` items may hold `{unit}`, `{input.NAME}`, `{output.NAME}`, `{param.NAME}`. Never a shell. */
  | {
      readonly kind: 'command';
      readonly argv: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  /** An exported function of a module in the workspace. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string }
  /** A function given in code, by a pipeline written in TypeScript. */
  | { readonly kind: 'inline'; readonly name: string }
  /** A task: an agent or a person outside of Pawl claims the work and completes it. */
  | {
      readonly kind: 'task';
      /** The role of those who may claim it. */
      readonly role: string;
      /** The manifest says `agent: ROLE`, the old spelling of `task: ROLE`. */
      readonly isOldSpelling?: true;
      readonly leaseMs: number;
      /** The unit's field that lists files which have to be there when it is done. */
      readonly files: string | undefined;
    }
  /** A language model is asked. */
  | ModelCall;

/** What is asked of a phase in many places. A new kind does not compile until every question has an answer here. */
interface Answers {
  readonly isForOthers: boolean;
  readonly asksModel: boolean;
  readonly runsProgram: boolean;
  readonly isCalledHere: boolean;
}

const answers = {
  command: { isForOthers: false, asksModel: false, runsProgram: true, isCalledHere: false },
  function: { isForOthers: false, asksModel: false, runsProgram: false, isCalledHere: true },
  inline: { isForOthers: false, asksModel: false, runsProgram: false, isCalledHere: true },
  task: { isForOthers: true, asksModel: false, runsProgram: false, isCalledHere: false },
  model: { isForOthers: false, asksModel: true, runsProgram: false, isCalledHere: false },
} as const satisfies Readonly<Record<Executor['kind'], Answers>>;

interface HasExecutor {
  readonly executor: Executor;
}

/** Executors of the kinds whose answer is yes. */
type Executors<Question extends keyof Answers> = {
  [Kind in keyof typeof answers]: (typeof answers)[Kind][Question] extends true
    ? Extract<Executor, { kind: Kind }>
    : never;
}[keyof typeof answers];

/** Claimed from outside: the runner never starts it. */
export function isForOthers<P extends HasExecutor>(
  phase: P,
): phase is P & { readonly executor: Executors<'isForOthers'> } {
  return answers[phase.executor.kind].isForOthers;
}

/** A model is asked, and it may cost something. */
export function asksModel<P extends HasExecutor>(
  phase: P,
): phase is P & { readonly executor: Executors<'asksModel'> } {
  return answers[phase.executor.kind].asksModel;
}

/** A process of its own does it. */
export function runsProgram<P extends HasExecutor>(
  phase: P,
): phase is P & { readonly executor: Executors<'runsProgram'> } {
  return answers[phase.executor.kind].runsProgram;
}

/** A function does it in this process, and can be handed bytes. */
export function isCalledHere<P extends HasExecutor>(
  phase: P,
): phase is P & { readonly executor: Executors<'isCalledHere'> } {
  return answers[phase.executor.kind].isCalledHere;
}

/** The role that may claim it; undefined: none, because Pawl runs it. */
export function roleOf(phase: HasExecutor): string | undefined {
  return isForOthers(phase) ? phase.executor.role : undefined;
}

/** The module of the workspace that does it; undefined: it is in none. */
export function moduleOf(phase: HasExecutor): string | undefined {
  return isCalledHere(phase) && 'module' in phase.executor ? phase.executor.module : undefined;
}

/** What an output has to pass before it counts. */
export type OutputCheck =
  | { readonly kind: 'non-empty' }
  | { readonly kind: 'json' }
  | { readonly kind: 'json-schema'; readonly schema: JsonValue; readonly path: string }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'png'; readonly width?: number | undefined; readonly height?: number | undefined }
  /** Any type of picture; all but PNG need the package sharp. */
  | { readonly kind: 'image' }
  /** A section of a Markdown file holds a table that is filled in. */
  | { readonly kind: 'markdown-table'; readonly table: TableSpec }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  /** An exported function of a module in the workspace. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string };

/** A table in a Markdown file, and what it must hold. */
export interface TableSpec {
  /** The heading above it. */
  readonly section: string;
  /** They must be there, and no cell in these columns may be left open. */
  readonly columns: readonly string[];
  readonly rowsMin: number;
  readonly verdict: TableVerdict | undefined;
}

/** Every row says one of a few things. */
export interface TableVerdict {
  readonly column: string;
  readonly allow: readonly string[];
  /** Verdicts that need a reason. */
  readonly justify: TableJustify | undefined;
}

export interface TableJustify {
  readonly when: readonly string[];
  /** The column that the reason stands in. */
  readonly column: string;
  /** Where the reasons have a table of their own: the heading above it, and its column that names the row. */
  readonly elsewhere?: { readonly section: string; readonly rowColumn: string };
}
