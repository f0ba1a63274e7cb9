import { Context, Liquid, type LiquidError, type Template, Token, toValueSync } from 'liquidjs';
import { cleanPath, parentFolder } from '../paths.ts';

/** A template asked for another one that is not there. */
export class MissingTemplate extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`no template ${path}`);
    this.name = 'MissingTemplate';
    this.path = path;
  }
}

/** A template that another one takes in. */
export interface Include {
  /** The literal text; undefined when it is no literal, because then the file is unknown before rendering. */
  readonly name: string | undefined;
  /** Where the tag begins in the including template. */
  readonly offset: number;
}

const includingTags = new Set(['include', 'render', 'layout']);

/** They give another text tomorrow, elsewhere, or at random, but a prompt must depend on its inputs alone. */
const forbiddenFilters = [
  'date',
  'date_to_xmlschema',
  'date_to_rfc822',
  'date_to_string',
  'date_to_long_string',
  'sample',
];

/** Of one template, as it is written. */
const tagsMax = 20_000;

/** A list of 20,000 rows with ten fields each. Counted, so that a prompt fails on every machine or on none. */
const renderedNodesMax = 250_000;

/** The numbers of one range, or the characters of one text: `(1..90000000)` would take seconds before anything is counted. */
const allocatedMax = 5_000_000;

/** For filters that take long over few nodes. Nothing else happens meanwhile, not even the end by a signal. */
const renderMsMax = 3000;

/** Between two nodes the time is looked at for each value, and for each list or text that is longer than this. */
const itemsUntimed = 10_000;

/** Where the lines of the text begin that a position was asked in last. */
let indexed = { input: '', starts: [0] };

/**
 * As Liquid's own, which counts all characters before a token: for each of a hundred thousand variables that takes
 * minutes.
 */
Token.prototype.getPosition = function positionOf(this: Token): [row: number, column: number] {
  if (indexed.input !== this.input)
    indexed = {
      input: this.input,
      starts: [0, ...Array.from(this.input.matchAll(/\n/g), ({ index }) => index + 1)],
    };
  const { starts } = indexed;
  let row = 0;
  for (let end = starts.length; end - row > 1; ) {
    const middle = Math.floor((row + end) / 2);
    if ((starts[middle] ?? 0) <= this.begin) row = middle;
    else end = middle;
  }
  return [row + 1, this.begin - (starts[row] ?? 0) + 1];
};

/** Liquid over a set of known templates: nothing else is read, and each is parsed once. */
export class TemplateSet extends Liquid {
  readonly #read: (path: string) => string | undefined;
  readonly #parsed = new Map<string, Template[]>();

  constructor(read: (path: string) => string | undefined) {
    super({
      strictVariables: true,
      strictFilters: true,
      // A template must be able to ask whether something is there.
      lenientIf: true,
      ownPropertyOnly: true,
      // Asking the system for its locale takes longer than all the rest, and a prompt must not depend on it.
      locale: 'en-US',
      // An empty set in place of the file system.
      templates: {},
      parseLimit: 16 * 1024 * 1024,
      renderLimit: renderMsMax,
      memoryLimit: 100_000_000,
    });
    this.#read = read;
    for (const name of forbiddenFilters) this.unregisterFilter(name);
  }

