import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { formatPath, type KeyPath, type ProblemList } from '../text/problems.ts';
import { type Issue, readIssue, type Trouble } from './issues.ts';
import { type Manifest, manifestSchema } from './manifest.ts';

/**
 * Checks the shape of a manifest and lists what is wrong with it. Where the trouble lies in parts that nothing
 * else refers to, gives back the manifest without them, so that the rest can be checked in the same go.
 */
export function checkShape(data: JsonValue, problems: ProblemList): Manifest | undefined {
  if (data === null) {
    problems.addAt(undefined, 'manifest-empty', '', {});
    return undefined;
  }
  const version = isJsonObject(data) ? data.pawl : undefined;
  if (typeof version === 'number' && version !== 1) {
    // Of a format that we do not know nothing else can be said.
    problems.add('version-unsupported', 'pawl', { found: version, expected: 1 });
    return undefined;
  }
  const parsed = manifestSchema.safeParse(data);
  if (parsed.success) return parsed.data;

  const troubles = parsed.error.issues.flatMap((issue) => readIssue(data, [], issue as Issue));
  for (const { code, path, facts, part } of troubles) problems.add(code, formatPath(path), facts, part);
  if (troubles.length > troublesMax) return undefined;
  let rest: JsonValue = data;
  for (const trouble of troubles) {
    const droppable = droppablePath(trouble);
    if (droppable === undefined) return undefined;
    rest = without(rest, droppable);
  }
  return manifestSchema.safeParse(rest).data;
}

/** A manifest with more troubles than this is another kind of file. */
const troublesMax = 50;

/** Keys that other parts of the manifest refer to: without them everything else would look wrong, too. */
const referredTo = new Set(
  'units phases stages inputs outputs needs state gate when run model models pawl pipeline'.split(' '),
);

/** The path that can be left out without making anything else wrong. */
function droppablePath({ code, path, facts }: Trouble): KeyPath | undefined {
  if (code === 'unknown-key') {
    const meant = facts.suggestion;
    return typeof meant === 'string' && referredTo.has(meant) ? undefined : path;
  }
  const phaseAt = path.indexOf('phases');
  const depth = phaseAt === 0 || (phaseAt === 2 && path[0] === 'stages') ? phaseAt + 3 : 1;
  const key = path[depth - 1];
  return key === undefined || referredTo.has(String(key)) ? undefined : path.slice(0, depth);
}

function without(value: JsonValue, path: KeyPath): JsonValue {
  const [key, ...below] = path;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? without(item, below) : item));
  if (key === undefined || !isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => below.length > 0 || name !== key);
  return Object.fromEntries(
    members.map(([name, item]) => [name, name === key ? without(item, below) : item]),
  );
}
