import { DiskError } from '../../../disk/disk.ts';
import type { Positions } from '../../../journal/position.ts';
import { isClosed, segmentPath } from '../../../journal/segment.ts';
import { isOver } from '../../../model/status.ts';
import { claimedUnits } from '../../../planner/hand-out.ts';
import { noOverrides } from '../../../planner/overrides.ts';
import { isProofOwed, type Look, settleOverrides } from '../../look/look.ts';
import { statusOf } from '../../open/open-run.ts';
import { eventsFolder, runnerActor } from '../../open/run-files.ts';
import { programName } from '../../program.ts';
import type { TaskCounts } from '../answers.ts';
import type { Desk } from '../desk-turn.ts';
import { claimsOf } from '../views.ts';
import { type Premises, premisesLine, type Standing, writeNext } from './file.ts';
import { groundOf } from './ground.ts';
import { prepareOffers } from './offers.ts';
import { isAtEnd } from './still.ts';

/**
 * Remembers what will be handed out next, for `quickNext`. To be called at the desk, with everything written. What
 * cannot be remembered as a whole is not remembered, and no task then is the worse for it.
 */
export async function rememberNext(desk: Desk, seen: Look, tasks: TaskCounts): Promise<void> {
  if (!mayBeRemembered(desk, seen)) return;
  try {
    const heads = headsOf(desk);
    const premises = heads && premisesOf(desk, seen);
    if (heads === undefined || premises === undefined) return;
    const offers = await prepareOffers(desk, seen);
    if (offers.length === 0) return;
    const standing = standingOf(desk, seen, heads, tasks);
    const { env, root } = desk.workspace;
    writeNext(env.disk, root, { premisesLine: premisesLine(premises), standing, offers });
  } catch (error) {
    // A disk that is full, or may not be written to, takes nothing away: the next look takes as long as this one.
    if (!(error instanceof DiskError)) throw error;
  }
}

/** What is handed out holds only while there is nothing else to tell, to refuse or to record. */
function mayBeRemembered({ workspace, opened, hold }: Desk, seen: Look): boolean {
  const { env, loaded, manifest, sightings } = workspace;
  const { state, foreign, stages, layout } = loaded.pipeline;
  const phases = stages.flatMap((stage) => stage.phases);
  const { ended } = hold.ledger;
  if (sightings?.isWhole !== true || !usualManifests.includes(manifest)) return false;
  // Where nobody knows of a reboot a stat proves nothing.
  if (env.host.self.boot === '' || isProofOwed(seen)) return false;
  // The brief in a file of somebody else's takes more than a moment to write.
  if (
    layout.brief !== undefined ||
    state !== undefined ||
    foreign !== undefined ||
    opened.findings.length > 0
  )
    return false;
  if (ended !== undefined && isOver(ended)) return false;
  if (phases.some(({ limits }) => limits !== undefined)) return false;
  // Such a path is another one for every attempt, and so is what may lie there unknown.
  if (phases.some(({ outputs }) => outputs.some(({ path }) => path.includes('{attempt')))) return false;
  if (seen.facts.outputs.size > 0 || seen.facts.lost.size > 0) return false;
  const wanted = settleOverrides(seen, noOverrides);
  return wanted.ok && wanted.value.length === 0;
}

/** Only these are found without asking which one is meant; and what is written in code may say anything. */
const usualManifests = ['pawl.yaml', 'pawl.yml'];

/** Undefined: somebody may still be writing. */
function headsOf({ workspace, hold }: Desk): Positions | undefined {
  const { env, root } = workspace;
  const { actor, others, journal, folder } = hold;
  const all = new Map([...others, [actor, journal.position]]);
  const heads = new Map([...all].filter(([, { epoch }]) => epoch > 0));
  const runner = heads.get(runnerActor);
  const events = eventsFolder(root, folder);
  if (runner === undefined || !isAtEnd(env.disk, events, heads)) return undefined;
  const { epoch } = runner;
  return isClosed(env.disk, { epoch, path: segmentPath(`${events}/${runnerActor}`, epoch) })
    ? heads
    : undefined;
}

function premisesOf(desk: Desk, seen: Look): Premises | undefined {
  const { workspace, hold } = desk;
  const program = programName();
  const ground = groundOf(desk, seen);
  const created = hold.ledger.run;
  if (program === undefined || ground === undefined || created === undefined) return undefined;
  const { run, pipeline, identity } = created;
  return {
    program,
    boot: workspace.env.host.self.boot,
    run: { id: hold.id, folder: hold.folder },
    durable: workspace.loaded.pipeline.durability === 'power',
    ...ground,
    heading: { run, pipeline, identity, createdAt: hold.ledger.createdAt },
    notices: seen.plan.notices,
  };
}

function standingOf(desk: Desk, { plan, facts }: Look, heads: Positions, tasks: TaskCounts): Standing {
  const { workspace, hold } = desk;
  const { ledger } = hold;
  const places = new Map([...ledger.cells.byUnit.keys()].map((unit, place) => [unit, place]));
  return {
    at: facts.now,
    status: statusOf(workspace.env, ledger, { closed: true, holder: undefined }),
    heads,
    claims: claimsOf(ledger, facts.now).map(({ live: _, ...claim }) => ({
      ...claim,
      place: places.get(claim.unit) ?? 0,
    })),
    taken: workspace.loaded.pipeline.stages.flatMap((stage) =>
      claimedUnits(stage, plan).map(({ id, touches, beside }) => ({
        stage: stage.name,
        id,
        ...(touches !== undefined && { touches }),
        ...(beside !== undefined && { beside }),
      })),
    ),
    heldBack: [],
    units: ledger.cells.byUnit.size,
    tasks,
  };
}
