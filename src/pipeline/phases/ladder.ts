import type { Phase, Rung } from '../../model/definition.ts';

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
