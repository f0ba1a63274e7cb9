import { DiskError } from '../../disk/disk.ts';
import { type ActorHead, type Positions, positionOf } from '../../journal/position.ts';
import { withBytesBefore } from '../../journal/read.ts';
import { findCell, promotedResult } from '../../ledger/ledger.ts';
import { compilePattern } from '../../pipeline/pattern.ts';
import { noOverrides } from '../../planner/overrides.ts';
import type { Plan } from '../../planner/plan.ts';
import { projectedFiles } from '../../runner/projected-files.ts';
import { countCells } from '../look/board.ts';
import type { GatheredFacts } from '../look/facts.ts';
import { type Look, settleOverrides } from '../look/look.ts';
import { headingOf } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { eventsFolder, runnerActor, snapshotPath } from '../open/run-files.ts';
import { runsFolder } from '../open/run-places.ts';
import type { Workspace } from '../open/workspace.ts';
import { programName } from '../program.ts';
import type { Hold } from '../run/hold.ts';
import { hashPipeline } from './pipeline-hash.ts';
import { isSettled } from './settled.ts';
import {
  type OutputRow,
  type SettledAnswer,
  type SettledPart,
  type StateHashes,
  settledPath,
  writeSettled,
} from './settled-file.ts';
import { type Stamp, stampOf } from './stamp.ts';

/** After a sitting that came to its end: remembers what a look at the run would say now, if it would find it settled. */
export function rememberSitting(
  workspace: Workspace,
  hold: Hold,
  { facts, plan }: { readonly facts: GatheredFacts; readonly plan: Plan },
): void {
  const { ledger, store } = hold;
  const opened = openedAfter(hold);
  if (!mayBeRemembered(workspace, opened)) return;
  const seen: Look = { workspace, ledger, store, facts, plan };
  const wanted = settleOverrides(seen, noOverrides);
  if (!wanted.ok || wanted.value.length > 0) return;
  quietly(() => {
    if (isSettled(seen, opened)) rememberSettled(seen, opened);
  });
}

/** Remembers a run that was found settled, for `recall`. What cannot be written is not remembered. */
export function rememberSettled(seen: Look, opened: OpenedRun): void {
  const { workspace, facts, plan } = seen;
  const { env, root, loaded } = workspace;
  const program = programName();
  if (program === undefined || !mayBeRemembered(workspace, opened)) return;
  // What is answered holds only while there is nothing else to tell.
  const isAside = facts.unknown.length > 0 || (facts.strays ?? []).length > 0;
  if (opened.findings.length > 0 || facts.outputs.size > 0 || isAside) return;
  quietly(() => {
    const positions = withBytesBefore(env.disk, eventsFolder(root, opened.folder), opened.heads);
    const snapshot = stampOfSnapshot(workspace, opened.folder, positions);
    if (snapshot === undefined) return;
    const { workspace: _, ...heading } = headingOf(workspace, opened);
    const answer: SettledAnswer = { heading, cells: countCells(plan), notices: plan.notices };
    const pipeline = hashPipeline(loaded);
    const state = stateIn(facts);
    const { boot } = env.host.self;
    const changedAfter = opened.ledger.worked.until;
    const head = { program, boot, pipeline, changedAfter, snapshot, positions, state, answer };
    writeSettled(env.disk, settledPath(root, opened.folder), { head, parts: partsOf(seen, opened) });
  });
}

function mayBeRemembered({ env }: Workspace, { folder }: OpenedRun): boolean {
  // Where nobody knows of a reboot a stat proves nothing.
  if (env.host.self.boot === '') return false;
  // A folder that a layout has put among people's own files gets none that only saves time.
  return folder.startsWith(`${runsFolder}/`);
}

/** The run as the next process will find it, unless somebody comes in between: then what is remembered is of no use. */
function openedAfter({ id, folder, ledger, journal, others }: Hold): OpenedRun {
  const heads = new Map<string, ActorHead>();
  for (const [actor, position] of [...others, [runnerActor, journal.position] as const])
    heads.set(actor, { ...position, holder: undefined, opened: '', closed: true });
  return { id, folder, ledger, heads, findings: [], status: ledger.ended ?? 'stopped', eventsRead: 0 };
}

