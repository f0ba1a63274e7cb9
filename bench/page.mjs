import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { markdownTable } from './table.mjs';

const page = new URL('../docs/reference/speed.md', import.meta.url);
const [begin, end] = ['<!-- made by npm run bench -- --docs -->', '<!-- end -->'];

/** Replaces the measured table of the page, and says what it was measured on. */
export function writePage(/** @type {readonly import('./table.mjs').Figure[]} */ figures) {
  const text = readFileSync(page, 'utf8');
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`no place for the table in ${page.pathname}`);
  const machine = `Measured with Node ${process.versions.node} on ${process.platform}, ${cpus().length} cores.`;
  const made = [begin, machine, '', markdownTable(figures), end].join('\n');
  writeFileSync(page, text.slice(0, before) + made + text.slice(after + end.length));
}
