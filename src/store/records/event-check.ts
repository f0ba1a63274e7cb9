import { isJsonObject } from '../../base/json.ts';
import type { Durability } from '../../model/definition.ts';
import type {
  BriefEdited,
  CallIntent,
  CallRecord,
  CheckpointDecided,
  CompactionSeen,
  CompletionRefused,
  Cost,
  EventBody,
  EventType,
  ForeignWorkReported,
  ImportedCluster,
  ImportedNote,
  ImportedTick,
  Judgement,
  MadeWith,
  PageImported,
  PauseReason,
  PhaseStatics,
  RecordedPace,
  ResultsSuperseded,
  RunEnded,
  SessionSeen,
} from '../../model/event.ts';
import {
  type Checks,
  type Field,
  fieldsOf,
  haveKinds,
  isAnything,
  isFlag,
  isHash,
  isListOf,
  isMapOf,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isText,
  isTrue,
} from './field-check.ts';
import { agent, asked, decided, isAuthoredFile, isChannel, isPattern } from './part-check.ts';
import {
  isFileRecord,
  isFileVersion,
  isOutputRecord,
  isPreState,
  isReportedUnit,
  isRestoredStep,
} from './result-check.ts';

/** How far an event can be used: `malformed` means a known type with a field that is not what it has to be. */
export type EventShape = 'known' | 'unknown-type' | 'malformed';

/**
 * Looks as far as the fold relies on: a field of the wrong kind is caught here, and not where it would crash. By
 * hand, for it is done for every event that is read or written.
 */
export function classifyEvent(value: object): EventShape {
  const event = value as Readonly<Record<string, unknown>>;
  if (typeof event.type !== 'string') return 'malformed';
  const fields = fieldsByType.get(event.type);
  if (fields === undefined) return 'unknown-type';
  return haveKinds(fields, event) ? 'known' : 'malformed';
}

const isPhaseStatics = isRecord<PhaseStatics>({
  definition: isHash,
  rungs: isOptional(isListOf(isHash)),
  templates: isMapOf(isFileVersion),
  files: isMapOf(isFileVersion),
  code: isOptional(isMapOf((value) => value === null || isHash(value))),
});

const isJudgement = isRecord<Judgement>({
  passed: isFlag,
  score: isOptional(isNumber),
  scores: isOptional(isMapOf(isNumber)),
  defects: isOptional(isListOf(isText)),
});

export const isCost = isRecord<Cost>({
  usd: isOptional(isNumber),
  inputTokens: isOptional(isNumber),
  outputTokens: isOptional(isNumber),
  cacheReadTokens: isOptional(isNumber),
  cacheWriteTokens: isOptional(isNumber),
});

const isCallIntent = isRecord<CallIntent>({
  model: isText,
  key: isHash,
  atStake: isOptional(isNumber),
});

export const isCallRecord = isRecord<CallRecord>({
  model: isText,
  answered: isOptional(isText),
  request: isOptional(isText),
  finish: isOptional(isText),
  ms: isNumber,
  firstMs: isOptional(isNumber),
  warnings: isOptional(isListOf(isText)),
  reused: isOptional(isText),
  saved: isOptional(isCost),
  adopted: isOptional(isNumber),
});

const again = { repaired: isOptional(isFlag) };
const ofStep = { unit: isText, phase: isText, attempt: isNumber, round: isOptional(isNumber), ...again };

const madeWith = { inputs: isOptional(isMapOf(isText)), preState: isOptional(isPreState) };
const stepParts = { unitData: isOptional(isHash), unitFile: isOptional(isFileVersion), ...madeWith };

