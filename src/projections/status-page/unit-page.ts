import type { Hash } from '../../base/hash.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { QuestionRecord } from '../../ledger/questions.ts';
import { importedPage } from '../../ledger/results.ts';
import type { OutputRef, Phase, Stage, Unit } from '../../model/definition.ts';
import { asksOf, type Question } from '../../model/reason.ts';
import type { RunStatus } from '../../model/status.ts';
import type { Decision, UnitPlan } from '../../planner/plan.ts';
import type { RunContext } from '../../runner/context.ts';
import { makeStatusPage, type PageFacts, type StatusPhase } from './page-of.ts';
import { renderStatusPage } from './render.ts';
import type { StatusCheckpoint } from './status-page.ts';
import { squash } from './status-words.ts';

/** What the page for people about one unit should say. */
export function renderUnitPage(
  { loaded, ledger }: Pick<RunContext, 'loaded' | 'ledger'>,
  stage: Stage,
  unit: Unit,
  plan: UnitPlan | undefined,
): string {
  const { spec } = loaded.pipeline.layout;
  const asked = plan?.cells.flatMap(({ decision }) => asksIn(decision)) ?? [];
  const facts: PageFacts = {
    status: statusOf(ledger, plan, asked),
    specHash: spec === undefined ? undefined : specHash(loaded, ledger, unit, spec),
    checkpoints: checkpointsOf(ledger, stage, unit, asked),
  };
  const phases = stage.phases.map((phase) => phaseOf(phase, plan));
  return renderStatusPage(makeStatusPage(ledger, unit.id, phases, facts));
}

function asksIn(decision: Decision): Question[] {
  const asks = decision.do === 'stop' ? asksOf(decision.why) : undefined;
  return asks === undefined ? [] : [asks];
}

/** Status of this unit; other units may be further, or wait for a person. */
function statusOf(ledger: Ledger, plan: UnitPlan | undefined, asked: readonly Question[]): RunStatus {
  if (ledger.ended === 'cancelled' || ledger.ended === 'failed') return ledger.ended;
  if (plan?.finished) return 'completed';
  if (asked.length > 0) return 'waiting_human';
  // It ended so, and what it waited for has been decided since.
  const isWaiting =
    ledger.questions.some(({ decided }) => decided === undefined) || plan?.refusals.length !== 0;
  return ledger.ended === 'waiting_human' && !isWaiting ? 'paused' : (ledger.ended ?? 'running');
}

function specHash(
  { pipeline, statics }: RunContext['loaded'],
  ledger: Ledger,
  unit: Unit,
  spec: OutputRef | string,
): Hash | undefined {
  if (typeof spec !== 'string') return findStep(ledger, unit.id, spec.phase)?.placed?.[spec.output]?.hash;
  const taker = pipeline.stages
    .flatMap(({ phases }) => phases)
    .find(({ inputs }) => inputs.some((input) => input.kind === 'file' && input.file === spec));
  return taker && statics.get(taker.name)?.files.get(spec)?.hash;
}

function phaseOf({ name, outputs, when, gate }: Phase, plan: UnitPlan | undefined): StatusPhase {
  const step = plan?.cells.find(({ phase }) => phase === name);
  return {
    name,
    outputs: outputs.map((output) => output.name),
    when,
    gate: gate && { backTo: gate.backTo, iterations: gate.iterations, cluster: gate.cluster },
    standing: standingOf(step?.decision),
    round: step?.iteration ?? 1,
  };
}

/** What a person has yet to look at was made all the same. */
function standingOf(decision: Decision | undefined): StatusPhase['standing'] {
  switch (decision?.do) {
    case 'reuse':
    case 'restore':
      return 'done';
    case 'skip':
      return 'skipped';
    default:
      return 'open';
  }
}

/** Every checkpoint of the manifest, asked or not, then all other questions about the unit. */
function checkpointsOf(
  ledger: Ledger,
  { phases }: Stage,
  unit: Unit,
  open: readonly Question[],
): StatusCheckpoint[] {
  const boxes: StatusCheckpoint[] = [];
  for (const { name: phase, checkpoints } of phases) {
    const records = findStep(ledger, unit.id, phase)?.questions ?? [];
    const isOpen = (place: string) => open.some((asked) => asked.phase === phase && asked.place === place);
    for (const { name, place } of checkpoints)
      boxes.push(
        boxOf(
          name,
          records.findLast((record) => record.place === place),
          isOpen(place),
        ),
      );
    for (const record of records)
      if (!checkpoints.some(({ place }) => place === record.place))
        boxes.push(boxOf(record.name, record, isOpen(record.place)));
  }
  return [...boxes, ...importedBoxes(ledger, unit, boxes)];
}

/** Ticked on the page that the run was imported from, and no checkpoint of this pipeline. */
function importedBoxes(ledger: Ledger, unit: Unit, boxes: readonly StatusCheckpoint[]): StatusCheckpoint[] {
  const known = new Set(boxes.map(({ name }) => squash(name)));
  return (importedPage(ledger, unit.id)?.ticks ?? [])
    .filter(({ name }) => !known.has(squash(name)))
    .map(({ name, by, at }) => ({ name, id: '', cleared: true, decidedBy: by, at }));
}

function boxOf(name: string, record: QuestionRecord | undefined, isOpen: boolean): StatusCheckpoint {
  const { decided } = record ?? {};
  return {
    name,
    id: record?.id ?? 'not asked yet',
    cleared: decided?.decision === 'approved' && !isOpen,
    decidedBy: decided?.by,
    at: decided?.at ?? record?.at,
  };
}
