import { fail, ok, type Result } from '../../base/result.ts';
import { findStep, type Ledger, type Step } from '../../ledger/ledger.ts';
import type { Phase, Stage, Unit } from '../../model/definition.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import type { Workspace } from '../open/workspace.ts';

/** A piece of work that somebody speaks of: a unit, and one of its phases that is claimed from outside. */
export interface Piece {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly phase: Phase;
}

/** The unit that was named: `T001`, or with one of its phases `T001/verify`. */
export function findUnit(
  { loaded }: Workspace,
  name: string,
): Result<{ stage: Stage; unit: Unit; phase: string | undefined }, Failure> {
  const [id = '', phase, ...more] = name.split('/');
  for (const stage of loaded.pipeline.stages) {
    const unit = stage.units.find((one) => one.id === id);
    const isPhase = phase === undefined || stage.phases.some((one) => one.name === phase);
    if (unit !== undefined && isPhase && more.length === 0) return ok({ stage, unit, phase });
  }
  const ids = loaded.pipeline.stages.flatMap(({ units }) => units.map((unit) => unit.id));
  const near = nearest(id, ids.slice(0, comparedMax));
  return fail({ reason: 'usage', problem: { code: 'unknown-unit', name, near } });
}

const comparedMax = 5_000;

/**
 * The phase of a unit that an actor speaks of: the one that was named, that the actor has claimed, or that it had; at
 * last the only one there is.
 */
export function findPiece(
  workspace: Workspace,
  ledger: Ledger,
  name: string,
  actor: string,
): Result<Piece, Failure> {
  const found = findUnit(workspace, name);
  if (!found.ok) {
    const unit = name.split('/')[0] ?? '';
    const isKnown = ledger.steps.byUnit.has(unit);
    return isKnown ? fail({ reason: 'not-claimable', unit, why: 'removed', for: [] }) : found;
  }
  const { stage, unit } = found.value;
  const own = stage.phases.filter(isForOthers);
  const named = own.filter(({ name }) => found.value.phase === undefined || name === found.value.phase);
  const stepOf = ({ name }: Phase) => findStep(ledger, unit.id, name);
  const phase =
    named.find((one) => stepOf(one)?.running?.claim?.actor === actor) ??
    named.findLast((one) => hasDone(stepOf(one), actor)) ??
    named.find((one) => stepOf(one)?.running !== undefined) ??
    (named.length === 1 ? named[0] : undefined);
  return phase === undefined
    ? fail({ reason: 'not-claimed', unit: name, actor })
    : ok({ stage, unit, phase });
}

function hasDone(step: Step | undefined, actor: string): boolean {
  return step?.results.some((result) => result?.actor === actor) ?? false;
}

/**
 * Whether the piece is still the actor's. A lease that has run out is forgiven while nobody else has claimed the work:
 * it was done after all. The number says which claim is meant when an actor has had several.
 */
export function isMine(
  step: Step | undefined,
  { actor, attempt }: { readonly actor: string; readonly attempt?: number | undefined },
): boolean {
  const running = step?.running;
  return running?.claim?.actor === actor && (attempt === undefined || attempt === running.attempt);
}

/** What somebody is told whose work it no longer is. */
export function claimLost(
  { unit, phase }: Piece,
  step: Step | undefined,
  { actor, attempt }: { readonly actor: string; readonly attempt?: number | undefined },
  aside: string | undefined,
): Failure {
  const claim = step?.running?.claim;
  return {
    reason: 'claim-lost',
    unit: unit.id,
    phase: phase.name,
    actor,
    attempt,
    current: step?.attempts ?? 0,
    holder: claim && { actor: claim.actor, until: claim.until },
    aside,
  };
}