/** Over the closed union: a new type does not compile until it is here. */
const checksByType: { readonly [T in EventType]: Checks<Extract<EventBody, { type: T }>> } = {
  run_created: {
    run: isText,
    pipeline: isText,
    identity: isMapOf(isText),
    durability: isOneOf<Durability>({ power: true, process: true }),
    manifest: isText,
    folder: isOptional(isText),
    gitHead: isOptional(isText),
    replaces: isOptional(isListOf(isText)),
    pawl: isOptional(isText),
    pace: isOptional(isMapOf(isNumber)),
    boot: isText,
    ...again,
  },
  revision_recorded: { revision: isNumber, manifest: isHash, phases: isMapOf(isPhaseStatics) },
  run_resumed: {
    boot: isText,
    from: isOptional(isText),
    pace: isOptional(
      isRecord<{ before?: RecordedPace; after: RecordedPace }>({
        before: isOptional(isMapOf(isNumber)),
        after: isMapOf(isNumber),
      }),
    ),
    gitHead: isOptional(isText),
    takeover: isOptional(isFlag),
    ...decided,
  },
  run_ended: {
    status: isOneOf<RunEnded['status']>({
      completed: true,
      stopped: true,
      waiting_human: true,
      paused: true,
      failed: true,
      cancelled: true,
    }),
    state: isOptional(isHash),
    reason: isOptional(isText),
    ...decided,
  },
  attempt_started: {
    ...ofStep,
    revision: isNumber,
    ...stepParts,
    prompt: isOptional(isHash),
    feedback: isOptional(isHash),
    lease: isOptional(isText),
    call: isOptional(isCallIntent),
    why: () => true,
  },
  process_started: { ...ofStep, pid: isNumber, started: isText, boot: isText, host: isText },
  attempt_succeeded: {
    ...ofStep,
    outputs: isMapOf(isOutputRecord),
    files: isOptional(isMapOf(isFileRecord)),
    note: isOptional(isText),
    ms: isNumber,
    verdict: isOptional(isText),
    judged: isOptional(isJudgement),
    response: isOptional(isHash),
    call: isOptional(isCallRecord),
    cost: isOptional(isCost),
    reused: isOptional(isText),
    saved: isOptional(isCost),
  },
  attempt_failed: {
    ...ofStep,
    reason: isText,
    message: isText,
    ms: isNumber,
    facts: isOptional(isJsonObject),
    call: isOptional(isCallRecord),
    cost: isOptional(isCost),
  },
  attempt_paused: {
    ...ofStep,
    reason: isOneOf<PauseReason>({
      'rate-limited': true,
      quota: true,
      overloaded: true,
      requested: true,
    }),
    message: isText,
    until: isText,
    ms: isNumber,
    call: isOptional(isCallRecord),
    cost: isOptional(isCost),
  },
  attempt_interrupted: { ...ofStep, ms: isNumber, cost: isOptional(isCost), unsent: isOptional(isTrue) },
  outputs_restored: { ...ofStep, outputs: isMapOf(isOutputRecord) },
  checkpoint_asked: { ...asked, name: isText, expires: isOptional(isText) },
  checkpoint_decided: {
    ...asked,
    decision: isOneOf<CheckpointDecided['decision']>({ approved: true, rejected: true }),
    redo: isOptional(isText),
    restart: isOptional(isText),
    by: isText,
    host: isText,
    channel: isChannel,
    agent,
    note: isOptional(isText),
  },
  revision_requested: { ...ofStep, to: isText, reason: isText, ms: isNumber, cost: isOptional(isCost) },
  results_superseded: {
    steps: isListOf(isText),
    because: isOneOf<ResultsSuperseded['because']>({
      'rerun-requested': true,
      'prompt-changed': true,
      'definition-changed': true,
      'unit-changed': true,
      'file-changed': true,
      'code-changed': true,
      'state-changed': true,
    }),
    round: isOptional(isNumber),
    reason: isOptional(isText),
    change: isOptional(isText),
    ...decided,
  },
  results_kept: {
    steps: isListOf(isText),
    revision: isNumber,
    guard: isText,
    reason: isText,
    ...stepParts,
    unitData: (value) => value === null || isOptional(isHash)(value),
    unitFile: (value) => value === null || isOptional(isFileVersion)(value),
    onlyAttempt: isOptional(isNumber),
    rechecked: isOptional(isFlag),
    ...decided,
  },
  results_restored: {
    steps: isListOf(isRestoredStep),
    undoes: isOptional(isListOf(isText)),
    more: isOptional(isTrue),
    reason: isOptional(isText),
    ...decided,
  },
  artifact_adopted: {
    unit: isText,
    phase: isText,
    output: isText,
    before: isOptional(isHash),
    after: isOutputRecord,
    attempt: isOptional(isNumber),
    unitData: isOptional(isHash),
    unitFile: isOptional(isFileVersion),
    inputs: isOptional(isMapOf(isText)),
    madeWith: isOptional(isRecord<MadeWith>(madeWith)),
    verdict: isOptional(isText),
    judged: isOptional(isJudgement),
    ...decided,
    reason: isText,
  },
  page_imported: {
    unit: isText,
    path: isText,
    status: isText,
    run: isOptional(isText),
    partial: isOptional(
      isRecord<NonNullable<PageImported['partial']>>({ phase: isText, outputs: isMapOf(isOutputRecord) }),
    ),
    handed: isOptional(isMapOf(isMapOf(isOutputRecord))),
    rounds: isOptional(isMapOf(isNumber)),
    failures: isOptional(isMapOf(isNumber)),
    clusters: isOptional(isListOf(isRecord<ImportedCluster>({ defect: isText, count: isNumber }))),
    ticks: isOptional(
      isListOf(isRecord<ImportedTick>({ name: isText, by: isOptional(isText), at: isOptional(isText) })),
    ),
    notes: isOptional(isListOf(isRecord<ImportedNote>({ at: isOptional(isText), text: isText }))),
  },
  override_used: { guard: isText, flag: isText, reason: isOptional(isText), facts: isJsonObject, ...decided },
  outputs_verified: { upTo: isNumber },
  stop_requested: {},
  damage_accepted: { findings: isListOf(isText), reason: isText, ...decided },
  lease_renewed: { ...ofStep, until: isText },
  completion_refused: {
    ...ofStep,
    reason: isOneOf<CompletionRefused['reason']>({ 'claimed-by-another': true, 'not-claimed': true }),
    aside: isOptional(isText),
  },
  task_blocked: { unit: isText, reason: isText },
  task_unblocked: { unit: isText, note: isOptional(isText) },
  decision_recorded: {
    id: isText,
    decision: isText,
    because: isOptional(isText),
    affects: isOptional(isListOf(isText)),
    gate: isOptional(isText),
    round: isOptional(isNumber),
    ...decided,
  },
  decision_applied: { id: isText, ...decided },
  summary_recorded: { agent: isText, summary: isText },
  compaction_seen: {
    id: isText,
    seenAt: isText,
    trigger: isOneOf<CompactionSeen['trigger']>({ auto: true, manual: true }),
    fill: isOptional(isNumber),
    phase: isOptional(isNumber),
    gate: isOptional(isText),
    round: isOptional(isNumber),
    file: isText,
    session: isOptional(isText),
  },
  brief_delivered: { session: isText, upTo: isOptional(isText) },
  context_crossed: { session: isText, fill: isNumber, tier: isText },
  session_seen: {
    agent: isText,
    session: isText,
    what: isOneOf<SessionSeen['what']>({ started: true, stopped: true, ended: true }),
    seenAt: isText,
    how: isOptional(isText),
  },
  brief_edited: {
    edits: isListOf(isRecord<BriefEdited['edits'][number]>({ path: isText, found: isAnything })),
  },
  brief_authored: {
    nextStep: isOptional(isText),
    files: isOptional(isListOf(isAuthoredFile)),
    patterns: isOptional(isListOf(isPattern)),
  },
  brief_imported: { path: isText, hash: isHash, backup: isText, history: isJsonObject },
  foreign_work_reported: {
    unit: isText,
    means: isOneOf<ForeignWorkReported['means']>({
      claimed: true,
      started: true,
      succeeded: true,
      skipped: true,
      failed: true,
      'sent-back': true,
      blocked: true,
      unblocked: true,
    }),
    phase: isOptional(isText),
    note: isOptional(isText),
  },
  foreign_reports_bound: {
    units: isListOf(isReportedUnit),
  },
  foreign_run_reported: { stage: isOptional(isText), completed: isOptional(isFlag) },
};

/** Every type of event that this program knows. */
export const eventTypes = Object.keys(checksByType) as readonly EventType[];

/** A map, for the type comes from outside: `constructor` is no event. */
const fieldsByType: ReadonlyMap<string, readonly Field[]> = new Map(
  eventTypes.map((type) => [type, fieldsOf(checksByType[type])]),
);
