import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { emptyLedger } from '../../ledger/ledger.ts';
import type { EventBody, RunCreated } from '../../model/event.ts';
import type { Failure, StatusTrouble } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import type { RunStatus } from '../../model/status.ts';
import { isResumableStatus } from '../../projections/status-page/status-words.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { newRevision } from '../open/revision.ts';
import { runsFolder } from '../open/run-places.ts';
import type { Workspace } from '../open/workspace.ts';
import { carriedClusters, carriedCounts, carriedText } from './counts.ts';
import { fits, listedHash } from './page-files.ts';
import { foldAll, type ImportingPage, pageQuestions } from './page-questions.ts';
import { differencesFromTwin, type FoundPage, findPages, pageTrouble, tickedBoxes } from './pages.ts';
import { contradictions, otherSpec, unverifiableSpec, withSpec } from './spec-guard.ts';
import { type JudgedStages, judgeStages } from './stages.ts';
import { checkpointOf } from './ticks.ts';

/** The verdict on status pages that lie where there is no run. Looking and running share it. */
export interface JudgedPages {
  /**
   * - `import`: a run is made of them, and resumed.
   * - `complete`: every unit is complete, and its recorded files are there: there is nothing to do.
   * - `fresh`: they were ended for good; a new run starts.
   */
  readonly kind: 'import' | 'complete' | 'fresh';
  readonly pages: readonly FoundPage[];
  /** What the import records, after the creation of the run. */
  readonly events: readonly EventBody[];
  readonly notices: readonly Notice[];
  /** The run as it would be after the import; undefined where a new one starts. */
  readonly opened: OpenedRun | undefined;
}

/** Undefined: there are no pages, or the run has recorded something of its own. Nothing is written. */
export async function judgePages(
  workspace: Workspace,
  opened: OpenedRun | undefined,
): Promise<Result<JudgedPages | undefined, Failure>> {
  // A run that died before it had recorded what its phases are has taken in nothing yet.
  if (opened !== undefined && opened.ledger.revision > 0) return ok(undefined);
  const pages = findPages(workspace);
  if (pages.length === 0) return ok(undefined);
  const troubles = pages.flatMap(pageTrouble);
  if (troubles.length > 0) return fail({ reason: 'status-unclear', troubles });
  const twins = pages.flatMap(contradictedByTwin);
  if (twins.length > 0) return fail({ reason: 'status-blocked', troubles: twins });

  const units = workspace.loaded.pipeline.stages.flatMap((stage) => stage.units.map(({ id }) => id));
  const complete = pages.filter(({ page }) => page.status === 'COMPLETE');
  if (complete.length === units.length) return judgeComplete(workspace, complete);
  const isOpen = ({ page }: FoundPage) => page.status !== undefined && isResumableStatus(page.status);
  // Beside a unit that goes on, those that are through are as good as they were.
  const kept = pages.filter((found) => isOpen(found) || complete.includes(found));
  const notices = pages.flatMap((found) => (kept.includes(found) ? alike(found) : [endedNotice(found)]));
  if (kept.length === 0) return ok({ kind: 'fresh', pages, events: [], notices, opened: undefined });

  const blocked = kept.filter(isOpen).flatMap((found) => unverifiableSpec(workspace, found));
  if (blocked.length > 0) return fail({ reason: 'status-blocked', troubles: blocked });
  const contradicted = kept.flatMap((found) => contradictions(workspace, found));
  if (contradicted.length > 0) return fail({ reason: 'status-unclear', troubles: contradicted });
  return ok({ kind: 'import', pages, ...(await importOf(workspace, kept, notices)) });
}

async function importOf(
  workspace: Workspace,
  kept: readonly FoundPage[],
  before: readonly Notice[],
): Promise<Pick<JudgedPages, 'events' | 'notices' | 'opened'>> {
  const revision = newRevision(workspace, emptyLedger());
  const events: EventBody[] = revision === undefined ? [] : [withSpec(workspace, revision, kept)];
  const judged: (ImportingPage & { readonly stages: JudgedStages })[] = [];
  for (const found of kept) {
    const stages = await judgeStages(workspace, found);
    const imported = importedEvent(found, stages);
    events.push(...stages.adopted, ...stagesOfComplete(found, stages), imported);
    judged.push({ found, imported, taken: stages.taken, stages });
  }
  const isWaiting = kept.some(({ page }) => page.status === 'WAITING_FOR_HUMAN');
  const first = openedFor(workspace, kept, events, isWaiting ? 'waiting_human' : 'stopped');
  const created = createdFor(workspace, kept);
  const { asked, approved } = await pageQuestions(workspace, first, judged, [created, ...events]);
  const notices = judged.map(({ found, stages }) =>
    importNotice(found, stages, approved.get(found.path) ?? []),
  );
  const all = [...events, ...asked];
  return {
    events: all,
    notices: [...before, ...notices],
    opened: openedFor(workspace, kept, all, first.status),
  };
}

