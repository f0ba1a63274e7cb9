import type { Gate } from '../model/definition.ts';
import { type LoadContext, splitReference } from './context.ts';
import type { ManifestPhase } from './manifest.ts';
import { suggestion } from './problems.ts';
import { nearest } from './suggest.ts';

/** The phases that a gate sends a unit through again: from `back_to` up to the gate, as they are listed. */
export interface GateLoop {
  readonly gatePhase: string;
  readonly phases: readonly string[];
}

/** Reads a gate. `listed` are the phases of its stage; `outputs` what its own phase writes. */
export function resolveGate(
  context: LoadContext,
  gate: NonNullable<ManifestPhase['gate']>,
  listed: readonly string[],
  phase: string,
  outputs: readonly string[],
  at: string,
): Gate {
  checkBackTo(context, gate.back_to, listed, phase, `${at}.back_to`);
  const verdict = splitReference(gate.verdict, (name) => outputs.includes(name));
  if (verdict === undefined) {
    const [found = ''] = gate.verdict.split('.');
    const facts = { found, valid: outputs, ...suggestion(nearest(found, outputs)) };
    context.problems.add('gate-unknown-output', `${at}.verdict`, facts);
  } else if (verdict.rest === '') {
    context.problems.add('wrong-type', `${at}.verdict`, { expected: 'OUTPUT.KEY', found: gate.verdict });
  }
  const also = (key: 'score' | 'scores' | 'defects') =>
    verdict && keysInReport(context, gate[key], verdict.name, `${at}.${key}`);
  return {
    output: verdict?.name ?? '',
    path: verdict?.rest.split('.') ?? [],
    score: also('score'),
    scores: also('scores'),
    defects: also('defects'),
    pass: gate.pass.map(String),
    backTo: gate.back_to,
    iterations: gate.iterations,
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
    then: gate.then ?? 'stop',
  };
}

/** What else is read stands in the same report as the verdict. */
function keysInReport(
  context: LoadContext,
  written: string | undefined,
  output: string,
  at: string,
): string[] | undefined {
  if (written === undefined) return undefined;
  const keys = written.startsWith(`${output}.`) ? written.slice(output.length + 1) : '';
  if (keys !== '') return keys.split('.');
  context.problems.add('wrong-type', at, { expected: `${output}.KEY`, found: written });
  return undefined;
}

function checkBackTo(
  context: LoadContext,
  backTo: string,
  listed: readonly string[],
  phase: string,
  at: string,
): void {
  const valid = listed.slice(0, listed.indexOf(phase) + 1);
  if (valid.includes(backTo)) return;
  if (listed.includes(backTo)) context.problems.add('gate-back-to-later', at, { found: backTo, valid });
  else
    context.problems.add('not-one-of', at, { found: backTo, valid, ...suggestion(nearest(backTo, valid)) });
}

/** The loops of a stage by phase. Two that share a phase are refused: nobody could say whose round it is. */
export function findLoops(
  context: LoadContext,
  listed: readonly string[],
  gates: ReadonlyMap<string, Gate>,
  at: string,
): Map<string, GateLoop> {
  const loops = new Map<string, GateLoop>();
  for (const [gatePhase, { backTo }] of gates) {
    const start = listed.indexOf(backTo);
    const end = listed.indexOf(gatePhase);
    if (start === -1 || start > end) continue;
    const phases = listed.slice(start, end + 1);
    const other = phases.map((phase) => loops.get(phase)).find((loop) => loop !== undefined);
    if (other !== undefined) {
      const facts = { found: gatePhase, other: other.gatePhase };
      context.problems.add('gate-loops-overlap', `${at}.${gatePhase}.gate.back_to`, facts);
      continue;
    }
    const loop = { gatePhase, phases };
    for (const phase of phases) loops.set(phase, loop);
  }
  return loops;
}

/** A phase that waits for a failed gate must be inside a loop, and must not be the gate that it waits for. */
export function checkWhen(context: LoadContext, phase: string, loop: GateLoop | undefined, at: string): void {
  if (loop !== undefined && loop.gatePhase !== phase) return;
  context.problems.add('when-outside-loop', `${at}.when`, { found: phase });
}
