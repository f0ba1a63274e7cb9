import { resolve } from 'node:path';
import { formatTime } from '../../../base/clock.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { DiskError } from '../../../disk/disk.ts';
import { replaceFileNow } from '../../../disk/write.ts';
import { claimJournal } from '../../../journal/claim.ts';
import { type Positions, startPosition } from '../../../journal/position.ts';
import type { Turn } from '../../../journal/turn.ts';
import type { JournalWriter } from '../../../journal/writer.ts';
import type { Failure } from '../../../model/failure.ts';
import { isSafeName } from '../../../model/names.ts';
import { conflictsOf } from '../../../planner/conflicts.ts';
import { briefBefore, tellOfClaim } from '../../../runner/brief/claim.ts';
import type { BriefState } from '../../../runner/brief/state-file.ts';
import { type Environment, shownFrom } from '../../environment.ts';
import { collectorOf } from '../../gc/turn.ts';
import { keepHead, lookAtHead } from '../../open/head.ts';
import { eventsFolder, isReservedActor } from '../../open/run-files.ts';
import type { HandedTask, NextAnswer, TaskCounts } from '../answers.ts';
import { waitForDesk } from '../desk-turn.ts';
import type { NextRequest } from '../requests.ts';
import {
  type NextFile,
  type PlacedClaim,
  type PreparedOffer,
  parseOffer,
  readNext,
  type Standing,
  writeNext,
} from './file.ts';
import { areLeasesSame, holdPremises, isAtEnd } from './still.ts';

/**
 * Hands out what was remembered to be next, while everything that it hangs on is as it was: then planning, which is
 * pure, would come to the same. Undefined at the least doubt, and with nothing recorded: then the whole run is looked at.
 */
export async function quickNext(
  env: Environment,
  request: NextRequest,
): Promise<Result<NextAnswer, Failure> | undefined> {
  const { path, actor, role, ...others } = request;
  if (Object.values(others).some((asked) => asked !== undefined && asked !== false)) return undefined;
  if (!isSafeName(actor) || isReservedActor(actor)) return undefined;
  const root = resolve(env.cwd, path ?? '.');
  const known = doubtful(() => readNext(env.disk, root));
  if (known === undefined || choose(known, role) === undefined) return undefined;
  if (!doubtful(() => holdPremises(env, root, known.premises))) return undefined;
  const turn = await waitForDesk({ env, root }, known.premises.run);
  if (!turn.ok) return turn;
  try {
    // Whoever was at the desk before us has handed out something, and remembers something else.
    const next = doubtful(() => readNext(env.disk, root));
    if (next?.premisesLine !== known.premisesLine || !doubtful(() => isStill(env, root, next)))
      return undefined;
    const offer = choose(next, role);
    const { folder } = next.premises.run;
    const brief = doubtful(() => briefBefore(env.disk, root, folder, next.standing.heads));
    if (offer === undefined || brief === undefined) return undefined;
    return await handOut({ env, root, actor, turn: turn.value, next, offer, brief });
  } finally {
    turn.value.end();
  }
}

/** What the disk cannot tell is told by the whole look. */
function doubtful<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

/** Whether nothing has happened since, with nobody else at the desk who could be in the middle of something. */
function isStill(env: Environment, root: string, { premises, standing }: NextFile): boolean {
  const { folder } = premises.run;
  return (
    collectorOf(env, root) === undefined &&
    areLeasesSame(standing, formatTime(env.clock.now())) &&
    isAtEnd(env.disk, eventsFolder(root, folder), standing.heads) &&
    lookAtHead(env, root, folder)(standing.heads).length === 0
  );
}

/** The first one in the order of handing out. One that touches what somebody has at hand stays for later. */
function choose({ standing, offers }: NextFile, role: string | undefined): Chosen | undefined {
  for (const line of offers) {
    const offer = parseOffer(line);
    if (offer === undefined) return undefined;
    const { taker, task } = offer;
    const beside = standing.taken.filter(({ stage }) => stage === taker.stage);
    if ((role === undefined || task.role === role) && conflictsOf(taker, beside).length === 0)
      return { ...offer, line };
  }
  return undefined;
}

type Chosen = PreparedOffer & { readonly line: string };

interface Handing {
  readonly env: Environment;
  readonly root: string;
  readonly actor: string;
  readonly turn: Turn;
  readonly next: NextFile;
  readonly offer: Chosen;
  /** As it stands before anything is handed out. */
  readonly brief: BriefState;
}

async function handOut(handing: Handing): Promise<Result<NextAnswer, Failure> | undefined> {
  const { env, next } = handing;
  const writer = await claimActor(handing);
  if (writer === undefined) return undefined;
  try {
    const leaseUntil = formatTime(env.clock.now() + handing.offer.task.leaseMs);
    // On record before anybody is told: from here on somebody may be paid for it.
    const [stored] = await writer.append([{ ...handing.offer.event, lease: leaseUntil }]);
    const task: HandedTask = { ...handing.offer.task, actor: handing.actor, leaseUntil };
    keepTask(handing, task);
    const isAlone = handing.turn.isHeld() && areOthersAtEnd(handing);
    const stands = isAlone || (await isClaimOf(handing, task));
    await writer.close();
    const standing = afterwards(handing, task, writer);
    await keepAll(handing, standing, isAlone);
    tellInBrief(handing, task, stored?.at ?? '', standing);
    if (!stands) return fail(lost(task));
    return ok(answer(handing, task, stored?.at ?? '', { ...standing, status: next.standing.status }));
  } catch (error) {
    return fail(await abandon(handing, writer, error));
  }
}