function importedEvent(found: FoundPage, stages: JudgedStages): ImportingPage['imported'] {
  const { page, path, unit } = found;
  const { rounds, failures } = carriedCounts(found, stages);
  const clusters = carriedClusters(found, stages);
  return {
    type: 'page_imported',
    unit: unit.id,
    path,
    status: page.status ?? '',
    ...(page.runId !== undefined && { run: page.runId }),
    ...(stages.partial !== undefined && { partial: stages.partial }),
    ...(Object.keys(stages.handed).length > 0 && { handed: stages.handed }),
    ...(Object.keys(rounds).length > 0 && { rounds }),
    ...(Object.keys(failures).length > 0 && { failures }),
    ...(clusters.length > 0 && { clusters }),
    ...carriedText(found),
  };
}

/** A complete page may leave out stages that had nothing to show. */
function stagesOfComplete({ page, stage, unit }: FoundPage, { taken, open }: JudgedStages): EventBody[] {
  if (page.status !== 'COMPLETE') return [];
  const judged = [...taken, ...open.map(({ phase }) => phase)];
  return stage.phases
    .filter(({ name }) => !judged.includes(name))
    .map(({ name }) => doneByWord(unit.id, name));
}

/** There is no file that could prove it. */
function doneByWord(unit: string, phase: string): EventBody {
  return { type: 'foreign_work_reported', unit, phase, means: 'succeeded' };
}

function importNotice(found: FoundPage, stages: JudgedStages, approved: readonly string[]): Notice {
  const { page, path, unit } = found;
  const { taken, open, unverified } = stages;
  return {
    code: 'imported',
    path,
    unit: unit.id,
    taken,
    unverified,
    open,
    counts: carriedCounts(found, stages).shown,
    clusters: page.clusters.map(({ defect, count, max }) => ({ defect, count, max })),
    notes: page.notes.length,
    approved,
    unasked: tickedBoxes(found)
      .map(({ name }) => name)
      .filter((name) => checkpointOf(found, name) === undefined),
  };
}

/** Every file that complete pages record is held against the disk: a complete run with a file missing is not complete. */
function judgeComplete(
  workspace: Workspace,
  pages: readonly FoundPage[],
): Result<JudgedPages | undefined, Failure> {
  const troubles: StatusTrouble[] = [];
  const notices: Notice[] = [];
  for (const found of pages) {
    const { page, path, unit } = found;
    const unverified: string[] = [];
    let verified = 0;
    const unproven: StatusTrouble[] = [];
    const tell = (file: string, line: number, isThere: boolean) => {
      const facts = { file, why: isThere ? 'changed' : 'missing' };
      unproven.push({ path, line, code: 'complete-unproven', facts });
    };
    for (const { artifact, line } of page.completed) {
      if (artifact === undefined) continue;
      const actual = listedHash(workspace, found, artifact.path);
      if (actual === undefined || (artifact.hash !== undefined && !fits(artifact.hash, actual)))
        tell(artifact.path, line, actual !== undefined);
      else if (artifact.hash?.kind === 'full') verified += 1;
      else unverified.push(artifact.path);
    }
    const spec = unproven.length > 0 ? undefined : otherSpec(workspace, found);
    if (spec !== undefined) tell(spec.file, spec.line, spec.isThere);
    troubles.push(...unproven);
    notices.push(...alike(found), { code: 'page-complete', path, unit: unit.id, verified, unverified });
  }
  if (troubles.length > 0) return fail({ reason: 'status-blocked', troubles });
  const revision = newRevision(workspace, emptyLedger());
  const told = pages.flatMap(({ unit, stage }) =>
    stage.phases.map(({ name }): EventBody => doneByWord(unit.id, name)),
  );
  const events = revision === undefined ? told : [revision, ...told];
  const opened = openedFor(workspace, pages, events, 'completed');
  return ok({ kind: 'complete', pages, events: [], notices, opened });
}

function contradictedByTwin(found: FoundPage): StatusTrouble[] {
  const differences = differencesFromTwin(found);
  if (found.twin === undefined || differences.length === 0) return [];
  const facts = { other: found.twin.path, parts: differences };
  return [{ path: found.path, line: 1, code: 'pages-contradict', facts }];
}

function alike({ path, twin }: FoundPage): Notice[] {
  return twin === undefined ? [] : [{ code: 'pages-alike', path, other: twin.path }];
}

function endedNotice({ page, path }: FoundPage): Notice {
  const notes = page.notes.length > 0 ? { notes: path } : {};
  return { code: 'started-fresh', run: page.runId ?? path, status: page.status ?? '', reason: '', ...notes };
}

/** The run as its journal would have it. */
function openedFor(
  workspace: Workspace,
  pages: readonly FoundPage[],
  events: readonly EventBody[],
  status: RunStatus,
): OpenedRun {
  const now = formatTime(workspace.env.clock.now());
  const created = createdFor(workspace, pages);
  return {
    id: created.run,
    folder: workspace.runFolder ?? runsFolder,
    ledger: foldAll([created, ...events], now),
    heads: new Map(),
    findings: [],
    status,
    eventsRead: 0,
  };
}

function createdFor({ env, loaded, manifest }: Workspace, pages: readonly FoundPage[]): RunCreated {
  const { name, identity, durability } = loaded.pipeline;
  const run = pages[0]?.page.runId ?? pages[0]?.path ?? '';
  const { boot } = env.host.self;
  return { type: 'run_created', run, pipeline: name, identity, durability, manifest, boot };
}
