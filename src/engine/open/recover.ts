import { hashFile } from '../../disk/hash-file.ts';
import { removeLeftover } from '../../disk/remove.ts';
import { isTempName } from '../../disk/write.ts';
import { findStep, isStatTrusted, promotedResult, type Step } from '../../ledger/ledger.ts';
import type { OutputRecord } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import { keptFolder, runFile } from '../../model/run-folder.ts';
import { attemptFolder, type RunContext } from '../../runner/context.ts';
import { endLeftover, isLeftover } from '../../runner/executors/process-group.ts';
import { isForeign, place, stagingFolder } from '../../runner/promotion.ts';
import type { Hold } from './hold.ts';
import { locksFolder } from './run-files.ts';

type Observe = RunContext['observe'];

/** What a dead holder left unfinished, set right before anything new is decided. */
export async function recover(hold: Hold, observe: Observe): Promise<void> {
  await endLeftovers(hold, observe);
  removeHalfWritten(hold);
  removeForgotten(hold);
  finishPromotions({ ...hold, observe });
}

/** A kill leaves half-written files in the folders of the attempts that it cut off. Agents may still write in theirs. */
function removeHalfWritten({ ledger, loaded, disk, root, folder }: Hold): void {
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases);
  const ours = new Set(phases.filter((phase) => !isForOthers(phase)).map(({ name }) => name));
  for (const { unit, phase, running } of ledger.steps.values()) {
    if (running === undefined || !ours.has(phase)) continue;
    const attempt = `${root}/${attemptFolder({ folder }, unit, phase, running.attempt)}`;
    for (const place of [attempt, `${attempt}/inputs`])
      for (const name of disk.list(place) ?? [])
        if (isTempName(name)) removeLeftover(disk, `${place}/${name}`);
  }
}

/** The same in folders where other processes may write: there only what is so old that none of them still does. */
function removeForgotten({ disk, clock, root, folder }: Hold): void {
  const inside = (path: string) => (disk.list(path) ?? []).map((name) => `${path}/${name}`);
  const journals = [`${root}/${runFile(folder, 'events')}`, `${root}/${locksFolder}`].flatMap(inside);
  for (const path of [`${root}/${keptFolder}`, `${root}/${folder}`, ...journals].flatMap(inside)) {
    if (!isTempName(path.slice(path.lastIndexOf('/') + 1))) continue;
    const stat = disk.stat(path);
    if (stat !== undefined && stat.mtimeMs < clock.now() - forgottenMs) removeLeftover(disk, path);
  }
}

const forgottenMs = 60 * 60_000;

/** A child of a dead runner must not go on beside the attempt that replaces it. */
async function endLeftovers({ ledger, host, clock }: Hold, observe: Observe): Promise<void> {
  for (const { unit, phase, running } of ledger.steps.values()) {
    const left = running?.process;
    if (left === undefined || !isLeftover(host, left)) continue;
    await endLeftover(host, clock, left);
    observe({ type: 'leftover-ended', unit, phase, pid: left.pid });
  }
}

/**
 * Staged files of recorded results get their names; those of attempts that were never recorded are of no use. Nor are
 * they after a reboot: there the outputs are restored from the content store, on record, so that another power cut
 * finds them owed a proof again.
 */
export function finishPromotions(
  run: Omit<Hold, 'id'> & Pick<RunContext, 'observe'>,
  /** Only of these phases, and nothing is thrown away: somebody else may be in the middle of it. */
  isMine?: (phase: string) => boolean,
): void {
  const folder = stagingFolder(run);
  for (const name of run.disk.list(folder) ?? []) {
    const [unit = '', phase = '', attempt = '', output = ''] = name.split('~');
    if (isMine !== undefined && !isMine(phase)) continue;
    const step = findStep(run.ledger, unit, phase);
    const record =
      step !== undefined && String(step.promoted) === attempt ? step.placed?.[output] : undefined;
    if (
      step === undefined ||
      record === undefined ||
      isAfterReboot(run, step, record) ||
      hashFile(run.disk, `${folder}/${name}`)?.hash !== record.hash
    ) {
      if (isMine === undefined) removeLeftover(run.disk, `${folder}/${name}`);
      continue;
    }
    // Somebody put a file there since: that is an edit, and for a guard to judge.
    if (isForeign(run, record.path, record, step.former)) continue;
    place(run, name, record.path);
  }
}

function isAfterReboot(
  { ledger, host, store }: Omit<Hold, 'id'>,
  step: Step,
  { hash }: OutputRecord,
): boolean {
  const result = promotedResult(step);
  // Superseded in a sitting that found nothing staged: only a power cut brings its name back.
  if (result === undefined) return true;
  return !isStatTrusted(ledger, result, host.self.boot) && store.has(hash);
}
