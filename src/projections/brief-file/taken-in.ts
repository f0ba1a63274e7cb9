import { canonicalJson, type JsonValue } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { firstLine, nextDecisionId } from '../../ledger/notes.ts';
import type { Decided } from '../../ledger/records.ts';
import type { AuthoredFile, BriefAuthored, EventBody } from '../../model/event.ts';
import type { DocumentEdits, NewDecision } from '../brief/authorship.ts';
import type { Brief } from '../brief/document.ts';

/**
 * Turns edits of the document into events. Entries that are in the journal but not in the last written document (`base`)
 * are left out, because a process recorded them and died before it wrote the document.
 */
export function eventsForEdits(edited: DocumentEdits, ledger: Ledger, base: Brief | undefined): EventBody[] {
  const { edits, summaries } = edited;
  const authored = newlyAuthored(edited.authored, ledger);
  const decisions = edited.decisions.filter((one) => recordOf(one, ledger, base) === undefined);
  const known = edited.decisions.flatMap((one) =>
    one.applied ? (recordOf(one, ledger, base)?.id ?? []) : [],
  );
  const applied = [...edited.applied, ...known].filter((id) => !isApplied(ledger, id));
  return [
    ...(edits.length > 0 ? [{ type: 'brief_edited', edits } as const] : []),
    ...(authored === undefined ? [] : [{ type: 'brief_authored', ...authored } as const]),
    ...numbered(decisions, ledger).flatMap(([id, decision]) => decided(decision, id)),
    ...applied.map((id) => ({ type: 'decision_applied', id }) as const),
    ...summaries
      .filter(({ agent, summary }) => !hasSaid(ledger, agent, summary))
      .map(({ agent, summary }) => ({ type: 'summary_recorded', agent, summary }) as const),
  ];
}

/** One that has a number of its own keeps it, unless it is another's: others may refer to it. */
function numbered(decisions: readonly NewDecision[], ledger: Ledger): [string, NewDecision][] {
  const taken = ledger.decisions.map(({ id }) => ({ id }));
  return decisions.map((decision) => {
    const isFree = decision.id !== undefined && !taken.some(({ id }) => id === decision.id);
    const id = isFree && decision.id !== undefined ? decision.id : nextDecisionId(taken);
    taken.push({ id });
    return [id, decision];
  });
}

function decided(
  { decision, because, affects, gate, iteration: round, applied }: NewDecision,
  id: string,
): EventBody[] {
  return [
    {
      type: 'decision_recorded',
      id,
      decision,
      ...(because !== undefined && { because }),
      ...(affects.length > 0 && { affects }),
      ...(gate !== undefined && { gate }),
      ...(round !== undefined && isCount(round) && { round: round }),
    },
    ...(applied ? [{ type: 'decision_applied', id } as const] : []),
  ];
}

type Authored = Omit<BriefAuthored, 'type'>;

function newlyAuthored(said: Authored | undefined, { notes }: Ledger): Authored | undefined {
  if (said === undefined) return undefined;
  const { nextStep, patterns } = said;
  const files = said.files?.flatMap(readable);
  // Once the work has moved on the same words mean another step.
  const isInForce = notes.nextStep !== undefined && notes.nextStep.at >= notes.movedAt;
  const isStep = nextStep !== undefined && !(isInForce && notes.nextStep?.text === nextStep);
  const isFiles = files !== undefined && !isSame(files, notes.files?.list);
  const isPatterns = patterns !== undefined && !isSame(patterns, notes.patterns?.list);
  if (!isStep && !isFiles && !isPatterns) return undefined;
  return { ...(isStep && { nextStep }), ...(isFiles && { files }), ...(isPatterns && { patterns }) };
}

/** Drops what the schema does not allow, so that the next document is valid. */
function readable(file: AuthoredFile): AuthoredFile[] {
  if (typeof file === 'string') return file === '' ? [] : [file];
  return file.path === '' ? [] : [isCount(file.priority) ? file : { ...file, priority: priorityUsual }];
}

const priorityUsual = 2;

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function recordOf(said: NewDecision, { decisions }: Ledger, base: Brief | undefined): Decided | undefined {
  const written = new Set(base?.decision_log.map(({ id }) => id));
  return decisions.find(
    ({ id, decision, because, gate, round }) =>
      !written.has(id) &&
      decision === said.decision &&
      because === said.because &&
      gate === said.gate &&
      round === said.iteration,
  );
}

function isApplied({ decisions }: Ledger, id: string): boolean {
  return decisions.some((one) => one.id === id && one.applied === true);
}

/** A line that says nothing need not be said. */
function hasSaid({ notes }: Ledger, agent: string, summary: string): boolean {
  const line = firstLine(summary);
  return line === '' || notes.summaries.some((one) => one.agent === agent && one.summary === line);
}

function isSame(said: object, known: object | undefined): boolean {
  return known !== undefined && canonicalJson(said as JsonValue) === canonicalJson(known as JsonValue);
}
