import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { AuthoredFile, BriefAuthored, BriefEdited, RecurringPattern } from '../../model/event.ts';
import type { Brief } from './document.ts';
import { historyNames } from './history.ts';
import { readTime } from './read-time.ts';

/** Edits that people and agents made in the document since Pawl last wrote it. */
export interface DocumentEdits {
  /** Theirs to say. */
  readonly authored: Omit<BriefAuthored, 'type'> | undefined;
  readonly decisions: readonly NewDecision[];
  readonly applied: readonly string[];
  readonly summaries: readonly { readonly agent: string; readonly summary: string }[];
  /** Not theirs: kept on record, and not believed. */
  readonly edits: BriefEdited['edits'];
  /** Of a document that was kept before the run: what only its keeper can know. Undefined for any other. */
  readonly history?: JsonObject | undefined;
}

export interface NewDecision {
  /** Its own number, where it has one that could be kept. */
  readonly id: string | undefined;
  readonly decision: string;
  readonly because: string | undefined;
  readonly affects: readonly string[];
  readonly gate: string | undefined;
  readonly iteration: number | undefined;
  readonly applied: boolean;
}

/**
 * Compares the document on disk with what Pawl last wrote. A field with its old value is no edit, and keys that are not
 * ours are ignored.
 */
export function findEdits(found: JsonObject, written: Brief): DocumentEdits {
  const decisions = newDecisions(found.decision_log, written);
  const summaries = newSummaries(found.agent_summaries, written);
  return {
    authored: authoredIn(found, written),
    decisions: decisions.added,
    applied: decisions.applied,
    summaries: summaries.added,
    edits: [
      ...edits('recovery_state', found.recovery_state, written.recovery_state, new Set(['next_step'])),
      ...edits('quality_trajectory', found.quality_trajectory, written.quality_trajectory),
      ...edits(
        'defect_summary',
        found.defect_summary,
        written.defect_summary,
        new Set(['recurring_patterns']),
      ),
      ...edits('compaction_events', found.compaction_events, written.compaction_events),
      ...decisions.edits,
      ...summaries.edits,
    ].slice(0, editsMax),
  };
}

/**
 * What a document says that was kept before the run, by people or by another tool. There is no copy of it that could be
 * newer, so its time does not matter: all that people wrote is theirs to say, and the rest is history.
 */
export function findFirstEdits(found: JsonObject, written: Brief): DocumentEdits {
  const nothingSaid = { ...written, decision_log: [], agent_summaries: {} };
  return {
    authored: authoredIn(found, written, { isFirst: true }),
    decisions: newDecisions(found.decision_log, nothingSaid).added,
    applied: [],
    summaries: newSummaries(found.agent_summaries, nothingSaid).added,
    edits: [],
    history: Object.fromEntries(
      historyNames.flatMap((name) => {
        const part = found[name];
        return part === undefined || part === null ? [] : [[name, part]];
      }),
    ),
  };
}

export function isEmpty({
  authored,
  decisions,
  applied,
  summaries,
  edits: changed,
  history = {},
}: DocumentEdits): boolean {
  const count = decisions.length + applied.length + summaries.length + changed.length;
  return authored === undefined && count + Object.keys(history).length === 0;
}

const editsMax = 50;
const textLengthMax = 4_000;
const listMax = 200;

type Edit = BriefEdited['edits'][number];

/** A removed section or field is no edit: it is put back without a record. */
function edits(
  path: string,
  found: JsonValue | undefined,
  written: object,
  theirs: ReadonlySet<string> = new Set(),
): Edit[] {
  if (found === undefined || found === null) return [];
  if (!isJsonObject(found)) return [{ path, found }];
  const before = written as Readonly<Record<string, JsonValue>>;
  return Object.keys(before).flatMap((key) => {
    const value = found[key];
    if (theirs.has(key) || value === undefined || isSame(value, before[key])) return [];
    return [{ path: `${path}.${key}`, found: value }];
  });
}

/** An older copy of the document that was put back holds no new edits, not even its next step. */
function isOlder(found: JsonObject, written: Brief): boolean {
  const at = readTime(fieldOf(found.recovery_state, 'updated_at'));
  return at !== undefined && at < (readTime(written.recovery_state.updated_at) ?? 0);
}

