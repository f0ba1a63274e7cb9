import { findStep, type Ledger, type Step } from '../../ledger/ledger.ts';
import type { QuestionRecord } from '../../ledger/questions.ts';
import { isPagePlace } from '../../model/event.ts';
import type { StatusPhase } from './status-page.ts';

/**
 * The phase that a unit had reached at some time: the first without a result then. Undefined if the phase may have had a
 * result that a re-run replaced, because a ledger forgets those.
 */
export function stageAt(
  ledger: Ledger,
  unit: string,
  phases: readonly StatusPhase[],
  at: string,
): string | undefined {
  const steps = phases.map(({ name }) => findStep(ledger, unit, name));
  const waited = waitedAt(steps, at);
  if (waited !== -1) return phases[waited]?.name;
  const rounds = roundsAt(phases, steps, at);
  for (const [index, phase] of phases.entries()) {
    const step = steps[index];
    const round = rounds[index] ?? 1;
    if (phase.when === 'gate-failed' && round === 1) continue;
    if (roundsDoneAt(step, at) >= round) continue;
    return step === undefined || isRemembered(step) ? phase.name : undefined;
  }
  return undefined;
}

/** The phase that a person had been asked about, and nothing was made between that and then; -1: there is none. */
function waitedAt(steps: readonly (Step | undefined)[], at: string): number {
  let asked = '';
  let phase = -1;
  for (const [index, step] of steps.entries()) {
    for (const question of step?.questions ?? []) {
      if (question.question === 'change' || question.at >= at || question.at <= asked) continue;
      if (isOfPage(question)) continue;
      asked = question.at;
      phase = index;
    }
  }
  const isMadeSince = (result: Step['results'][number]) =>
    result !== undefined && result.at > asked && result.at < at;
  return steps.some((step) => step?.results.some(isMadeSince)) ? -1 : phase;
}

/** Of an imported page: it holds up the whole unit, or a ticked box has answered it before the run had a session. */
function isOfPage({ place, decided }: QuestionRecord): boolean {
  return isPagePlace(place) || decided?.channel === 'import';
}

/** The round that each phase stood in: a bad verdict sends all that lie in the loop into the next one. */
function roundsAt(
  phases: readonly StatusPhase[],
  steps: readonly (Step | undefined)[],
  at: string,
): number[] {
  const rounds = phases.map(() => 1);
  for (const [end, { gate }] of phases.entries()) {
    const done = roundsDoneAt(steps[end], at);
    const isBad = steps[end]?.results[done - 1]?.passed === false;
    if (gate === undefined || !isBad) continue;
    const head = phases.findIndex(({ name }) => name === gate.backTo);
    const isOver = done >= gate.iterations;
    // Nothing goes round any more: whether it could go on was for a person to say, and shows in what came later.
    if (isOver && steps.slice(end + 1).some((step) => roundsDoneAt(step, at) > 0)) continue;
    for (let index = isOver ? end : Math.max(0, head); index <= end; index++) rounds[index] = done + 1;
  }
  return rounds;
}

/** The highest round with a result. */
function roundsDoneAt(step: Step | undefined, at: string): number {
  const isThen = (result: Step['results'][number]) => result !== undefined && result.at < at;
  return (step?.results.findLastIndex(isThen) ?? -1) + 1;
}

/** Every output that was ever its own belongs to a result that is still there. */
function isRemembered({ results, former, superseded }: Step): boolean {
  if (superseded !== undefined) return false;
  if (results.some((result) => result !== undefined && Object.keys(result.outputs).length === 0))
    return false;
  const known = new Set(
    results.flatMap((result) => Object.values(result?.outputs ?? {}).map(({ hash }) => hash)),
  );
  return former.every((hash) => known.has(hash));
}