  /** Throws a `LiquidError` for what is no template. */
  parsed(path: string): Template[] {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const text = this.#read(path);
    if (text === undefined) throw new MissingTemplate(path);
    // Before it is parsed, because Liquid takes longer for each tag the more of them follow.
    if (text.split(/\{[{%]/, tagsMax + 2).length > tagsMax + 1)
      throw new Error(`more than ${tagsMax} tags: template parse limit exceeded`);
    const template = this.parse(text, path);
    this.#parsed.set(path, template);
    return template;
  }

  /** Throws a `LiquidError` for what cannot be rendered, and for what takes too long. */
  rendered(path: string, variables: object): string {
    const context = new Context(variables, this.options, { sync: true }, { liquid: this });
    const { renderLimit, memoryLimit } = context;
    const checkTime = renderLimit.check.bind(renderLimit);
    let nodes = 0;
    renderLimit.check = (now) => {
      nodes += 1;
      if (nodes > renderedNodesMax)
        throw new Error(`more than ${renderedNodesMax} steps: template render limit exceeded`);
      checkTime(now);
    };
    const checkTimeNow = () => {
      const counted = nodes;
      // Without a node it only hands the time to `check`: there is no clock here to ask.
      toValueSync(this.renderer.renderTemplates([], context));
      nodes = counted;
    };
    const allocate = memoryLimit.use.bind(memoryLimit);
    memoryLimit.use = (count) => {
      if (Number(count) > allocatedMax)
        throw new Error(`more than ${allocatedMax} items at once: memory alloc limit exceeded`);
      if (Number(count) > itemsUntimed) checkTimeNow();
      allocate(count);
    };
    watchValues(context, checkTimeNow);
    return String(this.renderSync(this.parsed(path), context));
  }

  /** Every tag of a template that takes in another one. */
  includes(path: string): Include[] {
    const found: Include[] = [];
    const visit = (templates: readonly Template[]) => {
      for (const template of templates) {
        const { token } = template;
        const tag = 'name' in token && typeof token.name === 'string' ? token.name : '';
        const isNone = 'args' in token && token.args === 'none';
        if (includingTags.has(tag) && !isNone) {
          found.push({ name: template.partialScope?.()?.name, offset: token.begin });
        }
        if (template.children) visit(toValueSync(template.children(false, true)) as Template[]);
      }
    };
    visit(this.parsed(path));
    return found;
  }

  // biome-ignore lint/correctness/useYield: Liquid drives generators; this one has nothing to wait for
  override *_parsePartialFile(
    file: string,
    _sync?: boolean,
    currentFile?: string,
  ): Generator<unknown, Template[], string | Template[]> {
    return this.parsed(this.#resolve(file, currentFile));
  }

  // biome-ignore lint/correctness/useYield: Liquid drives generators; this one has nothing to wait for
  override *_parseLayoutFile(
    file: string,
    _sync?: boolean,
    currentFile?: string,
  ): Generator<unknown, Template[], string | Template[]> {
    return this.parsed(this.#resolve(file, currentFile));
  }

  #resolve(name: string, including: string | undefined): string {
    return resolveInclude(name, including ?? '', (path) => this.#read(path) !== undefined);
  }
}

/** One tag can take for ever by itself: `where_exp` evaluates a text for each item, and an expression may be very long. */
function watchValues(context: Context, onValue: () => void): Context {
  const [push, spawn, get] = [
    context.push.bind(context),
    context.spawn.bind(context),
    context._get.bind(context),
  ];
  context.push = (scope) => {
    onValue();
    return push(scope);
  };
  context.spawn = (scope) => {
    onValue();
    return watchValues(spawn(scope), onValue);
  };
  context._get = (paths) => {
    onValue();
    return get(paths);
  };
  return context;
}

/** From the top of the workspace, or else from the folder of the template that asks. */
export function resolveInclude(name: string, including: string, isThere: (path: string) => boolean): string {
  const path = cleanPath(name);
  const beside = cleanPath(`${parentFolder(including)}/${name}`);
  return [path, beside].find(isThere) ?? path;
}

/** Where an error of Liquid's points to in the text that it was reading. */
export function errorOffset(error: unknown): number {
  return tokenOf(error)?.begin ?? 0;
}

/** The template that an error of Liquid's happened in, of those that there are. */
export function errorFile(error: unknown, templates: ReadonlyMap<string, string>): string | undefined {
  const token = tokenOf(error);
  if (token === undefined) return undefined;
  // Errors in expressions do not say their file, but they hold its text.
  return token.file ?? [...templates].find(([, text]) => text === token.input)?.[0];
}

/** The message of an error without the place, which is reported separately and better. */
export function errorText(error: unknown): string {
  const cause = (error as Partial<LiquidError> | null)?.originalError ?? error;
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return line.replace(/(, file:.*)?, line:\d+, col:\d+$/, '');
}

function tokenOf(error: unknown): LiquidError['token'] | undefined {
  return (error as Partial<LiquidError> | null)?.token;
}
