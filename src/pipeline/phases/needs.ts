import type { LoadContext } from '../prompts/context.ts';
import type { ManifestPhase } from '../shape/manifest.ts';
import { suggestion } from '../text/problems.ts';
import { nearest } from '../text/suggest.ts';
import { findCycles } from '../units/graph.ts';

/** What each phase of a stage needs: what it says, or the phase listed before it. */
export function resolveNeeds(
  context: LoadContext,
  phases: Readonly<Record<string, ManifestPhase>>,
  at: string,
): Map<string, readonly string[]> {
  const listed = Object.keys(phases);
  const needs = new Map<string, readonly string[]>();
  for (const [index, [name, phase]] of Object.entries(phases).entries()) {
    needs.set(name, [...new Set(phase.needs ?? listed.slice(Math.max(0, index - 1), index))]);
  }
  const cycles = findCycles(needs);
  for (const cycle of cycles) context.problems.add('need-cycle', `${at}.${cycle[0]}.needs`, { cycle });
  const inCycle = new Set(cycles.flat());
  for (const [index, [name, phase]] of Object.entries(phases).entries()) {
    phase.needs?.forEach((need, nth) => {
      const path = `${at}.${name}.needs[${nth}]`;
      const needed = listed.indexOf(need);
      if (needed === -1) {
        const facts = { found: need, valid: listed, ...suggestion(nearest(need, listed)) };
        context.problems.add('unknown-need', path, facts);
      } else if (needed >= index && !(inCycle.has(name) && inCycle.has(need))) {
        context.problems.add('unknown-need', path, { found: need, 'listed-later': need });
      }
    });
  }
  return needs;
}
