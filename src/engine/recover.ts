import { hashFile } from '../artifacts/hash-file.ts';
import { promote, stage } from '../artifacts/promotion.ts';
import { findCell } from '../ledger/ledger.ts';
import type { OutputRecord } from '../model/event.ts';
import type { Decision, Plan } from '../planner/plan.ts';
import { inWorkspace, type RunContext, record } from '../runner/context.ts';
import { makeRoom, stagedName, stagingFolder } from '../runner/outputs.ts';
import { endLeftover, isLeftover } from '../runner/process-group.ts';
import type { Hold } from './hold.ts';

type Observe = RunContext['observe'];

/** What a dead holder left unfinished, set right before anything new is decided. */
export async function recover(hold: Hold, observe: Observe): Promise<void> {
  await endLeftovers(hold, observe);
  finishPromotions({ ...hold, observe });
}

/** A child of a dead runner must not go on beside the attempt that replaces it. */
async function endLeftovers({ ledger, host, clock }: Hold, observe: Observe): Promise<void> {
  for (const { unit, phase, running } of ledger.cells.values()) {
    const left = running?.process;
    if (left === undefined || !isLeftover(host, left)) continue;
    await endLeftover(host, clock, left);
    observe({ type: 'leftover-ended', unit, phase, pid: left.pid });
  }
}

/** Staged files of recorded results get their names; those of attempts that were never recorded are of no use. */
function finishPromotions(run: Pick<RunContext, 'disk' | 'root' | 'folder' | 'ledger' | 'observe'>): void {
  const folder = stagingFolder(run);
  for (const name of run.disk.list(folder) ?? []) {
    const [unit = '', phase = '', attempt = '', output = ''] = name.split('~');
    const cell = findCell(run.ledger, unit, phase);
    const record =
      cell !== undefined && String(cell.promoted) === attempt ? cell.placed?.[output] : undefined;
    if (
      cell === undefined ||
      record === undefined ||
      hashFile(run.disk, `${folder}/${name}`)?.hash !== record.hash
    ) {
      run.disk.remove(`${folder}/${name}`);
      continue;
    }
    makeRoom(run, record.path, record, cell.former);
    promote(run.disk, `${folder}/${name}`, inWorkspace(run, record.path));
  }
}

/** Puts outputs that are proven by the content store back where they belong. True: the plan has to be made anew. */
export async function restoreOutputs(run: RunContext, plan: Plan): Promise<boolean> {
  let changed = false;
  for (const { cells } of plan.units.values()) {
    for (const { unit, phase, decision } of cells) {
      if (decision.do !== 'restore') continue;
      await restoreCell(run, { unit, phase, attempt: decision.result.attempt }, decision);
      changed = true;
    }
  }
  return changed;
}

async function restoreCell(
  run: RunContext,
  at: { unit: string; phase: string; attempt: number },
  { result, outputs }: Decision & { do: 'restore' },
): Promise<void> {
  const restored: Record<string, OutputRecord> = {};
  for (const output of outputs) {
    const record = result.outputs[output];
    if (record === undefined) continue;
    const bytes = run.store.get(record.hash);
    if (bytes === undefined || bytes === 'damaged') {
      // Not to be had any more: the next plan sees it as missing and runs the phase again.
      run.facts.outputs.set(record.path, { kind: 'missing' });
      continue;
    }
    const { size, ino, mtime } = stage(run.disk, stagingFolder(run), stagedName(at, output), bytes);
    restored[output] = { path: record.path, hash: record.hash, size, ino, mtime };
  }
  if (Object.keys(restored).length === 0) return;
  const { iteration } = result;
  await record(run, {
    type: 'outputs_restored',
    ...at,
    ...(iteration > 1 && { iteration }),
    outputs: restored,
  });
  for (const output in restored) {
    const { path } = restored[output] as OutputRecord;
    makeRoom(run, path, restored[output], findCell(run.ledger, at.unit, at.phase)?.former ?? []);
    promote(run.disk, `${stagingFolder(run)}/${stagedName(at, output)}`, inWorkspace(run, path));
    run.facts.outputs.set(path, { kind: 'intact' });
    run.observe({ type: 'output-restored', unit: at.unit, phase: at.phase, path });
  }
}
