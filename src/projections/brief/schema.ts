import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { formatPath, type KeyPath } from '../../pipeline/text/problems.ts';
import { readTime } from './read-time.ts';

/*
 * The shape of the resumption section, version 2: what `document.ts` says in types, for documents that others wrote. More
 * keys than these may stand anywhere. `schema/brief.schema.json` is made from it.
 */

/** What is wrong at one place of a document. */
export interface BriefProblem {
  /** `decision_log[0].id`; empty: the section itself. */
  readonly path: string;
  readonly problem: BriefProblemCode;
}

export type BriefProblemCode =
  | 'missing'
  | 'not-an-object'
  | 'not-a-list'
  | 'not-text'
  | 'not-a-number'
  | 'not-a-whole-number'
  | 'not-true-or-false'
  | 'not-one-of'
  | 'out-of-range'
  | FormatCode;

/** Everything about a section that is not as version 2 has it, up to a limit, in the order of the document. */
export function problemsOf(section: JsonValue): readonly BriefProblem[] {
  const { error } = sectionSchema.safeParse(section);
  if (error === undefined) return [];
  return error.issues.flatMap((issue) => readIssue(section, [], issue as Issue)).slice(0, problemsMax);
}

/** JSON Schema 2020-12 for editors and other tools: a document with a section `resumption` and any other keys. */
export function makeBriefJsonSchema(): JsonObject {
  const schema = z.toJSONSchema(documentSchema, { target: 'draft-2020-12', io: 'input' });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

const problemsMax = 200;

/** What a value of a certain form is not; schemas give these as their message. */
const formatCodes = [
  'not-a-checkpoint-id',
  'not-a-decision-id',
  'not-a-compaction-id',
  'not-a-time',
  'not-a-file',
  'not-a-phase',
] as const;
type FormatCode = (typeof formatCodes)[number];

const text = z.string();
const count = z.int().min(0);
/** Null if unknown, because zero would be a statement. */
const total = count.nullable();
const percent = z.number().min(0).nullable();

const idOf = (prefix: string, error: FormatCode) =>
  z.string({ error }).regex(new RegExp(`^${prefix}-[0-9]{3,}$`), { error });

const timePattern =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$/;

const time = z
  .string({ error: 'not-a-time' satisfies FormatCode })
  .regex(timePattern, { error: 'not-a-time' satisfies FormatCode, abort: true })
  // The pattern cannot tell how long a month is.
  .refine((value) => readTime(value) !== undefined, { error: 'not-a-time' satisfies FormatCode })
  .describe('RFC 3339');

const recoveryState = z
  .looseObject({
    last_checkpoint: idOf('CP', 'not-a-checkpoint-id')
      .nullable()
      .describe('The newest point that the run can be picked up from; null before the first'),
    current_phase: count.nullable().describe('Counted from 1; null or 0 before the first has begun'),
    current_phase_name: text.nullable(),
    workflow_status: text,
    current_activity: text.describe('What is happening'),
    next_step: text.describe('What to do first'),
    context_fill_at_update: percent.describe('In percent; null where nobody has told'),
    updated_at: time.nullable().describe('When this was last true; null where nobody has told. RFC 3339'),
    cross_session_portable: z.unknown().optional(),
    ephemeral_references: z.unknown().optional(),
  })
  .describe('Where the run stands');

const filePath = text.min(1, { error: 'not-a-file' satisfies FormatCode });

const structuredFile = z.looseObject({
  path: filePath,
  priority: count.describe('1 is read first'),
  purpose: text,
  sections: z.array(text).describe('What to look for in it'),
});

const fileToRead = z
  .union([filePath, structuredFile], { error: 'not-a-file' satisfies FormatCode })
  .describe('A path, or a path with what to look for');

const qualityTrajectory = z
  .looseObject({
    gates_completed: z.array(text).nullable(),
    gates_remaining: z.array(text).nullable(),
    current_gate: text.nullable().describe('Null between gates'),
    current_gate_iteration: count.nullable().describe('Null between gates'),
    score_history: z
      .record(z.string(), z.array(z.number()))
      .nullable()
      .describe('By gate, a score for each iteration'),
    lowest_dimension: text.nullable(),
    total_iterations_used: total,
  })
  .describe('What the gates said so far; null where it is not known');

const defectSummary = z
  .looseObject({
    total_defects_found: total,
    total_defects_resolved: total,
    unresolved_defects: z.array(text).nullable(),
    recurring_patterns: z.array(z.looseObject({ pattern: text, resolution: text.nullable() })),
    last_gate_primary_defect: text.nullable(),
  })
  .describe('What the gates found; null where it is not known');

const decision = z.looseObject({
  id: idOf('RD', 'not-a-decision-id'),
  gate: text.nullable(),
  iteration: count.nullable(),
  decision: text,
  rationale: text.nullable(),
  affects_phases: z
    .array(z.union([z.number(), text], { error: 'not-a-phase' satisfies FormatCode }))
    .describe('By number, or in words'),
  applied: z.boolean(),
});

const compaction = z.looseObject({
  id: idOf('CX', 'not-a-compaction-id'),
  timestamp: time,
  trigger: z.enum(['auto', 'manual']),
  estimated_fill_before: percent.describe('In percent'),
  active_phase: count.nullable(),
  active_gate: text.nullable(),
  active_gate_iteration: count.nullable(),
  checkpoint_file: text,
  acknowledged: z.boolean().describe('Whoever went on has been given the brief'),
});

const sectionSchema = z
  .looseObject({
    recovery_state: recoveryState,
    files_to_read: z.array(fileToRead).describe('In whatever order; priority says which comes first'),
    quality_trajectory: qualityTrajectory,
    defect_summary: defectSummary,
    decision_log: z.array(decision).describe('Decisions that later phases hang on'),
    agent_summaries: z.record(z.string(), text).describe('By agent, one line'),
    compaction_events: z.looseObject({ count: total, events: z.array(compaction) }),
  })
  .describe('What whoever comes to the run anew has to know');

const documentSchema = z.looseObject({ resumption: sectionSchema }).meta({
  title: 'Pawl brief',
  description: 'A document with a resumption section, version 2',
});

type Issue = z.core.$ZodIssue & { readonly path: KeyPath };

function readIssue(section: JsonValue, above: KeyPath, issue: Issue): BriefProblem[] {
  const keys = [...above, ...issue.path];
  const value = valueAt(section, keys);
  // Of a path or an entry with a path, an object was meant to be the latter.
  if (issue.code === 'invalid_union' && isJsonObject(value)) {
    const [best = []] = issue.errors.filter((issues) => issues.some(({ path }) => path.length > 0));
    if (best.length > 0) return best.flatMap((inner) => readIssue(section, keys, inner as Issue));
  }
  return [{ path: formatPath(keys), problem: value === undefined ? 'missing' : codeOf(issue) }];
}

function codeOf(issue: Issue): BriefProblemCode {
  const format = formatCodes.find((code) => code === issue.message);
  if (format !== undefined) return format;
  if (issue.code === 'invalid_value') return 'not-one-of';
  return issue.code === 'invalid_type' ? (typeCodes.get(issue.expected) ?? 'not-one-of') : 'out-of-range';
}

const typeCodes: ReadonlyMap<string, BriefProblemCode> = new Map([
  ['object', 'not-an-object'],
  ['record', 'not-an-object'],
  ['array', 'not-a-list'],
  ['string', 'not-text'],
  ['number', 'not-a-number'],
  ['int', 'not-a-whole-number'],
  ['boolean', 'not-true-or-false'],
]);

function valueAt(value: JsonValue | undefined, keys: KeyPath): JsonValue | undefined {
  let found = value;
  for (const key of keys) {
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}
