import { isDeepStrictEqual } from 'node:util';
import type { Disk } from '../../src/disk/disk.ts';
import { needRun } from '../../src/engine/open/find-run.ts';
import { type OpenedRun, openRun } from '../../src/engine/open/open-run.ts';
import { resolvePipelineForRun } from '../../src/engine/open/resolve-pipeline.ts';
import { objectsFolder, openWorkspace } from '../../src/engine/open/workspace.ts';
import { checkRun } from '../../src/engine/show/verify.ts';
import { findStep } from '../../src/ledger/ledger.ts';
import type { StoredEvent } from '../../src/model/event.ts';
import { readJournal } from '../../src/store/file/journal/read.ts';
import { openContent } from '../../src/store/open-store.ts';
import { Violation } from './scenario.ts';
import { ledgerAsData } from './tasks-ledger.ts';
import {
  demandOk,
  newProcess,
  notes,
  root,
  shown,
  type Team,
  type Told,
  target,
  textAt,
} from './tasks-team.ts';

/**
 * What must be true of a run that several have brought to its end, whoever was killed on the way. `displaced`: somebody
 * went on who was taken for dead. It may have written what others had written before it, as long as it was not told so.
 */
export async function checkTeam(team: Team, { displaced = false } = {}): Promise<void> {
  const env = newProcess(team);
  const workspace = demandOk(await openWorkspace(env, target));
  const quick = demandOk(needRun(workspace, {}));
  const whole = openRun(env, root, quick, { whole: true });
  const checked = await checkRun(await resolvePipelineForRun(workspace, whole), whole);
  demandNone(checked.findings, 'the check of the run');
  demandNone(
    whole.findings.filter(({ weight }) => weight === 'loud'),
    'the journal',
  );
  if (!isDeepStrictEqual(ledgerAsData(quick.ledger), ledgerAsData(whole.ledger)))
    throw new Violation('the ledger is not the fold of the journal');

  const events = [...readJournal(team.disk, `${root}/${whole.folder}/events`).events()];
  if (!displaced) {
    checkNumbers(events);
    checkAcceptedOnce(events);
  }
  for (const one of team.told) checkTold(one, events, whole, team.disk);
  for (const [unit, text] of Object.entries(notes))
    if (textAt(team.disk, `${whole.folder}/notes/${unit}.md`) !== text)
      throw new Violation(`the notes of ${unit} are not what it came to`);
  if (team.disk.openFiles > 0) throw new Violation(`${team.disk.openFiles} files were left open`);
}

/** A number is given to one claim, whoever made it and whether or not it was told. */
function checkNumbers(events: readonly StoredEvent[]): void {
  const given = new Map<string, string>();
  for (const event of events) {
    if (event.type !== 'attempt_started') continue;
    const number = `${event.unit}/${event.phase}#${event.attempt}`;
    const other = given.get(number);
    if (other !== undefined) throw new Violation(`${number} was given to ${other} and ${event.actor}`);
    given.set(number, event.actor);
  }
}

function checkAcceptedOnce(events: readonly StoredEvent[]): void {
  const accepted = new Set<string>();
  for (const event of events) {
    if (event.type !== 'attempt_succeeded') continue;
    const step = `${event.unit}/${event.phase}`;
    if (accepted.has(step)) throw new Violation(`${step} was accepted twice`);
    accepted.add(step);
  }
}

/** What somebody was told is on record, under the number that they were told. */
function checkTold(told: Told, events: readonly StoredEvent[], { ledger }: OpenedRun, disk: Disk): void {
  if (told.act === 'asked') return;
  const { unit, attempt } = told.act === 'claimed' ? told : told.answer;
  const isThere = events.some(
    (event) =>
      event.type === recordedAs[told.act] &&
      event.actor === told.actor &&
      'unit' in event &&
      event.unit === unit &&
      (!('attempt' in event) || event.attempt === attempt),
  );
  const isNothingNew = told.act !== 'claimed' && told.answer.again && told.act !== 'completed';
  // A claim that is given again renews the lease, and is no new one.
  if (!isThere && !isNothingNew) throw new Violation(`told, and not in the journal: ${shown(told)}`);
  if (told.act !== 'completed') return;
  const result = findStep(ledger, unit, told.answer.phase ?? '')?.results[0];
  if (result === undefined || result.attempt !== attempt || result.actor !== told.actor)
    throw new Violation(`accepted, and then lost: ${shown(told)} for ${shown(result)}`);
  const store = openContent(disk, `${root}/${objectsFolder}`, { durable: true });
  for (const { name, hash } of told.answer.outputs) {
    if (result.outputs[name]?.hash !== hash) throw new Violation(`${unit} is recorded with another ${name}`);
    if (!(store.get(hash) instanceof Uint8Array)) throw new Violation(`the ${name} of ${unit} is gone`);
  }
  for (const { path, hash } of told.answer.files)
    if (result.files?.[path]?.hash !== hash) throw new Violation(`${unit} is recorded with another ${path}`);
}

const recordedAs: Record<Exclude<Told['act'], 'asked'>, StoredEvent['type']> = {
  claimed: 'attempt_started',
  completed: 'attempt_succeeded',
  failed: 'attempt_failed',
  blocked: 'task_blocked',
  unblocked: 'task_unblocked',
  renewed: 'lease_renewed',
  released: 'attempt_interrupted',
};

function demandNone(findings: readonly unknown[], whose: string): void {
  if (findings.length > 0) throw new Violation(`${whose} found ${shown(findings)}`);
}
