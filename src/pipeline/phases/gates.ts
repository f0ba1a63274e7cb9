import type { Gate, Phase, Rung } from '../../model/definition.ts';
import { type LoadContext, splitReference } from '../context.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';

/** The phases that a gate sends a unit through again: from `back_to` up to the gate, as they are listed. */
export interface GateLoop {
  readonly gatePhase: string;
  readonly phases: readonly string[];
}

type WrittenGate = NonNullable<ManifestPhase['gate']>;

/** Reads a gate. `listed` are the phases of its stage; `outputs` what its own phase writes. */
export function resolveGate(
  context: LoadContext,
  gate: WrittenGate,
  listed: readonly string[],
  phase: string,
  outputs: readonly string[],
  at: string,
): Gate {
  checkBackTo(context, gate.back_to, listed, phase, `${at}.back_to`);
  checkKeys(context, gate, at);
  checkReach(context, gate, at);
  const output = reportOf(context, gate, outputs, at);
  const keys = (key: ReportKey) =>
    output === undefined ? undefined : keysInReport(context, gate[key], output, `${at}.${key}`);
  return {
    output: output ?? '',
    path: keys('verdict'),
    score: keys('score'),
    scores: keys('scores'),
    defects: keys('defects'),
    pass: gate.pass?.map(String) ?? [],
    bar: gate.bar,
    backTo: gate.back_to,
    iterations: gate.iterations,
    plateau: gate.plateau,
    regression: gate.regression,
    budget: gate.budget,
    cluster: gate.cluster,
    keep: gate.keep ?? 'last',
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word; a gate is never awaited
    then: gate.then ?? 'stop',
  };
}

/** Keys that lead into the report. The first that is written names it, and all others stand in the same. */
const reportKeys = ['verdict', 'score', 'scores', 'defects'] as const;
type ReportKey = (typeof reportKeys)[number];

/** What a gate judges by has to be there, and whatever a key looks at. */
function checkKeys(context: LoadContext, gate: WrittenGate, at: string): void {
  if (gate.verdict === undefined && gate.bar === undefined)
    context.problems.add('missing-key', at, { valid: ['verdict', 'bar'] }, 'key');
  const needs = (key: keyof WrittenGate, needed: keyof WrittenGate, isSaid = gate[key] !== undefined) => {
    if (isSaid && gate[needed] === undefined)
      context.problems.add('gate-needs-key', `${at}.${key}`, { found: key, needs: needed }, 'key');
  };
  needs('verdict', 'pass');
  needs('pass', 'verdict');
  for (const key of ['bar', 'plateau', 'regression'] as const) needs(key, 'score');
  needs('keep', 'score', gate.keep === 'best');
  needs('cluster', 'defects');
}

/** A rule that the last round cannot come to would never do anything. */
function checkReach(context: LoadContext, gate: WrittenGate, at: string): void {
  const { plateau = 0, cluster = 0, iterations } = gate;
  const check = (key: 'plateau' | 'cluster', found: number, maximum: number) => {
    if (found > maximum) context.problems.add('out-of-range', `${at}.${key}`, { found, maximum });
  };
  check('plateau', plateau, iterations - 1);
  check('cluster', cluster, iterations);
}

/** The output that the gate reads. */
function reportOf(
  context: LoadContext,
  gate: WrittenGate,
  outputs: readonly string[],
  at: string,
): string | undefined {
  const key = reportKeys.find((candidate) => gate[candidate] !== undefined);
  const written = key && gate[key];
  if (key === undefined || written === undefined) return undefined;
  const found = splitReference(written, (name) => outputs.includes(name));
  if (found !== undefined) return found.name;
  const [first = ''] = written.split('.');
  const facts = { found: first, valid: outputs, ...suggestion(nearest(first, outputs)) };
  context.problems.add('gate-unknown-output', `${at}.${key}`, facts);
  return undefined;
}

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

/**
 * The loops of a stage by phase. Two that share a phase are refused, because a round could belong to either.
 */
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

/** The rung that a round stands on: the first is for round 2, and the last one stays. Undefined: none yet. */
export function rungAt(ladder: readonly Rung[], round: number): { rung: Rung; at: number } | undefined {
  const at = Math.min(round - 2, ladder.length - 1);
  const rung = ladder[at];
  return rung && { rung, at };
}

/** What a phase does on a rung of its ladder. */
export function atRung(phase: Phase, rung: Rung): Pick<Phase, 'params' | 'prompt'> {
  const { prompt } = phase;
  return {
    params: { ...phase.params, ...rung.params },
    // A rung's own template is meant to be used: what overrides the phase's does not override it.
    prompt:
      prompt && rung.prompt !== undefined ? { ...prompt, phase: rung.prompt, override: undefined } : prompt,
  };
}

/** A phase as it is in one round. */
export function inRound(phase: Phase, round: number): Phase {
  const found = rungAt(phase.ladder, round);
  return found === undefined ? phase : { ...phase, ...atRung(phase, found.rung) };
}

/** What a rung's template is called among those of its phase. */
export function rungRole(at: number): string {
  return `rung:${at + 1}`;
}