/** The actor's journal, with nothing in any that is not known; undefined: somebody has it, or there is more. */
async function claimActor({ env, root, actor, next }: Handing): Promise<JournalWriter | undefined> {
  const { run, durable } = next.premises;
  const { disk, host, clock, ids } = env;
  const { heads } = next.standing;
  const folder = eventsFolder(root, run.folder);
  const from = heads.has(actor) ? heads : new Map([...heads, [actor, startPosition]]);
  const maker = { disk, host, clock, ids, eventsFolder: folder, actor, durable };
  const claimed = await claimJournal({ ...maker, run: run.id, from, base: root });
  if (!claimed.ok) return undefined;
  const { writer, continues, events, findings } = claimed.value;
  if (continues && events.length === 0 && findings.length === 0) return writer;
  await writer.close();
  return undefined;
}

/** For whoever has only the folder to look at. */
function keepTask({ env, root, offer }: Handing, task: HandedTask): void {
  const folder = `${root}/${task.folder}`;
  const keep = (name: string, text: string) =>
    replaceFileNow(env.disk, `${folder}/${name}`, new TextEncoder().encode(text));
  env.disk.makeFolder(folder);
  if (offer.prompt !== undefined) keep('prompt.md', offer.prompt);
  keep('task.json', `${JSON.stringify(task, null, 2)}\n`);
}

function areOthersAtEnd({ env, root, actor, next }: Handing): boolean {
  const folder = eventsFolder(root, next.premises.run.folder);
  const others = new Map([...next.standing.heads].filter(([other]) => other !== actor));
  return isAtEnd(env.disk, folder, others, actor);
}

/** Somebody has written beside us: only a reading from the start says whose word counts. */
async function isClaimOf({ env, root, next }: Handing, task: HandedTask): Promise<boolean> {
  const { openRun } = await import('../../open/open-run.ts');
  const { findCell } = await import('../../../ledger/ledger.ts');
  const { ledger } = openRun(env, root, next.premises.run, { whole: true });
  const running = findCell(ledger, task.unit, task.phase)?.running;
  return running?.attempt === task.attempt && running.claim?.actor === task.actor;
}

function lost({ unit, phase, actor, attempt }: HandedTask): Failure {
  const nobody = { current: 0, holder: undefined, aside: undefined };
  return { reason: 'claim-lost', unit, phase, actor, attempt, ...nobody };
}

/** After a failed write nothing more is written; closing may fail again and that is no news. */
async function abandon({ next }: Handing, writer: JournalWriter, error: unknown): Promise<Failure> {
  const { asFailure } = await import('../../run/hold.ts');
  const failure = asFailure(next.premises.run.id, error);
  await writer.close().catch((another: unknown) => asFailure(next.premises.run.id, another));
  return failure;
}

/** How everything stands once the task is somebody's. */
function afterwards({ actor, next, offer }: Handing, task: HandedTask, writer: JournalWriter): Standing {
  const { standing } = next;
  const { unit, phase, attempt, leaseUntil } = task;
  const place = offer.place ?? standing.units;
  const mine: PlacedClaim = { unit, phase, actor, attempt, until: leaseUntil, place };
  const others = standing.claims.filter((claim) => claim.unit !== unit || claim.phase !== phase);
  const heldBack = new Set([...standing.heldBack, ...offer.conflicts]);
  const heads: Positions = new Map([...standing.heads, [actor, writer.position]]);
  return {
    at: standing.at,
    status: 'running',
    heads,
    claims: [...others, mine].sort((a, b) => a.place - b.place),
    taken: [...standing.taken, offer.taker],
    heldBack: [...heldBack],
    units: standing.units + (offer.place === undefined ? 1 : 0),
    tasks: recount(standing.tasks, offer, heldBack.size - standing.heldBack.length),
  };
}

function recount(tasks: TaskCounts, { was }: PreparedOffer, heldBackNow: number): TaskCounts {
  const counts = { ...tasks };
  counts[was.state] -= 1;
  counts.claimed += 1;
  counts.runnable -= 1 + heldBackNow;
  if (was.inDoubt) counts.inDoubt -= 1;
  return counts;
}

/** All that counts is in the journal; without these the next start only takes longer. */
async function keepAll(
  { env, root, next, offer }: Handing,
  standing: Standing,
  isAlone: boolean,
): Promise<void> {
  const { premises, premisesLine, offers } = next;
  try {
    await keepHead(env, root, premises.run.folder, standing.heads);
    const left = offers.filter((line) => line !== offer.line);
    if (isAlone) writeNext(env.disk, root, { premisesLine, standing, offers: left });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}

/** Where it cannot be written, whoever reads it next sees that it is behind. */
function tellInBrief(
  { env, root, actor, offer, brief }: Handing,
  { unit, phase, attempt, iteration, leaseUntil }: HandedTask,
  at: string,
  { heads }: Standing,
): void {
  const claim = { unit, phase, attempt, iteration, at, actor, until: leaseUntil };
  doubtful(() => tellOfClaim(env.disk, root, brief, claim, offer.filesToRead, heads));
}

function answer(
  { env, root, actor, next }: Handing,
  task: HandedTask,
  updatedAt: string,
  { status, claims, tasks }: Standing,
): NextAnswer {
  const { heading, notices } = next.premises;
  const { createdAt, ...whose } = heading;
  const now = formatTime(env.clock.now());
  return {
    heading: { ...whose, status, workspace: shownFrom(env, root) || '.', createdAt, updatedAt },
    actor,
    task,
    none: undefined,
    holding: claims
      .filter((one) => one.actor === actor && (one.unit !== task.unit || one.phase !== task.phase))
      .map(({ place: _, ...claim }) => ({ ...claim, live: claim.until > now })),
    tasks,
    notices,
    findings: [],
  };
}
