import { filesToRead } from '../../../brief/derive.ts';
import type { Stage, Unit } from '../../../model/definition.ts';
import { inRound } from '../../../pipeline/phases/ladder.ts';
import { conflictIndex } from '../../../planner/conflicts.ts';
import { claimedUnits, handOut, type Offer } from '../../../planner/hand-out.ts';
import type { Plan } from '../../../planner/plan.ts';
import { nextNumber, prepare, startedEvent } from '../../../runner/attempt.ts';
import type { RunContext } from '../../../runner/context.ts';
import { releaseInputs } from '../../../runner/inputs.ts';
import { promptFile } from '../../../runner/prompt.ts';
import { redactorOf } from '../../../runner/redaction.ts';
import type { Look } from '../../look/look.ts';
import type { Desk } from '../desk-turn.ts';
import { describe, runContext } from '../hand.ts';
import { currentCell, viewOf } from '../views.ts';
import type { PreparedOffer } from './file.ts';

/**
 * The first offers in the order of handing out, each as a line. It ends where one would have to be left out, for whoever
 * comes to the end looks at the whole run; so an offer that is not there is never passed over.
 */
export async function prepareOffers(desk: Desk, seen: Look): Promise<string[]> {
  const { stages } = desk.workspace.loaded.pipeline;
  const run = runContext(desk, seen);
  const beside = new Beside(seen.plan);
  const units = [...seen.ledger.cells.byUnit.keys()];
  const places = new Map(units.map((unit, place) => [unit, place]));
  const prepared = new Set<string>();
  const lines: string[] = [];
  let bytes = 0;
  for (const offer of handOut(stages, seen.plan).offers.slice(0, offersMax)) {
    // After the first of a unit only a plan can say what becomes of its others.
    if (prepared.has(offer.unit.id) || !isForeseeable(offer, seen.plan)) break;
    const conflicts = beside.heldBackBy(offer);
    const task = conflicts.length > conflictsMax ? undefined : await prepareOffer(run, seen, offer);
    if (task === undefined) break;
    const place = places.get(offer.unit.id);
    const line = JSON.stringify({ ...task, conflicts, place } satisfies PreparedOffer);
    bytes += line.length;
    if (bytes > bytesMax) break;
    prepared.add(offer.unit.id);
    lines.push(line);
  }
  return lines;
}

const offersMax = 50;
const conflictsMax = 500;
/** What takes longer to read than a plan takes to make saves nothing. */
const bytesMax = 512 * 1024;

/** What comes of handing it out follows from what is known of it now. */
function isForeseeable({ unit, cell, decision }: Offer, plan: Plan): boolean {
  const planned = plan.units.get(unit.id);
  if (currentCell(planned) !== cell || planned?.notices.length !== 0) return false;
  // Preparing it would put files into the folder of an attempt that nobody has made yet.
  return [...decision.made.inputs.values()].every(({ superseded }) => !superseded);
}

async function prepareOffer(
  run: RunContext,
  { plan, facts, ledger }: Look,
  { stage, unit, phase: asListed, cell, decision }: Offer,
): Promise<Omit<PreparedOffer, 'conflicts' | 'place'> | undefined> {
  const { why, made } = decision;
  const phase = inRound(asListed, cell.iteration);
  const number = nextNumber(run, unit.id, phase.name);
  const prepared = await prepare(run, { unit, phase, iteration: cell.iteration, why, made }, number);
  if (!prepared.ok) return undefined;
  const attempt = prepared.value;
  const { prompt } = attempt;
  const { state, inDoubt } = viewOf(stage, unit, ledger, plan.units.get(unit.id), [], facts.now);
  const task = describe(run, attempt, { actor: '', leaseUntil: '', stage: stage.name });
  releaseInputs(attempt.taken);
  const { id, touches, beside } = unit;
  return {
    taker: {
      stage: stage.name,
      id,
      ...(touches !== undefined && { touches }),
      ...(beside !== undefined && { beside }),
    },
    was: { state, inDoubt },
    event: startedEvent(run, attempt, number, { prompt }),
    task,
    prompt: prompt && redactorOf(run).redactValues(promptFile(prompt)),
    filesToRead: filesToRead(ledger, { unit: id, phase: phase.name }),
  };
}

/** Which units a plan would start that an offer keeps from it, once it is somebody's. */
class Beside {
  readonly #plan: Plan;
  readonly #found = new Map<string, (unit: Unit) => string[]>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  heldBackBy({ stage, unit }: Offer): string[] {
    if (unit.touches === undefined) return [];
    let find = this.#found.get(stage.name);
    if (find === undefined) {
      find = conflictIndex(this.#runnable(stage));
      this.#found.set(stage.name, find);
    }
    return find(unit);
  }

  #runnable(stage: Stage): Unit[] {
    const conflictsWith = conflictIndex(claimedUnits(stage, this.#plan));
    return stage.units.filter((unit) => {
      if (unit.touches === undefined) return false;
      const current = currentCell(this.#plan.units.get(unit.id));
      return current?.decision.do === 'run' && conflictsWith(unit).length === 0;
    });
  }
}
