import { isJsonObject, parseJson } from '../base/json.ts';
import { findCell } from '../ledger/ledger.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';

/** What an attempt found: an earlier phase has to be done again. */
export interface Revision {
  readonly phase: string;
  readonly reason: string;
}

/** How often one phase may ask for another: two that disagree must not go round for ever. */
const revisionsMax = 3;
const reasonLengthMax = 4_000;
const bytesMax = 64 * 1024;

/** The end of an attempt that asks for a revision: granted where the manifest says that the phase may. */
export function revisionFailure(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase }: Pick<ReadyStep, 'unit' | 'phase'>,
  { phase: to, reason }: Revision,
): AttemptFailure {
  const message = reason.slice(0, reasonLengthMax);
  if (!phase.revises.includes(to))
    return { reason: 'revision-refused', message, facts: { to, valid: phase.revises.join(', ') } };
  const asked = findCell(run.ledger, unit.id, to)?.feedback ?? [];
  const times = asked.filter(({ kind, by }) => kind === 'revision' && by === phase.name).length;
  if (times >= revisionsMax) return { reason: 'revision-refused', message, facts: { to, times } };
  return { reason: 'revision-requested', message, facts: { to } };
}

/** What a command has left where it may ask; undefined: it asks for nothing. */
export function readRevision(run: RunContext, path: string): Revision | undefined {
  const bytes = run.disk.read(path, bytesMax);
  if (bytes === undefined) return undefined;
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  if (isJsonObject(value) && typeof value.phase === 'string')
    return { phase: value.phase, reason: String(value.reason ?? '') };
  // Told as what it is: an unknown phase.
  return { phase: text.trim().slice(0, 100), reason: '' };
}
