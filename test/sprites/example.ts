import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Liquid } from 'liquidjs';
import { parse } from 'yaml';

/*
 * The example's own functions, called with small tasks: what they get here is what the manifest and the templates of
 * the example say. The engine has no part in it.
 */

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

export interface Report {
  readonly frame: number;
  readonly attempt: number;
  readonly verdict: 'approved' | 'rejected';
  readonly composite: number;
  readonly scores: Readonly<Record<Measure, number>>;
  readonly reasons: readonly string[];
}

export const measures = ['size', 'alpha', 'identity', 'feet', 'neighbour'] as const;
export type Measure = (typeof measures)[number];

interface File {
  bytes(): Uint8Array;
  json(): unknown;
}

type Params = Readonly<Record<string, unknown>>;

interface Phases {
  drawAnchor(task: object): Promise<{ picture: Uint8Array }>;
  generate(task: object): Promise<{ candidate: Uint8Array }>;
  audit(task: object): Promise<{ report: Report; rejected?: Uint8Array }>;
  approve(task: object): Promise<{ frame: Uint8Array }>;
  pack(task: object): Promise<{ sheet: Uint8Array; atlas: Atlas }>;
}

export interface Atlas {
  readonly frames: Readonly<
    Record<string, { frame: { x: number; y: number; w: number; h: number }; duration: number }>
  >;
  readonly meta: { readonly image: string; readonly size: { w: number; h: number } };
}

interface Png {
  blankPicture(width: number, height: number): Picture;
  writePng(picture: Picture, texts?: Readonly<Record<string, string>>): Uint8Array;
  readPng(bytes: Uint8Array): Picture;
}

interface Order {
  readonly move: string;
  readonly sparks: number;
  readonly rules: readonly string[];
}

interface Standin {
  drawFrame(character: object, order: Order, index: number, settings: object, slip?: Measure): Picture;
}

const exampleRoot = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'examples/sprites');
const load = (name: string) => import(pathToFileURL(join(exampleRoot, name)).href);
export const readExample = (path: string) => readFileSync(join(exampleRoot, path), 'utf8');

export const phases: Phases = await load('phases.mjs');
export const png: Png = await load('png.mjs');
export const standin: Standin = await load('standin.mjs');

/** A manifest of the example, as far as the tests look at it. */
export interface Move {
  readonly identity: { readonly character: string; readonly move: string };
  readonly inputs: { readonly character: string };
  readonly params: Readonly<Record<'draw_anchor' | 'generate' | 'audit' | 'pack', Params>>;
  readonly rungs: readonly Rung[];
  readonly count: number;
}

interface Rung {
  readonly params?: Params;
  readonly prompt?: string;
}

export function readMove(path: string): Move {
  const manifest = parse(readExample(path));
  const [anchor, frames, sheet] = manifest.stages;
  const { generate, audit } = frames.phases;
  const { prompt, params, ladder } = generate;
  return {
    identity: manifest.identity,
    inputs: manifest.inputs,
    params: {
      draw_anchor: anchor.phases.draw_anchor.params,
      generate: params,
      audit: audit.params,
      pack: sheet.phases.pack.params,
    },
    rungs: [{ prompt }, ...ladder],
    count: frames.units.count,
  };
}

export function fileOf(bytes: Uint8Array): File {
  return { bytes: () => bytes, json: () => JSON.parse(Buffer.from(bytes).toString('utf8')) };
}

export const characterFile = (move: Move) => fileOf(Buffer.from(readExample(move.inputs.character)));

/** A task of frame `index` (or of another unit) with what does not matter filled in. */
export function taskOf(index: number, own: object): object {
  return {
    unit: { id: `frame_${String(index).padStart(4, '0')}`, index },
    phase: 'any',
    attempt: 1,
    iteration: 1,
    params: {},
    inputs: {},
    signal: new AbortController().signal,
    respond: () => {},
    cost: () => {},
    ...own,
  };
}

const liquid = new Liquid({ root: exampleRoot, strictVariables: true, strictFilters: true, lenientIf: true });

/** The prompt of a round, from the example's own templates. */
export function promptOf(move: Move, template: string, index: number, report?: Report): { text: string } {
  const character = characterFile(move).json();
  const data = report === undefined ? { character } : { character, report };
  const variables = { identity: move.identity, unit: { index }, params: move.params.generate, data };
  return { text: String(liquid.renderFileSync(template, variables)) };
}

export async function drawAnchorOf(move: Move): Promise<Uint8Array> {
  const task = taskOf(0, { params: move.params.draw_anchor, inputs: { character: characterFile(move) } });
  return (await phases.drawAnchor(task)).picture;
}

const anchors = new Map<Move, Promise<Uint8Array>>();

/** Drawn once: every audit needs it. */
export function anchorOf(move: Move): Promise<Uint8Array> {
  const anchor = anchors.get(move) ?? drawAnchorOf(move);
  anchors.set(move, anchor);
  return anchor;
}

/** What the stand-in draws in a round of the gate's loop, from 1: the first rung of the ladder is round 2. */
export async function candidateOf(
  move: Move,
  index: number,
  round: number,
  report?: Report,
): Promise<Uint8Array> {
  const rung = move.rungs[Math.min(round, move.rungs.length) - 1] ?? {};
  const template = rung.prompt ?? move.rungs[0]?.prompt ?? '';
  const params = { ...move.params.generate, ...rung.params };
  const prompt = promptOf(move, template, index, report);
  const inputs = { character: characterFile(move) };
  return (await phases.generate(taskOf(index, { iteration: round, params, prompt, inputs }))).candidate;
}

export async function auditOf(
  move: Move,
  index: number,
  {
    candidate,
    anchor,
    before,
  }: { candidate: Uint8Array; anchor: Uint8Array; before?: Uint8Array | undefined },
  attempt = 1,
): Promise<{ report: Report; rejected?: Uint8Array }> {
  const inputs = {
    candidate: fileOf(candidate),
    anchor: fileOf(anchor),
    before: before === undefined ? undefined : fileOf(before),
  };
  return phases.audit(taskOf(index, { attempt, params: move.params.audit, inputs }));
}
