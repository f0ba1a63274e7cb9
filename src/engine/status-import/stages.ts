import type { Hash } from '../../base/hash.ts';
import { runCheck, runsUserCode } from '../../checks/run-check.ts';
import type { OutputSpec, Phase } from '../../model/definition.ts';
import type { ArtifactAdopted, OutputRecord, PageImported } from '../../model/event.ts';
import type { OpenStage, OpenStageReason } from '../../model/reason.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import { recordFile } from '../../runner/verify-output.ts';
import { importReport } from '../open/take-over.ts';
import type { Workspace } from '../open/workspace.ts';
import { listedHash } from './page-files.ts';
import type { FoundPage } from './pages.ts';
import { recordedHash } from './spec-guard.ts';

/** The stages of one page: which of them count as done, and why the others do not. */
export interface JudgedStages {
  readonly adopted: readonly ArtifactAdopted[];
  /** In the order of the phases. */
  readonly taken: readonly string[];
  readonly open: readonly OpenStage[];
  /** Files whose hash the page does not give in full. */
  readonly unverified: readonly string[];
  readonly partial: PageImported['partial'];
  /** Files of stages that were complete and run again: their phase continues from them. */
  readonly handed: NonNullable<PageImported['handed']>;
}

/** What is known of the bytes of each output, by phase: where a file is missing, the page may still say what it was. */
type KnownHashes = Map<string, Map<string, Hash>>;

/**
 * Each stage is judged by itself: a completed one counts while its files are there and pass their checks. One that does
 * not count runs again, and a later one only if it then takes other bytes than the page recorded.
 */
export async function judgeStages(workspace: Workspace, found: FoundPage): Promise<JudgedStages> {
  const { stage, page } = found;
  const adopted: ArtifactAdopted[] = [];
  const taken: string[] = [];
  const open: OpenStage[] = [];
  const unverified: string[] = [];
  const known: KnownHashes = new Map();
  let partial: PageImported['partial'];
  const handedOver: Record<string, StageFiles['records']> = {};
  for (const [at, phase] of stage.phases.entries()) {
    const rows = page.completed.filter((row) => row.stage === phase.name);
    const isCurrent = page.currentStage === phase.name;
    if (rows.length === 0 && !isCurrent) continue;
    const why = missingRow(workspace, found, phase) ?? (rows.length === 0 ? unproven(phase) : undefined);
    const files = await lookAtFiles(workspace, found, phase);
    known.set(phase.name, recordedHashes(workspace, found, phase));
    const reason = why ?? files.why;
    if (reason === undefined) {
      taken.push(phase.name);
      const inputs = inputsOf(found, phase, at, known);
      const events = adoptions(workspace, found, phase, files.records, inputs, isPassed(found, at));
      for (const event of events) {
        known.get(phase.name)?.set(event.output, event.after.hash);
        const recorded = recordedHash(workspace, found, phase.name, event.after.path);
        if (recorded?.kind !== 'full') unverified.push(event.after.path);
      }
      adopted.push(...events);
      continue;
    }
    const handed = isContinued(phase, isCurrent) ? files.records : {};
    if (Object.keys(handed).length > 0) {
      if (isCurrent) partial = { phase: phase.name, outputs: handed };
      else handedOver[phase.name] = handed;
    }
    const paths = Object.values(handed).map(({ path }) => path);
    open.push({ phase: phase.name, line: rows[0]?.line, why: reason, handed: paths });
  }
  return { adopted, taken, open, unverified, partial, handed: handedOver };
}

/** What the page lists for a stage has to be there, whether or not the manifest declares it. */
function missingRow(workspace: Workspace, found: FoundPage, { name }: Phase): OpenStageReason | undefined {
  for (const { stage, artifact } of found.page.completed) {
    if (stage !== name || artifact === undefined) continue;
    if (listedHash(workspace, found, artifact.path) === undefined)
      return { code: 'file-missing', path: artifact.path };
  }
  return undefined;
}

/** A file that merely exists does not prove that its stage is done; one that passes its check does. */
function unproven({ outputs }: Phase): OpenStageReason | undefined {
  // A page may come from anyone, so checks that run a program of the manifest are not run for it.
  const isProvable =
    outputs.length > 0 && outputs.every(({ check }) => check !== undefined && !runsUserCode(check));
  return isProvable ? undefined : { code: 'under-way' };
}

/** Only the current stage was interrupted. */
function isContinued({ again, onInterrupt }: Phase, isCurrent: boolean): boolean {
  return again === 'continue' || (isCurrent && onInterrupt === 'continue');
}

