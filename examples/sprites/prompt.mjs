// How the stand-in reads a prompt: labels and lists in plain Markdown.

/** The value of `Label: value`, or an empty text. @param {string} text @param {string} label */
export function field(text, label) {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${label}: `));
  return line === undefined ? '' : line.slice(label.length + 2).trim();
}

/** The items of `- item` under the heading `## Heading`. @param {string} text @param {string} heading */
export function list(text, heading) {
  const lines = text.split('\n');
  const start = lines.indexOf(`## ${heading}`);
  if (start < 0) return [];
  const items = [];
  for (const line of lines.slice(start + 1)) {
    if (line.startsWith('#')) break;
    if (line.startsWith('- ')) items.push(line.slice(2).trim());
  }
  return items;
}
