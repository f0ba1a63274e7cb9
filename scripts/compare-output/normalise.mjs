// Replaces what differs between two runs of the same build: places, processes, sizes, versions.

/** @type {[RegExp, string][]} */
const replacements = [
  [/"(pid|ppid)": ?\d+/g, '"$1":"<pid>"'],
  [/\b(pid |process |node:)\d+/g, '$1<pid>'],
  [/"(boot|started|host|sum|prev)": ?"[^"]*"/g, '"$1":"<$1>"'],
  [/"(ino|dev|mtime|ctime|birthtime)": ?[\d.]+/g, '"$1":"<$1>"'],
  // How far files were written when a process was killed, or how long journals are, which name processes.
  [/\b\d+ events? behind/g, '<n> events behind'],
  [/"(length|hashBefore|behind)": ?(?:\d+|"[^"]*")/g, '"$1":"<$1>"'],
  [/\b\d[\d,.]* (?:bytes|B|KB|MB|GB|kB)\b/g, '<size>'],
  [/"(\w*[bB]ytes|size|free)": ?[\d.]+/g, '"$1":"<size>"'],
  [/\bv?2\d\.\d+\.\d+\b/g, '<node>'],
];

/**
 * Longer paths first, because a workspace lies in the temporary folder.
 * @param {string} text @param {Record<string, string>} places path to name
 */
export function normalise(text, places) {
  const paths = Object.entries(places).sort(([a], [b]) => b.length - a.length);
  let result = text;
  for (const [path, name] of paths) result = result.replaceAll(path, name);
  // The rest of a relative path to the build.
  result = result.replaceAll(/(?<=\.\.\/)tree-\d/g, '<pawl>');
  for (const [pattern, to] of replacements) result = result.replaceAll(pattern, to);
  return result;
}

/** One value per line, so that a difference names its key. JSON lines are formatted one by one. */
export function formatJson(/** @type {string} */ text) {
  const whole = parse(text);
  if (whole !== undefined) return JSON.stringify(whole, null, 1);
  const lines = text.trimEnd().split('\n').map(parse);
  return lines.includes(undefined)
    ? text
    : lines
        .map((line) => JSON.stringify(line, null, 1))
        .sort()
        .join('\n');
}

/** Undefined for what is no object or list. @returns {object | undefined} */
function parse(/** @type {string} */ text) {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The names of an event's fields, nested; values only where they name a step. */
export function eventShape(/** @type {Record<string, unknown>} */ event) {
  const step = [event.unit, event.phase].filter((part) => part !== undefined).join('/');
  const number = event.attempt === undefined ? '' : `#${event.attempt}`;
  return `${event.type ?? 'header'} ${step}${number} ${shape(event)}`;
}

/** @returns {string} */
function shape(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : shape(value[0])}]`;
  if (typeof value !== 'object' || value === null) return '';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => name + shape(field)).join(' ')}}`;
}
