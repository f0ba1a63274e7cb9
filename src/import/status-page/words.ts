/**
 * The parts of a page. `facts`: what stands at the top; `stages`: a list of stages that does not say that they are
 * completed; `unknown`: what is passed over.
 */
export type SectionKind =
  | 'facts'
  | 'completed'
  | 'stages'
  | 'current'
  | 'iterations'
  | 'clusters'
  | 'checkpoints'
  | 'notes'
  | 'unknown';

/** A key, heading or column without its spelling: `**Last-Updated At:**` is `last_updated_at`, `specHash` is `spec_hash`. */
export function keyOf(raw: string): string {
  const text = withoutAside(raw.trim());
  if (text.length > keyLengthMax) return '';
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_|_$/g, '');
}

/** What a key means in a part of the page; undefined: nothing. */
export function fieldOf(section: SectionKind, key: string): string | undefined {
  return fields[section].get(key);
}

/** Which part of the page a heading opens; undefined: none that is known. */
export function sectionOf(heading: string): SectionKind | undefined {
  return sections.get(heading) ?? sections.get(heading.replace(/^\d+_/, ''));
}

/** `Completed At (UTC)`: what stands behind in parentheses says nothing about the meaning. */
function withoutAside(text: string): string {
  const end = text.replace(/[:*_`]{1,4}$/, '');
  if (!end.endsWith(')')) return text;
  const start = end.lastIndexOf('(');
  return start > 0 ? end.slice(0, start) : text;
}

const keyLengthMax = 80;

/** The first spelling is the field's name; the others mean the same. */
function spelled(...lines: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const line of lines) {
    const [name = '', ...others] = line.split(' ');
    for (const spelling of [name, ...others]) names.set(spelling, name);
  }
  return names;
}

const nothing = spelled();

const ofStages = spelled(
  'stage phase step name stage_name phase_name',
  'artifact artifacts artefact output outputs output_artifact file files path artifact_path output_file',
  'hash sha sha256 sha_256 output_hash artifact_hash checksum digest hashes',
  'completed completed_at finished finished_at at time date timestamp when done_at completion',
  'iterations iteration rounds round cycles cycle_count',
  'status state result',
);

const fields: Readonly<Record<SectionKind, ReadonlyMap<string, string>>> = {
  facts: spelled(
    'unit feature feature_id feature_name',
    'run_id run runid run_identifier',
    'spec_hash spechash spec_sha spec_sha256 spec_checksum hash_of_spec feature_spec_hash',
    'started_at started start start_time start_date created_at created',
    'last_updated_at last_updated updated_at updated last_update last_modified last_change',
    'current_stage stage current current_phase phase currentstage',
    'status run_status pipeline_status overall_status run_state',
    'retry_count retries retrycount current_retry_count',
  ),
  completed: ofStages,
  stages: ofStages,
  current: spelled(
    'stage phase name current_stage current_phase',
    'attempt attempts try',
    'iteration iterations round cycle',
    'started_at started start dispatched_at dispatched since start_time',
    'files file partial_files partial_output partial_outputs output outputs artifact artifacts',
    'retry_count retries retrycount current_retry_count',
  ),
  iterations: spelled(
    'loop gate stage phase name step',
    'used count cycle_count cycles iterations iteration rounds round current iteration_count',
    'max budget limit maximum allowed max_iterations',
  ),
  clusters: spelled(
    'defect cluster failure failure_cluster pattern name problem',
    'count retry_count retries times seen occurrences attempts',
    'max limit budget threshold maximum escalate_at',
  ),
  checkpoints: spelled(
    'name checkpoint human_checkpoint item',
    'cleared status state approved done box decision',
    'id checkpoint_id number',
    'by decided_by approved_by cleared_by who reviewer approver',
    'at when date time decided_at approved_at cleared_at on timestamp',
  ),
  notes: spelled('at when date time timestamp', 'text note notes remark what entry'),
  unknown: nothing,
};

const sections = spelled(
  'facts run status state summary metadata overview header general pipeline pipeline_state pipeline_status run_status run_state pipeline_run state_file',
  'completed completed_stages stages_completed done_stages finished_stages completed_phases phases_completed',
  'stages stage_status stages_status phases phase_status',
  'current current_stage current_stage_detail current_stage_details current_phase in_progress',
  'iterations iteration_counts iteration_count iteration_budgets iteration_budget loops cycles cycle_counts retry_counts budgets',
  'clusters failure_clusters failure_cluster failures defects recurring_failures',
  'checkpoints human_checkpoints human_checkpoints_cleared checkpoints_cleared approvals human_approvals sign_offs checkpoint_status',
  'notes note remarks session_notes log',
) as ReadonlyMap<string, SectionKind>;
