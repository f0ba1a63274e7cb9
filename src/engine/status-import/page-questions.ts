import { hashBytes } from '../../base/hash.ts';
import { foldEvent } from '../../ledger/fold.ts';
import { emptyLedger, type Ledger } from '../../ledger/ledger.ts';
import { takeQuestionId } from '../../ledger/questions.ts';
import {
  type CheckpointAsked,
  type EventBody,
  type ImportedTick,
  type PageImported,
  pagePlaces,
} from '../../model/event.ts';
import { asksOf } from '../../model/reason.ts';
import type { Facts } from '../../planner/facts.ts';
import type { UnitPlan } from '../../planner/plan.ts';
import { planRun } from '../../planner/run.ts';
import { planRunFromDisk } from '../observe/plan-from-disk.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { FoundPage } from './pages.ts';
import { approvalEvents, areTicksProven, tickedQuestion } from './ticks.ts';

/** A page with the part of it that is recorded for the run. */
export interface ImportingPage {
  readonly found: FoundPage;
  readonly imported: PageImported;
  /** In the order of the phases. */
  readonly taken: readonly string[];
}

export interface PageQuestions {
  readonly asked: readonly EventBody[];
  /** By the path of the page: the checkpoints that its ticked boxes have answered. */
  readonly approved: ReadonlyMap<string, readonly string[]>;
}

/** Folds events that are not recorded yet. */
export function foldAll(events: readonly EventBody[], at: string): Ledger {
  const ledger = emptyLedger();
  foldInto(ledger, events, at);
  return ledger;
}

function foldInto(ledger: Ledger, events: readonly EventBody[], at: string): void {
  for (const event of events) foldEvent(ledger, { ...event, seq: 0, at, actor: '', epoch: 0 });
}

/**
 * The questions and answers of imported pages: what ticked boxes answer, and what the page itself waits for. Found by
 * planning the run as the pages would leave it, so that each question is about the bytes that the plan would show.
 */
export async function pageQuestions(
  workspace: Workspace,
  opened: OpenedRun,
  pages: readonly ImportingPage[],
  events: readonly EventBody[],
): Promise<PageQuestions> {
  const { facts } = await planRunFromDisk(workspace, opened, { deep: false, restore: false });
  const { createdAt: at } = opened.ledger;
  const asked: EventBody[] = [];
  const approved = new Map<string, readonly string[]>();
  for (const page of pages) {
    const before = [...events, ...asked];
    const ledger = foldAll(before, at);
    const approvals = ticksAnswered(workspace, ledger, facts, page, at);
    const isProven = areTicksProven(workspace, page.found);
    const questions = approvals.filter(({ type }) => type === 'checkpoint_asked') as CheckpointAsked[];
    // The numbers go on from what is recorded, not from what was only tried.
    const numbers = isProven ? ledger : foldAll(before, at);
    if (isProven) {
      asked.push(...approvals);
      approved.set(
        page.found.path,
        questions.map(({ name }) => name),
      );
    } else if (questions.length > 0) asked.push(askAboutTicks(page, questions, takeQuestionId(numbers)));
    const plan = planRun(workspace.loaded, ledger, facts).units.get(page.found.unit.id);
    if (page.found.page.status === 'WAITING_FOR_HUMAN' && !isWaiting(plan))
      asked.push(askWhatPageAsks(page, ledger, takeQuestionId(numbers)));
  }
  return { asked, approved };
}

/** Each answer may lead to the next checkpoint that a box was ticked for; the ledger is left with all of them. */
function ticksAnswered(
  { loaded }: Workspace,
  ledger: Ledger,
  facts: Facts,
  { found, imported }: ImportingPage,
  at: string,
): EventBody[] {
  const events: EventBody[] = [];
  for (let round = 0; round < ticksMax; round++) {
    const plan = planRun(loaded, ledger, facts);
    const next = tickedQuestion(plan, found.unit.id, imported.ticks ?? []);
    if (next === undefined) break;
    const { question, tick } = next;
    const approval = approvalEvents(question, question.id ?? takeQuestionId(ledger), {
      by: tick.by ?? 'unknown',
      host: '',
      channel: 'import',
      note: noteOf(tick, found.path),
    });
    events.push(...approval);
    foldInto(ledger, approval, at);
  }
  return events;
}

const ticksMax = 1_000;

function noteOf({ at }: ImportedTick, path: string): string {
  return `ticked in ${path}${at === undefined ? '' : ` at ${at}`}`;
}

function askAboutTicks(
  { found, imported }: ImportingPage,
  questions: readonly CheckpointAsked[],
  id: string,
): CheckpointAsked {
  const shown = Object.assign({}, ...questions.map((question) => question.shown)) as CheckpointAsked['shown'];
  const names = questions.map(({ name }) => name).join(', ');
  return {
    type: 'checkpoint_asked',
    id,
    question: 'approval',
    unit: imported.unit,
    phase: questions[0]?.phase ?? '',
    place: pagePlaces.ticks,
    shown,
    name: `Accept what is ticked in ${found.path}: ${names}`,
  };
}

/** The page waits, and nothing in the manifest asks anybody there. */
function askWhatPageAsks(
  { found, imported, taken }: ImportingPage,
  ledger: Ledger,
  id: string,
): CheckpointAsked {
  const { page, stage, path } = found;
  const open = page.checkpoints.find(({ cleared }) => !cleared);
  const shown: Record<string, CheckpointAsked['shown'][string]> = {};
  for (const { phase, placed } of ledger.steps.byUnit.get(imported.unit) ?? [])
    if (taken.includes(phase))
      for (const [output, { hash }] of Object.entries(placed ?? {})) shown[`${phase}.${output}`] = hash;
  if (Object.keys(shown).length === 0) shown[path] = hashBytes(found.bytes);
  return {
    type: 'checkpoint_asked',
    id,
    question: 'approval',
    unit: imported.unit,
    phase: taken.at(-1) ?? page.currentStage ?? stage.phases[0]?.name ?? '',
    place: pagePlaces.waiting,
    shown,
    name: open?.name ?? `Continue after ${path}`,
  };
}

/** The manifest itself asks a person before any step of the unit runs. */
function isWaiting(plan: UnitPlan | undefined): boolean {
  const decisions = plan?.cells.map(({ decision }) => decision) ?? [];
  const asks = decisions.some((decision) => decision.do === 'stop' && asksOf(decision.why) !== undefined);
  return asks && decisions.every((decision) => decision.do !== 'run');
}
