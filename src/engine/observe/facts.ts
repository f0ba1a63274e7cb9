import { formatTime, parseTime } from '../../base/clock.ts';
import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { readReport } from '../../checks/verdict.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { findStep, isStatTrusted, type Ledger, promotedResult, type Step } from '../../ledger/ledger.ts';
import type { Phase, StateSpec } from '../../model/definition.ts';
import type { OutputRecord } from '../../model/event.ts';
import type { MissingObject } from '../../model/failure-details.ts';
import { type StepName, stepName } from '../../model/names.ts';
import { runFile } from '../../model/run-folder.ts';
import { isCurrentManifest } from '../../pipeline/loaded.ts';
import { withoutPolicies } from '../../pipeline/without-policies.ts';
import type { Facts, OutputOnDisk, StateFact, UnknownFile } from '../../planner/facts.ts';
import { attemptFolder } from '../../runner/context.ts';
import { readAnswer } from '../../runner/models/answer-files.ts';
import { runnableOf } from '../../runner/staging.ts';
import { type OutputFact as Proof, proveOutput } from '../../runner/verify-output.ts';
import type { ContentStore } from '../../store/content.ts';
import type { PlanRequest } from '../open/requests.ts';
import { unitsBefore } from '../open/unit-values.ts';
import type { Workspace } from '../open/workspace.ts';
import { changedChecks } from './changed-checks.ts';
import { Origins } from './origins.ts';
import { filesOfOpenStages, type StrayFile, strayFiles } from './stray-files.ts';
import { type FoundFile, filesOverEarlier, unknownFiles } from './unknown-files.ts';

export interface FactOptions {
  /** Hash every output instead of trusting an unchanged stat. */
  readonly deep: boolean;
  /** A missing output is to be put back from the content store. */
  readonly restore: boolean;
  /**
   * When a runner wrote to the journal last: all its outputs were in place before. What was changed since is hashed. Left
   * out at the end of an invocation, for what it has just put in place itself.
   */
  readonly changedAfter?: string;
  /** Only what plans of these units depend on; absent: of all. */
  readonly units?: ReadonlySet<string>;
}

/** What a request asks of the facts. */
export function factOptions(request: Pick<PlanRequest, 'deep' | 'restore'>): FactOptions {
  return { deep: request.deep ?? false, restore: request.restore ?? false };
}

export type GatheredFacts = Facts & {
  readonly outputs: Map<string, OutputOnDisk>;
  readonly lost: Set<Hash>;
  /** Outputs that were to be put back, and whose bytes the content store no longer has. */
  readonly unrestorable?: readonly MissingObject[];
};

/** Looks at everything on disk that the plan of a run depends on. Changes nothing. */
export async function gatherFacts(
  workspace: Workspace,
  folder: string,
  ledger: Ledger,
  store: ContentStore,
  options: FactOptions,
): Promise<GatheredFacts> {
  const outputs = new Map<string, OutputOnDisk>();
  const unrestorable: MissingObject[] = [];
  const answered = new Set<StepName>();
  const staged = new Set(workspace.env.disk.list(`${workspace.root}/${runFile(folder, 'staging')}`) ?? []);
  const whose = copyIndex(ledger);
  const origins = new Origins(workspace, folder, ledger);
  const prefix = `${workspace.root}/`;
  const changedAfter = parseTime(options.changedAfter ?? '');
  const { units } = options;
  const isLookedAt = units === undefined ? () => true : recordedFor(ledger, units);
  for (const stage of workspace.loaded.pipeline.stages) {
    for (const unit of stage.units) {
      for (const phase of stage.phases) {
        const step = findStep(ledger, unit.id, phase.name);
        const result = step && promotedResult(step);
        const isCut = step?.running?.call !== undefined || step?.unended !== undefined;
        if (step !== undefined && isCut && hasAnswer(workspace, folder, step))
          answered.add(stepName(unit.id, phase.name));
        if (step === undefined || result === undefined) continue;
        const trusted = isStatTrusted(ledger, result, workspace.env.host.self.boot);
        for (const name in result.outputs) {
          const record = result.outputs[name] as OutputRecord;
          if (!isLookedAt(unit.id, record.path)) continue;
          const how = { deep: options.deep || !trusted, changedAfter, files: workspace.files };
          const proof = proveOutput(workspace.env.disk, prefix + record.path, record, how);
          // Two cells may claim one path after paths were changed: bytes that one of them misses prove neither.
          if (proof.kind === 'intact') continue;
          const unfinished = staged.has(`${step.unit}~${step.phase}~${result.attempt}~${name}`);
          const about = {
            workspace,
            origins,
            store,
            step,
            phase,
            name,
            record,
            recordedAt: result.placedAt ?? result.at,
            trusted,
            unfinished,
            whose,
            restore: options.restore,
          };
          outputs.set(record.path, await interpret(about, proof));
          if (options.restore && proof.kind === 'missing')
            unrestorable.push(...whyUnrestorable(store, record));
        }
      }
    }
  }
  const { state } = workspace.loaded.pipeline;
  return {
    now: formatTime(workspace.env.clock.now()),
    boot: workspace.env.host.self.boot,
    outputs,
    answered,
    lost: new Set(),
    unrestorable,
    ...(await otherFiles(workspace, folder, ledger, origins, units)),
    state: state && stateFact(workspace, state, ledger, origins),
    ...(await whatChanged(workspace, ledger, store, outputs, units)),
  };
}

