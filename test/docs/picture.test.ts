import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { screenText } from '../../src/text/style/screen.ts';
import { pawl, pawlKilledAt } from '../support/command.ts';
import { copyOfBook, projectRoot, read } from '../support/workspace.ts';
import { parseXml } from '../support/xml.ts';

/*
 * docs/picture.svg is made by `npm run picture`. Its times and hashes are those of the run that it shows; its words
 * are to be those of today.
 */

const svg = readFileSync(join(projectRoot, 'docs/picture.svg'), 'utf8');

describe('the picture of the README', () => {
  it('is one small document that can be read aloud and fetches nothing', () => {
    const [root, title, ...parts] = parseXml(svg);
    expect(Buffer.byteLength(svg)).toBeLessThan(200_000);
    expect(root?.attributes.get('role')).toBe('img');
    expect(title?.name).toBe('title');
    expect(new Set(parts.map(({ name }) => name))).toEqual(
      new Set(['style', 'defs', 'g', 'text', 'rect', 'circle', 'svg', 'use']),
    );
    expect(svg.match(/\w+:\/\/[^"]*|@import|url\(/g)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('draws the rows that it holds, all of them and no others', () => {
    const parts = parseXml(svg);
    const held = parts.flatMap(({ name, attributes }) => (name === 'g' ? (attributes.get('id') ?? []) : []));
    const drawn = parts.flatMap(({ attributes }) => attributes.get('href') ?? []);
    expect(new Set(drawn)).toEqual(new Set(held.map((id) => `#${id}`)));
  });

  it('stands still at its end where nothing may move', () => {
    expect(svg).toContain('@media (prefers-reduced-motion:reduce){.film{animation:none}}');
    const [, resting] = /\.film\{(transform:[^;]+);/.exec(svg) ?? [];
    expect(svg).toMatch(/@keyframes film\{.*\}\}/);
    expect(svg.slice(0, svg.indexOf('</style>')).trimEnd().endsWith(`{${resting}}}`)).toBe(true);
  });

  it('shows what the program says', async () => {
    const book = copyOfBook();
    const { phases } = parse(read(book, 'pawl.yaml')) as { phases: object };
    await pawlKilledAt(book, 'ch002_sc001/write started', 'run');
    const run = await pawl(book, 'run');
    const why = await pawl(book, 'why', 'ch001_sc002/lint');
    const said = [
      '$ pawl run',
      `phases: ${Object.keys(phases).join(' ')}`,
      'Killed',
      '$ pawl run  # again, after kill -9',
      ...run.stdout.trimEnd().split('\n').slice(-1),
      '$ pawl why ch001_sc002/lint',
      // Wrapped as in the terminal of the picture.
      ...screenText(why.stdout.trimEnd(), 100).split('\n'),
    ];
    const shown = shownShapes();
    expect(said.filter((line) => !shown.has(shapeOf(line)))).toEqual([]);
  });
});

function shownShapes(): Set<string> {
  const rows = Array.from(svg.matchAll(/<g id="r\d+">(.*)<\/g>/g), ([, row = '']) => row);
  return new Set(rows.map((row) => shapeOf(row.replaceAll(/<[^>]*>/g, '').replaceAll('&gt;', '>'))));
}

/** A line without what differs from run to run, and without spaces: the picture places words by column. */
function shapeOf(line: string): string {
  return line
    .replaceAll(/\s/g, '')
    .replace(/\([^()]+\)$/, '')
    .replaceAll(/sha256:\w+/g, 'sha256:')
    .replaceAll(/\d[\d.:-]*/g, '#');
}
