// How the stand-ins read prompts and write pages: headings and lists in plain Markdown.
import { readFileSync } from 'node:fs';
import { context } from './task.mjs';

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

/** @param {string} title @param {string[]} parts */
export function page(title, ...parts) {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

/** @param {string} heading @param {readonly string[]} items @param {string} [none] */
export function section(heading, items, none = 'nothing') {
  return [`## ${heading}`, '', ...(items.length === 0 ? [none] : items.map((item) => `- ${item}`))].join(
    '\n',
  );
}

/** What a person or a later phase has asked for: nothing, or a section. */
export function changesAskedFor() {
  const changes = asked();
  return changes.length === 0 ? [] : [section('Changes asked for', changes)];
}

/** The same as lines of a comment. */
export function changesInCode() {
  return asked().map((change) => `// Asked for by ${change}\n`);
}

/** A prepared answer. @param {string} name */
export function answer(name) {
  return readFileSync(new URL(`answers/${name}.txt`, import.meta.url), 'utf8');
}

function asked() {
  return context().feedback.map(({ from, text }) => `${from}: ${text.replaceAll(/\s+/g, ' ').trim()}`);
}
