import { ok, type Result } from '../../../base/result.ts';
import type { StoredEvent } from '../../../model/event.ts';
import type { Failure } from '../../../model/failure.ts';
import { planContext } from '../../../planner/context.ts';
import { newestState, planRun } from '../../../planner/run.ts';
import { ProjectedFiles } from '../../../projections/projected-files.ts';
import { type RunContext, record } from '../../../runner/context.ts';
import { restoreOutputs } from '../../../runner/promotion.ts';
import { gatherFacts } from '../../observe/facts.ts';
import type { Environment } from '../../open/environment.ts';
import { createRunHeading } from '../../open/find-run.ts';
import { type Hold, lockRun, releaseAfter } from '../../open/hold.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { Target } from '../../open/requests.ts';
import { resolvePipelineForRun } from '../../open/resolve-pipeline.ts';
import { openRunJournal } from '../../open/run-files.ts';
import { openRunForWriting } from '../../open/with-run-lock.ts';
import type { Workspace } from '../../open/workspace.ts';
import { recoverAlone } from '../../run/prepare-drive.ts';
import type { BroughtBackAnswer } from './answers.ts';
import { asListed, type Prepared } from './prepare.ts';

type Plans = (
  workspace: Workspace,
  events: readonly StoredEvent[],
) => Promise<Result<Prepared & Pick<BroughtBackAnswer, 'decisions'>, Failure>>;

/** The run that is meant. One that is over for good, or damaged, is refused. */
export async function openRunOf(
  env: Environment,
  target: Target,
): Promise<Result<{ readonly placed: Workspace; readonly opened: OpenedRun }, Failure>> {
  const found = await openRunForWriting(env, target);
  if (!found.ok) return found;
  const { workspace, opened } = found.value;
  return ok({ placed: await resolvePipelineForRun(workspace, opened), opened });
}

/** The whole journal of a run, because a ledger keeps only what still counts. */
function journalOf({ env, root }: Workspace, { folder }: Pick<OpenedRun, 'folder'>): StoredEvent[] {
  return [...openRunJournal(env, root, folder).events()];
}

/**
 * Records that earlier results count again, and puts their bytes back. A kill in between loses nothing, because the
 * next plan finds results that are not at their paths and restores them.
 */
export async function bringBack(
  placed: Workspace,
  opened: OpenedRun,
  { dryRun = false }: { readonly dryRun?: boolean | undefined },
  plans: Plans,
): Promise<Result<BroughtBackAnswer, Failure>> {
  if (dryRun) {
    const shown = await plans(placed, journalOf(placed, opened));
    return shown.ok ? ok(answerOf(placed, opened, shown.value, false)) : shown;
  }
  const hold = await lockRun(placed, opened, { takeover: false });
  if (!hold.ok) return hold;
  return await releaseAfter(placed, hold.value, async () => {
    const recovered = await recoverAlone(placed, hold.value, () => undefined, false);
    if (!recovered.ok) return recovered;
    const prepared = await plans(placed, journalOf(placed, opened));
    if (!prepared.ok) return prepared;
    await write(placed, hold.value, prepared.value);
    return ok(answerOf(placed, { ...opened, ledger: hold.value.ledger }, prepared.value, true));
  });
}

function answerOf(
  placed: Workspace,
  opened: OpenedRun,
  { decisions, steps, aside, open }: Prepared & Pick<BroughtBackAnswer, 'decisions'>,
  done: boolean,
): BroughtBackAnswer {
  return { heading: createRunHeading(placed, opened), decisions, steps, aside, open, done };
}

async function write(before: Workspace, hold: Hold, { events }: Prepared): Promise<void> {
  const never = new AbortController().signal;
  await record(hold, ...events);
  const placed = await asListed(before, hold.ledger, hold.folder);
  const { loaded } = placed;
  const facts = await gatherFacts(placed, hold.folder, hold.ledger, hold.store, {
    deep: false,
    restore: false,
  });
  const run: RunContext = { ...hold, loaded, facts, observe: () => undefined, stop: never, interrupt: never };
  let plan = planRun(loaded, run.ledger, facts);
  // What was put back may let others be found that have to be.
  for (let round = 0; round < restoreRoundsMax; round++) {
    if (!(await restoreOutputs(run, plan.units.values()))) break;
    plan = planRun(loaded, run.ledger, facts);
  }
  const projections = new ProjectedFiles(run, plan.units, hold.projections);
  const context = planContext(loaded, run.ledger, facts);
  await projections.stateChanged(newestState(context, plan.units), run.observe, facts.state?.shown?.hash);
  projections.rebuild();
  projections.flush();
}

const restoreRoundsMax = 10;
