import type { Finding } from './source.ts';

const path = 'ARCHITECTURE.md';

/** The tables of ARCHITECTURE.md that have a column `folder` name every folder of `src` once, and no other. */
export function checkArchitecture(text: string, folders: readonly string[]): Finding[] {
  const lines = text.split('\n');
  const headers = lines.flatMap((line, at) => (columnOf(line) >= 0 ? [at] : []));
  const first = headers[0];
  if (first === undefined) return [{ path, line: 1, message: 'no table with a column "folder"' }];
  const findings: Finding[] = [];
  const named = new Set<string>();
  for (const header of headers) {
    const column = columnOf(lines[header] ?? '');
    for (let row = header + 2; lines[row]?.startsWith('|'); row++) {
      for (const name of namesIn(cells(lines[row] ?? '')[column] ?? '')) {
        if (named.has(name)) findings.push({ path, line: row + 1, message: `${name} a second time` });
        else if (!folders.includes(name))
          findings.push({ path, line: row + 1, message: `no folder src/${name}` });
        named.add(name);
      }
    }
  }
  const missing = folders.filter((folder) => !named.has(folder));
  return [
    ...findings,
    ...missing.map((folder) => ({ path, line: first + 1, message: `${folder} is missing` })),
  ];
}

function columnOf(line: string): number {
  return line.startsWith('|') ? cells(line).findIndex((cell) => /\bfolder\b/i.test(cell)) : -1;
}

function cells(row: string): string[] {
  return row
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
}

/** Names stand in back quotes, with or without `src/` and a slash at the end. */
function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), (match) =>
    (match[1] ?? '').replace(/^src\//, '').replace(/\/$/, ''),
  );
}
