import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Unit } from '../../model/definition.ts';
import type { ManifestUnits } from '../shape/manifest.ts';

/** Which fields of an item say how it is handed out. */
export interface ItemFields {
  readonly needs: string;
  readonly title: string;
  readonly priority: string | undefined;
  readonly touches: readonly string[];
  readonly beside: string | undefined;
  /** The field with the path of its own file. */
  readonly file: string | undefined;
}

export function itemFields(spec: ManifestUnits): ItemFields {
  const isNamed = !Array.isArray(spec) && ('from' in spec || 'artifact' in spec);
  const { needs = 'needs', title = 'title', priority, touches = [], beside } = isNamed ? spec : usual;
  const file = !Array.isArray(spec) && 'file' in spec ? spec.file : undefined;
  return { needs, title, priority, touches: typeof touches === 'string' ? [touches] : touches, beside, file };
}

const usual: Partial<Extract<ManifestUnits, { from: string }>> = {};

interface Item extends Pick<Unit, 'title' | 'priority' | 'touches' | 'beside'> {
  /** As it stands there: not checked. */
  readonly needs: JsonValue | undefined;
  /** What results depend on. In which order and beside what the unit is worked on is no part of that. */
  readonly data: JsonObject;
}

/** What an item says of its unit. */
export function readItem(fields: ItemFields, item: JsonObject): Item {
  const data: Record<string, JsonValue> = { ...item };
  const order = [fields.needs, fields.priority, fields.beside];
  for (const field of order) if (field !== undefined) delete data[field];
  const title = item[fields.title];
  const priority = fields.priority === undefined ? undefined : rankOf(item[fields.priority]);
  const touches = fields.touches.flatMap((field) => namesIn(item[field]));
  const beside = fields.beside === undefined ? [] : namesIn(item[fields.beside]);
  return {
    needs: item[fields.needs],
    data,
    ...(typeof title === 'string' && title !== '' && { title }),
    ...(priority !== undefined && { priority }),
    ...(touches.length > 0 && { touches }),
    ...(beside.length > 0 && { beside }),
  };
}

export function isListOfNames(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** What is not said to be more or less urgent is of medium priority. */
export const mediumPriority = 2;

const ranks = new Map([
  ['critical', 0],
  ['high', 1],
  ['medium', mediumPriority],
  ['normal', mediumPriority],
  ['low', 3],
]);

/** Lower ones come first: 1 before 2, P0 before P1, high before low. */
function rankOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  const digits = /^p?(\d{1,6})$/.exec(word)?.[1];
  return digits === undefined ? ranks.get(word) : Number(digits);
}

function namesIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return isListOfNames(value) ? value : [];
}
