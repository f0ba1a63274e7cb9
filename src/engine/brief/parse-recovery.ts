import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { RecoveryFields } from '../../projections/brief/recovery-fields.ts';
import { sectionKey } from '../../projections/brief/yaml/render.ts';
import { readSection } from '../../projections/brief/yaml/section.ts';

/** A program of its own beside that of the hooks: it brings a parser of YAML along, which most hooks never need. */
export function parseRecovery(text: string): RecoveryFields | 'no-document' | 'unreadable-document' {
  const section = readSection(text, sectionKey);
  if (!section.ok) return 'unreadable-document';
  return section.value === undefined ? 'no-document' : recoveryOf(section.value);
}

function recoveryOf(section: JsonObject): RecoveryFields {
  const { recovery_state: state } = section;
  const {
    updated_at: updatedAt,
    current_phase: phase,
    workflow_status: status,
  } = isJsonObject(state) ? state : {};
  return { updatedAt, phase: typeof phase === 'number' || typeof phase === 'string' ? phase : null, status };
}
