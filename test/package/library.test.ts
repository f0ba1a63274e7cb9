import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as engine from '../../src/engine/index.ts';
import * as library from '../../src/index.ts';
import { blocksOf } from '../docs/page.ts';
import { projectRoot } from '../support/workspace.ts';
import { importsOf } from '../tidy/imports.ts';
import { isTest, parse, readTexts } from '../tidy/source.ts';

const page = read('docs/reference/library.md');

describe('the library', () => {
  it('offers every use case of the engine', () => {
    const text = read('src/index.ts');
    const isOffered = (name: string) => Object.hasOwn(library, name) || text.includes(`engine.${name}(`);
    expect(Object.keys(engine).filter((name) => !isOffered(name))).toEqual([]);
  });

  it('can do whatever a face does: a use case that one of them calls is one of the engine', () => {
    const [index, ...faces] = parse({
      'src/engine/index.ts': read('src/engine/index.ts'),
      ...readTexts(projectRoot, ['src/cli', 'src/mcp', 'src/hooks']),
    });
    const listed = new Set(index && importsOf(index).map(({ path }) => path));
    const called = faces
      .filter((source) => !isTest(source) && !source.path.endsWith('/fixtures.ts'))
      .flatMap(importsOf)
      .filter(({ path, isType }) => !isType && path?.startsWith('src/engine/'))
      .map(({ path }) => path ?? '');
    const other = [...new Set(called)].filter((path) => !listed.has(path)).sort();
    expect(other).toEqual(noUseCases.map((name) => `src/engine/${name}.ts`).sort());
  });

  it('has every function on its page', () => {
    const functions = Object.entries(library).filter(([, value]) => typeof value === 'function');
    expect(functions.map(([name]) => name).filter((name) => !page.includes(`\`${name}(`))).toEqual([]);
  });
});

describe('the examples of the library', () => {
  const files = readdirSync(join(projectRoot, 'examples/library')).filter((name) => name.endsWith('.mjs'));

  it.each(files)('%s stands on its page as it is, and is short', (name) => {
    const text = read(`examples/library/${name}`);
    expect(blocksOf(page).find(({ info }) => info === name)?.text).toBe(text);
    expect(text.split('\n').length).toBeLessThanOrEqual(60);
  });
});

/** What faces take from the engine besides use cases: names, places and pieces of what it knows. */
const noUseCases = [
  'agents/find-launch',
  'agents/supports',
  'brief/document-facts',
  'brief/finished-step',
  'brief/refresh',
  'brief/staleness',
  'brief/standing',
  'brief/state-file',
  'examples/examples',
  'index',
  'open/locate',
  'open/own-folder',
  'open/replaced-runs',
  'open/run-places',
  'show/page/page-file',
  'show/page/picture',
  'open/person',
  'show/nearest',
  'run/watched-sources',
  'run/wait-for-change',
];

function read(path: string): string {
  return readFileSync(join(projectRoot, path), 'utf8');
}
