import type { Phase, Stage } from '../../model/definition.ts';
import type { ImportedCluster, PageImported } from '../../model/event.ts';
import type { ImportedCount } from '../../model/reason.ts';
import { squash } from '../../projections/status-page/status-words.ts';
import type { FoundPage } from './pages.ts';
import type { JudgedStages } from './stages.ts';
import { checkpointOf } from './ticks.ts';

/** What was used up before the import: it counts in the run, so that no limit starts over. */
export interface CarriedCounts {
  readonly rounds: Record<string, number>;
  readonly failures: Record<string, number>;
  /** For display: what was used, and the limit. */
  readonly shown: readonly ImportedCount[];
}

/** Pages may count at any stage of a loop, but the rounds belong to the loop's gate. */
export function carriedCounts(found: FoundPage, { adopted }: JudgedStages): CarriedCounts {
  const { stage } = found;
  const rounds: Record<string, number> = {};
  const failures: Record<string, number> = {};
  const shown = new Map<string, ImportedCount>();
  for (const { name, used } of countsOn(found)) {
    const phase = stage.phases.find((candidate) => squash(candidate.name) === squash(name));
    const gated = phase && gateOver(stage, phase);
    if (phase === undefined || used === 0) continue;
    if (gated?.gate !== undefined) {
      const most = Math.max(used, shown.get(gated.name)?.used ?? 0);
      // The report that was taken from the page is a round of the run itself.
      const isJudged = adopted.some((event) => event.phase === gated.name && event.judged !== undefined);
      rounds[gated.name] = most - (isJudged ? 1 : 0);
      shown.set(gated.name, { phase: gated.name, used: most, max: gated.gate.iterations });
    } else {
      if (phase.retries.attempts !== undefined) failures[phase.name] = used;
      shown.set(phase.name, { phase: phase.name, used, max: phase.retries.attempts });
    }
  }
  return { rounds, failures, shown: [...shown.values()] };
}

export function carriedClusters({ page }: FoundPage, { adopted }: JudgedStages): ImportedCluster[] {
  const inRun = new Set(
    adopted.flatMap(({ judged }) => (judged?.passed === false ? (judged.defects ?? []) : [])),
  );
  return page.clusters
    .map(({ defect, count }) => ({ defect, count: count - (inRun.has(defect) ? 1 : 0) }))
    .filter(({ count }) => count > 0);
}

/** The rest of the page that no result says. */
export function carriedText(found: FoundPage): Pick<PageImported, 'notes' | 'ticks'> {
  const { page } = found;
  const notes = page.notes
    .slice(-notesMax)
    .map(({ at, text }) => ({ ...(at !== undefined && { at }), text }));
  const ticks = page.checkpoints
    .filter(({ cleared }) => cleared)
    .map(({ name, decidedBy, at }) => ({
      name: checkpointOf(found, name) ?? name,
      ...(decidedBy !== undefined && { by: decidedBy }),
      ...(at !== undefined && { at }),
    }));
  return { ...(notes.length > 0 && { notes }), ...(ticks.length > 0 && { ticks }) };
}

const notesMax = 100;

function countsOn({ page, stage }: FoundPage): { readonly name: string; readonly used: number }[] {
  const counts = page.iterations.map(({ loop, used }) => ({ name: loop, used }));
  const isCounted = (name: string) => counts.some((count) => squash(count.name) === squash(name));
  for (const { stage: name, iterations = 0 } of page.completed) {
    const isGate = stage.phases.some((phase) => phase.name === name && phase.gate !== undefined);
    if (isGate && iterations > 1 && !isCounted(name)) counts.push({ name, used: iterations });
  }
  const { currentStage, retryCount } = page;
  if (currentStage !== undefined && retryCount !== undefined && !isCounted(currentStage))
    counts.push({ name: currentStage, used: retryCount });
  return counts;
}

/** The phase whose gate sends this one back; undefined: none does. */
function gateOver({ phases }: Stage, phase: Phase): Phase | undefined {
  const at = phases.indexOf(phase);
  return phases.find(({ gate }, end) => {
    const head = gate === undefined ? -1 : phases.findIndex(({ name }) => name === gate.backTo);
    return head >= 0 && head <= at && at <= end;
  });
}
