import { byCodeUnit } from '../../base/json.ts';
import { type Decided, findStep, type Ledger, type ResumeRecord } from '../../ledger/ledger.ts';
import { importedPage } from '../../ledger/results.ts';
import type { ImportedNote } from '../../model/event.ts';
import { stageAt } from './prior-stage.ts';
import type { StatusNote, StatusPhase } from './status-page.ts';

/** What the next person or agent at the unit must know, in the order of time. */
export function notesOf(ledger: Ledger, unit: string, phases: readonly StatusPhase[]): StatusNote[] {
  const dated = [
    ...ledger.resumeHistory.map((resume) => ({
      at: resume.at,
      note: resumeNote(ledger, unit, phases, resume),
    })),
    ...ledger.decisions
      .filter((decision) => isDecisionAboutUnit(ledger, unit, decision))
      .map(({ at, id, decision, because }) => {
        const reason = because === undefined ? '' : ` (because: ${because})`;
        return { at, note: { at, text: `${id}: ${decision}${reason}` } };
      }),
    ...failureNotes(ledger, unit, phases),
    ...ledger.blocked
      .filter((blocked) => blocked.unit === unit)
      .map(({ at, actor, reason }) => ({ at, note: { at, text: `Blocked by ${actor}: ${reason}` } })),
  ].sort((a, b) => byCodeUnit(a.at, b.at));
  const notes = [
    ...(importedPage(ledger, unit)?.notes ?? []).map(importedNote),
    ...dated.slice(-notesMax).map(({ note }) => clipped(note)),
  ];
  const left = Math.max(0, dated.length - notesMax);
  return left === 0
    ? notes
    : [{ at: undefined, text: `Earlier notes that are left out: ${left}.` }, ...notes];
}

/** Of the page that the run was imported from: they come before all that happened since. */
function importedNote({ at, text }: ImportedNote): StatusNote {
  return clipped({ at, text });
}

/** The line that the playbook of such pages asks for; it says its time itself. */
function resumeNote(
  ledger: Ledger,
  unit: string,
  phases: readonly StatusPhase[],
  { at, manifestChanged }: ResumeRecord,
): StatusNote {
  const stage = stageAt(ledger, unit, phases, at);
  const prior = stage === undefined ? '' : ` Prior session ended at stage: ${stage}.`;
  const changed = manifestChanged ? ' The manifest had changed.' : '';
  return { at: undefined, text: `Resumed from checkpoint at ${at}.${prior}${changed}` };
}

/** Not one that is about other units and nothing else. */
export function isDecisionAboutUnit({ steps }: Ledger, unit: string, { affects }: Decided): boolean {
  return affects.length === 0 || affects.some((what) => what === unit || !steps.byUnit.has(what));
}

/** A run that failed is not resumed: these are what is left to those who start fresh. */
function failureNotes(ledger: Ledger, unit: string, phases: readonly StatusPhase[]) {
  return phases.flatMap(({ name }) => {
    const failure = findStep(ledger, unit, name)?.failure;
    if (failure === undefined) return [];
    const { at, attempt, reason, message } = failure;
    const said = message === '' ? '' : `: ${message}`;
    return [{ at, note: { at, text: `Stage ${name}, attempt ${attempt} failed (${reason})${said}` } }];
  });
}

function clipped({ at, text }: StatusNote): StatusNote {
  if (text.length <= noteLengthMax) return { at, text };
  const kept = text.slice(0, noteLengthMax);
  // Half of a character that takes two code units is no character.
  return { at, text: `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…` };
}

const notesMax = 100;
const noteLengthMax = 1000;