/** Files that no step of this run is known to have made. Those that belong to no unit are about the whole run. */
async function otherFiles(
  workspace: Workspace,
  folder: string,
  ledger: Ledger,
  origins: Origins,
  units: ReadonlySet<string> | undefined,
): Promise<Pick<Facts, 'unknown' | 'inTheWay' | 'strays' | 'unlisted'>> {
  const ofUnits = {
    unknown: withOrigins(origins, unknownFiles(workspace, ledger, units)),
    inTheWay: await filesOverEarlier(workspace, ledger, units),
  };
  if (units !== undefined) return ofUnits;
  return {
    ...ofUnits,
    // An edited output is reported as edited, although its unit is no longer listed.
    strays: unrecorded(origins, strayFiles(workspace, folder)).map(({ path }) => path),
    unlisted: unrecorded(origins, filesOfOpenStages(workspace, folder)).map(({ path }) => path),
  };
}

/** Outputs of these units, and whatever else was recorded at their paths: after a change of paths two steps may claim one. */
function recordedFor(ledger: Ledger, units: ReadonlySet<string>): (unit: string, path: string) => boolean {
  const paths = new Set<string>();
  for (const unit of units)
    for (const step of ledger.steps.byUnit.get(unit) ?? [])
      for (const { path } of Object.values(promotedResult(step)?.outputs ?? {})) paths.add(path);
  return (unit, path) => units.has(unit) || paths.has(path);
}

/** What a plan promises to put back is read now: a run must not find out when it is too late to ask. */
function whyUnrestorable(store: ContentStore, { path, hash }: OutputRecord): MissingObject[] {
  const object = store.get(hash);
  const damaged = object === 'damaged';
  if (object !== undefined && !damaged) return [];
  return [{ reason: 'object-missing', path, hash, damaged, restoring: true }];
}

/** Those that neither this run nor another one put there. */
export function unrecorded(origins: Origins, files: readonly StrayFile[]): StrayFile[] {
  return files.filter((file) => !origins.isRecorded(file.path) && origins.of(file).kind === 'unknown');
}

function withOrigins(origins: Origins, files: readonly FoundFile[]): UnknownFile[] {
  return files.map((file) => ({ ...file, origin: origins.of(file) }));
}

/** An attempt that never ended has left the whole answer to what it had asked. */
function hasAnswer(
  { env, root }: Workspace,
  folder: string,
  { unit, phase, running, unended = [] }: Step,
): boolean {
  const cut =
    running?.call === undefined ? unended : [{ attempt: running.attempt, call: running.call }, ...unended];
  const [newest] = cut;
  return cut.some(({ attempt }) => {
    const answer = readAnswer(env.disk, `${root}/${attemptFolder({ folder }, unit, phase, attempt)}`);
    return answer !== undefined && answer.key === newest?.call.key;
  });
}

