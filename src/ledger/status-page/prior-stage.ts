import { isPagePlace } from '../../model/event.ts';
import { type Cell, findCell, type Ledger } from '../ledger.ts';
import type { QuestionRecord } from '../questions.ts';
import type { StatusPhase } from './status-phase.ts';

/**
 * The phase that a unit had come to at some time: the first that had no result then. A ledger forgets results that were
 * made again, so where the phase could have had one, nothing is said.
 */
export function stageAt(
  ledger: Ledger,
  unit: string,
  phases: readonly StatusPhase[],
  at: string,
): string | undefined {
  const cells = phases.map(({ name }) => findCell(ledger, unit, name));
  const waited = waitedAt(cells, at);
  if (waited !== -1) return phases[waited]?.name;
  const rounds = roundsAt(phases, cells, at);
  for (const [index, phase] of phases.entries()) {
    const cell = cells[index];
    const round = rounds[index] ?? 1;
    if (phase.when === 'gate-failed' && round === 1) continue;
    if (roundsDoneAt(cell, at) >= round) continue;
    return cell === undefined || isRemembered(cell) ? phase.name : undefined;
  }
  return undefined;
}

/** The phase that a person had been asked about, and nothing was made between that and then; -1: there is none. */
function waitedAt(cells: readonly (Cell | undefined)[], at: string): number {
  let asked = '';
  let phase = -1;
  for (const [index, cell] of cells.entries()) {
    for (const question of cell?.questions ?? []) {
      if (question.question === 'change' || question.at >= at || question.at <= asked) continue;
      if (isOfPage(question)) continue;
      asked = question.at;
      phase = index;
    }
  }
  const isMadeSince = (result: Cell['results'][number]) =>
    result !== undefined && result.at > asked && result.at < at;
  return cells.some((cell) => cell?.results.some(isMadeSince)) ? -1 : phase;
}

/** Of an imported page: it holds up the whole unit, or a ticked box has answered it before the run had a session. */
function isOfPage({ place, decided }: QuestionRecord): boolean {
  return isPagePlace(place) || decided?.channel === 'import';
}

/** The round that each phase stood in: a bad verdict sends all that lie in the loop into the next one. */
function roundsAt(
  phases: readonly StatusPhase[],
  cells: readonly (Cell | undefined)[],
  at: string,
): number[] {
  const rounds = phases.map(() => 1);
  for (const [end, { gate }] of phases.entries()) {
    const done = roundsDoneAt(cells[end], at);
    const isBad = cells[end]?.results[done - 1]?.passed === false;
    if (gate === undefined || !isBad) continue;
    const head = phases.findIndex(({ name }) => name === gate.backTo);
    const isOver = done >= gate.iterations;
    // Nothing goes round any more: whether it could go on was for a person to say, and shows in what came later.
    if (isOver && cells.slice(end + 1).some((cell) => roundsDoneAt(cell, at) > 0)) continue;
    for (let index = isOver ? end : Math.max(0, head); index <= end; index++) rounds[index] = done + 1;
  }
  return rounds;
}

/** The highest round of which there was a result. */
function roundsDoneAt(cell: Cell | undefined, at: string): number {
  const isThen = (result: Cell['results'][number]) => result !== undefined && result.at < at;
  return (cell?.results.findLastIndex(isThen) ?? -1) + 1;
}

/** Every output that was ever its own belongs to a result that is still there. */
function isRemembered({ results, former, superseded }: Cell): boolean {
  if (superseded !== undefined) return false;
  if (results.some((result) => result !== undefined && Object.keys(result.outputs).length === 0))
    return false;
  const known = new Set(
    results.flatMap((result) => Object.values(result?.outputs ?? {}).map(({ hash }) => hash)),
  );
  return former.every((hash) => known.has(hash));
}