/**
 * Undefined where the snapshot does not stand for the whole journal: then a look reads on from an earlier place, and
 * may find more there than is remembered.
 */
function stampOfSnapshot({ env, root }: Workspace, folder: string, positions: Positions): Stamp | undefined {
  const path = snapshotPath(root, folder);
  const stat = env.disk.stat(path);
  const sealed = stat && env.disk.readRange(path, Math.max(0, stat.size - sealBytesMax), sealBytesMax);
  const seal = new TextDecoder().decode(sealed);
  for (const place of positions.values())
    if (!seal.includes(JSON.stringify(positionOf(place)))) return undefined;
  return stat && stampOf(stat);
}

/** A snapshot ends in the positions that it stands for. The rest of it is as large as the run. */
const sealBytesMax = 64 * 1024;

/** Whatever else is ever gathered must be remembered too, or this does not compile. */
function stateIn({
  // A run that is done has no lease that could run out.
  now: _____,
  // Nor an attempt that a reboot could have ended.
  boot: _______,
  outputs: _,
  // Nothing is lost before something was to be put back.
  lost: ____,
  unrestorable: ________,
  // A run that is done has no call that was cut off.
  answered: ______,
  unknown: __,
  // Where there are any, nothing is remembered, and whoever recalls looks for them.
  strays: _________,
  // A run whose units are not all listed is not remembered.
  unlisted: ____________,
  // A changed definition or changed fields are not settled.
  unitsBefore: _____________________,
  checksOnly: __________,
  rechecked: ___________,
  manifestBefore: ___,
  manifestBeforeHash: _____________,
  state,
  ...others
}: GatheredFacts): StateHashes | undefined {
  others satisfies Record<string, never>;
  return state && { initial: state.initial, shown: state.shown?.hash };
}

/** All that `gatherFacts` and `isSettled` look at. */
function* partsOf(seen: Look, { folder }: OpenedRun): Generator<SettledPart> {
  for (const [parent, names] of namesByFolder(seen, folder)) yield { folder: parent, ...names };
  let outputs: OutputRow[] = [];
  for (const row of outputRows(seen)) {
    outputs.push(row);
    if (outputs.length < outputsPerPart) continue;
    yield { outputs };
    outputs = [];
  }
  if (outputs.length > 0) yield { outputs };
}

const outputsPerPart = 256;

interface Names {
  readonly present: string[];
  readonly absent: string[];
}

/** By folder, for a folder is listed once. */
function namesByFolder({ workspace, ledger }: Look, runFolder: string): Map<string, Names> {
  const { pipeline } = workspace.loaded;
  const folders = new Map<string, Names>();
  const add = (path: string, which: keyof Names) => {
    const cut = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(0, cut));
    const names = folders.get(folder) ?? { present: [], absent: [] };
    folders.set(folder, names);
    names[which].push(path.slice(cut + 1));
  };
  for (const path of projectedFiles(pipeline, runFolder, ledger)) add(path, 'present');
  for (const stage of pipeline.stages) {
    for (const phase of stage.phases) {
      const paths = phase.outputs.map(({ path }) => compilePattern(path));
      for (const unit of stage.units) {
        const cell = findCell(ledger, unit.id, phase.name);
        if (cell?.placed !== undefined) continue;
        for (const pathOf of paths) add(pathOf(unit, (cell?.attempts ?? 0) + 1), 'absent');
      }
    }
  }
  return folders;
}

function* outputRows({ workspace, ledger }: Look): Generator<OutputRow> {
  for (const stage of workspace.loaded.pipeline.stages) {
    for (const unit of stage.units) {
      for (const phase of stage.phases) {
        const cell = findCell(ledger, unit.id, phase.name);
        const result = cell && promotedResult(cell);
        if (result === undefined) continue;
        for (const { path, size, mtime, ino } of Object.values(result.outputs))
          yield [path, size, mtime, ino];
      }
    }
  }
}

/** A disk that is full, or may not be written to, takes nothing away: the next look takes as long as this one. */
function quietly(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}