interface Suspect {
  readonly workspace: Workspace;
  readonly origins: Origins;
  readonly store: ContentStore;
  readonly step: Step;
  readonly phase: Phase;
  readonly name: string;
  readonly record: OutputRecord;
  readonly recordedAt: string;
  /** No power cut can lie between the record and now. */
  readonly trusted: boolean;
  /** The promotion was not finished: its staged file is still there. */
  readonly unfinished: boolean;
  readonly whose: () => ReadonlyMap<Hash, string>;
  readonly restore: boolean;
}

/** What a file that is not as recorded means: ours to put back, somebody's edit, or damage. */
async function interpret(suspect: Suspect, proof: Exclude<Proof, { kind: 'intact' }>): Promise<OutputOnDisk> {
  const { record, store, trusted, unfinished } = suspect;
  const ours = unfinished || !trusted;
  switch (proof.kind) {
    case 'missing':
      return (ours || suspect.restore) && store.has(record.hash)
        ? { kind: 'unpromoted' }
        : { kind: 'missing' };
    case 'torn':
      // The size and the time are as recorded. Where no power cut can have come, the bytes were changed all the same.
      if (!ours) return await judgeOtherBytes(suspect, proof.hash, record.size);
      return store.has(record.hash)
        ? { kind: 'unpromoted' }
        : { kind: 'damaged', damage: { kind: 'not-a-file' } };
    case 'not-a-file':
      return { kind: 'damaged', damage: { kind: 'not-a-file' } };
    case 'other':
      if (ours && isFormer(suspect, proof.hash) && store.has(record.hash)) return { kind: 'unpromoted' };
      return await judgeOtherBytes(suspect, proof.hash, proof.size);
  }
}

/**
 * An earlier output of ours, whole or torn: after a power cut its name may lead to it again. What somebody edited
 * since is newer than the record.
 */
function isFormer({ workspace, step, record, recordedAt }: Suspect, hash: Hash): boolean {
  if (step.former.includes(hash)) return true;
  const stat = workspace.env.disk.stat(`${workspace.root}/${record.path}`);
  if (stat === undefined) return false;
  // A file is written before its record. What the index knows may be of an earlier version, because it is not synced.
  const recordedAtMs = parseTime(recordedAt) ?? 0;
  const placedAtMs = workspace.files.changedAtMs(record.path) ?? 0;
  return Math.floor(stat.mtimeMs) <= recordedAtMs || stat.mtimeMs <= placedAtMs;
}

async function judgeOtherBytes(
  { workspace, origins, store, step, phase, name, record, whose }: Suspect,
  hash: Hash,
  size: number,
): Promise<OutputOnDisk> {
  const { disk } = workspace.env;
  const path = `${workspace.root}/${record.path}`;
  const stat = disk.stat(path);
  const now = { path: record.path, hash, size, ...runnableOf(stat) };
  const writtenBy = origins.otherRun(record.path, hash);
  // Another run checked them when it wrote them, and what this manifest says of edits by hand is not about them.
  if (writtenBy !== undefined) return { kind: 'edited', now, writtenBy };
  // Its own bytes of earlier were put back by a person, also where another step has made the same.
  const wasItsOwn = step.former.includes(hash) || step.adopted.includes(hash);
  // A phase under another name, or with another path, wrote there meanwhile: the change was undone since.
  const file = { unit: step.unit, phase: step.phase, path: record.path };
  const otherStep = wasItsOwn ? undefined : origins.otherStep(file, hash);
  if (otherStep === 'made' && store.has(record.hash)) return { kind: 'unpromoted' };
  // What a person wrote and Pawl adopted there stays the work of that person.
  const owner = wasItsOwn || otherStep === 'adopted' ? undefined : whose().get(hash);
  if (owner !== undefined && owner !== stepName(step.unit, step.phase))
    return { kind: 'damaged', damage: { kind: 'copy-of', cell: owner } };
  const { check, onEdit } = phase.outputs.find((output) => output.name === name) ?? {};
  // Where a person is asked about every edit, one that would not pass is asked about as well.
  if (check !== undefined && onEdit !== 'ask') {
    // Nearly every look finds nothing to check.
    const { runCheck, runsUserCode } = await import('../../checks/run-check.ts');
    // Looking never runs anything of the user's: a command or function that checks is asked when the file is adopted.
    const checked = runsUserCode(check)
      ? undefined
      : await runCheck(check, undefined, { disk, file: path, cwd: workspace.root, env: {} });
    if (checked?.passed === false && !checked.unable)
      return { kind: 'damaged', damage: { kind: 'check-failed', check: check.kind, detail: checked.detail } };
  }
  const report =
    phase.gate?.output === name ? readReport(phase.gate, disk.read(path) ?? new Uint8Array()) : undefined;
  if (report?.ok === false) {
    const { detail } = report.failure;
    return { kind: 'damaged', damage: { kind: 'check-failed', check: 'verdict', detail } };
  }
  return { kind: 'edited', now, ...report?.value };
}