interface StageFiles {
  readonly records: Readonly<Record<string, OutputRecord>>;
  /** Why they are not all of it, or not good; undefined: they are. */
  readonly why: OpenStageReason | undefined;
}

async function lookAtFiles(workspace: Workspace, found: FoundPage, phase: Phase): Promise<StageFiles> {
  const { env, root } = workspace;
  const records: Record<string, OutputRecord> = {};
  let why: OpenStageReason | undefined;
  for (const output of phase.outputs) {
    const path = expandPattern(output.path, found.unit, 1);
    const record = recordFile(env.disk, workspace.files, root, path);
    if (record === undefined) {
      if (!output.optional) why ??= { code: 'file-missing', path };
      continue;
    }
    records[output.name] = record;
    why ??= await failedCheck(workspace, found, output, path);
  }
  return { records, why };
}

/** Nothing of the user's is run for it: a file that only a program could judge is taken as it is. */
async function failedCheck(
  { env, root }: Workspace,
  { unit }: FoundPage,
  { check }: OutputSpec,
  path: string,
): Promise<OpenStageReason | undefined> {
  if (check === undefined || runsUserCode(check)) return undefined;
  const file = `${root}/${path}`;
  const checked = await runCheck(check, undefined, { disk: env.disk, file, cwd: root, env: {}, unit });
  if (checked.passed || checked.unable === true) return undefined;
  return { code: 'check-failed', path, check: check.kind, detail: checked.detail };
}

function recordedHashes(workspace: Workspace, found: FoundPage, phase: Phase): Map<string, Hash> {
  const hashes = new Map<string, Hash>();
  for (const { name, path } of phase.outputs) {
    const recorded = recordedHash(workspace, found, phase.name, expandPattern(path, found.unit, 1));
    if (recorded?.kind === 'full') hashes.set(name, recorded.hash);
  }
  return hashes;
}

/**
 * What a stage was made from, as far as the page records it. Undefined where a page cannot say it: the result then
 * stands by itself, like a file that a person has adopted.
 */
function inputsOf(
  { stage }: FoundPage,
  phase: Phase,
  at: number,
  known: KnownHashes,
): ArtifactAdopted['inputs'] {
  if (phase.state !== 'none' || phase.inputs.some(({ kind }) => kind === 'elsewhere')) return undefined;
  const earlier = new Set(stage.phases.slice(0, at).map(({ name }) => name));
  const inputs: Record<string, string> = {};
  for (const input of phase.inputs) {
    if (input.kind !== 'artifact') continue;
    for (const from of input.from) {
      const hash = earlier.has(from.phase) ? known.get(from.phase)?.get(from.output) : undefined;
      if (hash === undefined) continue;
      inputs[input.name] = `${from.phase}#1 ${hash}`;
      break;
    }
  }
  return inputs;
}

/** The work has gone on behind the gate, so it was let through. */
function isPassed({ stage, page }: FoundPage, at: number): boolean {
  const current = stage.phases.findIndex(({ name }) => name === page.currentStage);
  if (current >= 0 && current <= at) return false;
  const later = stage.phases.slice(at + 1);
  return later.some(({ name }) => page.completed.some((row) => row.stage === name));
}

function adoptions(
  workspace: Workspace,
  found: FoundPage,
  phase: Phase,
  records: StageFiles['records'],
  inputs: ArtifactAdopted['inputs'],
  isLetThrough: boolean,
): ArtifactAdopted[] {
  const { env, root, loaded } = workspace;
  return Object.entries(records).map(([output, record]) => ({
    type: 'artifact_adopted',
    unit: found.unit.id,
    phase: phase.name,
    output,
    after: asRecorded(record, recordedHash(workspace, found, phase.name, record.path)),
    attempt: 1,
    ...unitParts(loaded, found.unit.id, phase.name),
    ...(inputs !== undefined && { inputs }),
    ...importReport(phase, output, env.disk.read(`${root}/${record.path}`), isLetThrough),
    reason: `taken over from ${found.path}`,
  }));
}

/** What the page says it was: where the file is another one now, it is found to be edited, and that is asked about. */
function asRecorded(record: OutputRecord, recorded: ReturnType<typeof recordedHash>): OutputRecord {
  if (recorded?.kind !== 'full' || recorded.hash === record.hash) return record;
  return { ...record, hash: recorded.hash, size: 0 };
}