function authoredIn(
  found: JsonObject,
  written: Brief,
  { isFirst = false }: { readonly isFirst?: boolean } = {},
): DocumentEdits['authored'] {
  if (!isFirst && isOlder(found, written)) return undefined;
  const step = fieldOf(found.recovery_state, 'next_step');
  const isStep = typeof step === 'string' && step.trim() !== '' && step !== written.recovery_state.next_step;
  const files = isSame(found.files_to_read, written.files_to_read as unknown as JsonValue)
    ? undefined
    : filesIn(found.files_to_read)?.filter((file) => !isDerived(file, written));
  const patterns = fieldOf(found.defect_summary, 'recurring_patterns');
  const isOther = !isSame(patterns, written.defect_summary.recurring_patterns as unknown as JsonValue);
  const list = isOther ? patternsIn(patterns) : undefined;
  if (!isStep && files === undefined && list === undefined) return undefined;
  return {
    ...(isStep && { nextStep: step.slice(0, textLengthMax) }),
    ...(files !== undefined && { files }),
    ...(list !== undefined && { patterns: list }),
  };
}

/** What the work itself has put there is not anybody's word, however long it stays. */
function isDerived(file: AuthoredFile, written: Brief): boolean {
  return (
    typeof file !== 'string' &&
    derivedPurpose.test(file.purpose) &&
    written.files_to_read.some((known) => isSame(known as unknown as JsonValue, file as unknown as JsonValue))
  );
}

/** As `filesToRead` in derive.ts says it. */
const derivedPurpose = /^(?:the pipeline$|made by |prompt of )/;

/** All that stands there and can be understood. */
function filesIn(value: JsonValue | undefined): AuthoredFile[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, listMax).flatMap((item): AuthoredFile[] => {
    if (typeof item === 'string') return [item];
    if (!isJsonObject(item) || typeof item.path !== 'string') return [];
    const { path, priority, purpose, sections } = item;
    return [
      {
        path,
        priority: typeof priority === 'number' && Number.isFinite(priority) ? priority : 2,
        purpose: typeof purpose === 'string' ? purpose : '',
        sections: Array.isArray(sections) ? sections.filter((one) => typeof one === 'string') : [],
      },
    ];
  });
}

function patternsIn(value: JsonValue | undefined): RecurringPattern[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, listMax).flatMap((item): RecurringPattern[] => {
    if (typeof item === 'string') return [{ pattern: item, resolution: null }];
    if (!isJsonObject(item) || typeof item.pattern !== 'string') return [];
    return [
      { pattern: item.pattern, resolution: typeof item.resolution === 'string' ? item.resolution : null },
    ];
  });
}

function newDecisions(
  value: JsonValue | undefined,
  { decision_log: log }: Brief,
): { added: NewDecision[]; applied: string[]; edits: Edit[] } {
  const added: NewDecision[] = [];
  const applied: string[] = [];
  const changed: Edit[] = [];
  if (!Array.isArray(value)) return { added, applied, edits: changed };
  for (const [at, item] of value.slice(0, log.length + listMax).entries()) {
    if (!isJsonObject(item)) continue;
    const known = log.find(({ id }) => id === item.id);
    if (known === undefined) added.push(...decisionIn(item));
    else {
      if (item.applied === true && !known.applied) applied.push(known.id);
      const { applied: _, ...rest } = known;
      changed.push(...edits(`decision_log[${at}]`, item, rest));
    }
  }
  return { added, applied, edits: changed };
}

function decisionIn(item: JsonObject): NewDecision[] {
  const { id, decision, rationale, affects_phases: affects, gate, iteration, applied } = item;
  if (typeof decision !== 'string' || decision.trim() === '') return [];
  return [
    {
      id: typeof id === 'string' && /^RD-\d{3,9}$/.test(id) ? id : undefined,
      decision: decision.slice(0, textLengthMax),
      because: typeof rationale === 'string' ? rationale.slice(0, textLengthMax) : undefined,
      affects: Array.isArray(affects)
        ? affects.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
        : [],
      gate: typeof gate === 'string' ? gate : undefined,
      iteration: typeof iteration === 'number' ? iteration : undefined,
      applied: applied === true,
    },
  ];
}

function newSummaries(
  value: JsonValue | undefined,
  { agent_summaries: known }: Brief,
): { added: { agent: string; summary: string }[]; edits: Edit[] } {
  const added: { agent: string; summary: string }[] = [];
  const changed: Edit[] = [];
  if (!isJsonObject(value)) return { added, edits: changed };
  for (const [agent, summary] of Object.entries(value)) {
    const before = Object.hasOwn(known, agent) ? known[agent] : undefined;
    if (typeof summary !== 'string' || summary === before) continue;
    if (before === undefined) added.push({ agent: agent.slice(0, 120), summary });
    else changed.push({ path: `agent_summaries.${agent}`, found: summary });
  }
  return { added: added.slice(0, listMax), edits: changed };
}

function fieldOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}