/** Which cell made which bytes; built only when something looks odd. */
function copyIndex(ledger: Ledger): () => ReadonlyMap<Hash, string> {
  let index: Map<Hash, string> | undefined;
  return () => {
    if (index !== undefined) return index;
    index = new Map();
    for (const step of ledger.steps.values()) {
      for (const output of Object.values(promotedResult(step)?.outputs ?? {}))
        index.set(output.hash, stepName(step.unit, step.phase));
    }
    return index;
  };
}

function stateFact({ env, root }: Workspace, spec: StateSpec, ledger: Ledger, origins: Origins): StateFact {
  const path = `${root}/${spec.path}`;
  const stat = env.disk.stat(path);
  const shown = stat?.kind === 'file' ? hashFile(env.disk, path) : undefined;
  const initial = hashFile(env.disk, `${root}/${spec.initial}`)?.hash;
  const isOwn = shown === undefined || shown.hash === initial || isCommitted(ledger, shown.hash);
  const writtenBy = isOwn ? undefined : origins.otherRunWithState(shown.hash);
  return {
    initial,
    ...(writtenBy !== undefined && { writtenBy }),
    shown: shown && { path: spec.path, ...shown },
  };
}

function isCommitted(ledger: Ledger, hash: Hash): boolean {
  if (ledger.run === undefined || ledger.shownState === hash) return true;
  for (const { placed, former } of ledger.steps.values())
    if (placed?.state !== undefined && (placed.state.hash === hash || former.includes(hash))) return true;
  return false;
}

/** What the manifest, the fields of units and the checks were before. */
async function whatChanged(
  workspace: Workspace,
  ledger: Ledger,
  store: ContentStore,
  outputs: Facts['outputs'],
  units: ReadonlySet<string> | undefined,
): Promise<
  Pick<
    Facts,
    'unitsBefore' | 'checksOnly' | 'policiesOnly' | 'rechecked' | 'manifestBefore' | 'manifestBeforeHash'
  >
> {
  return {
    unitsBefore: unitsBefore(workspace.loaded, ledger, store, units),
    ...(await changedChecks(workspace, ledger, store, outputs, units)),
    ...manifestBefore(workspace, ledger, store),
  };
}

function manifestBefore(
  { loaded }: Workspace,
  ledger: Ledger,
  store: ContentStore,
): Pick<Facts, 'manifestBefore' | 'manifestBeforeHash'> {
  const manifestBeforeHash = ledger.revisions.get(ledger.revision)?.manifest;
  return { manifestBeforeHash, manifestBefore: readManifest(loaded, manifestBeforeHash, store) };
}

function readManifest(
  loaded: Workspace['loaded'],
  hash: Hash | undefined,
  store: ContentStore,
): JsonObject | undefined {
  // Opening the store is dear, and a manifest that has not changed is at hand.
  if (hash !== undefined && isCurrentManifest(loaded, hash)) return loaded.pipeline.manifest;
  const bytes = hash === undefined ? undefined : store.get(hash);
  if (bytes === undefined || bytes === 'damaged') return undefined;
  return withoutPolicies(JSON.parse(new TextDecoder().decode(bytes)) as JsonObject);
}
