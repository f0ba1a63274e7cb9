import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { events } from '../../src/text/catalogue/events.ts';
import { projectRoot } from '../support/workspace.ts';
import { commandsPage } from './made/commands.ts';
import { eventsPage } from './made/events.ts';
import { exitCodesPage } from './made/exit-codes.ts';
import { keysWithoutDescription, pathsWithKeys, placesWithKeys, withKeys } from './made/manifest-keys.ts';
import { modelTypes } from './made/model-types.ts';
import { reasonsPage } from './made/reasons.ts';
import { wordsPage } from './made/words.ts';

/* Pages that are made from the code, and tables in others. `UPDATE_DOCS=1` writes them anew. */

const pagesWithKeys = ['docs/reference/manifest.md', 'docs/reference/checks.md'];

describe('a page that is made from the code says what the code says', () => {
  it.each([
    ['docs/reference/commands.md', commandsPage],
    ['docs/reference/events.md', eventsPage],
    ['docs/reference/exit-codes.md', exitCodesPage],
    ['docs/reference/reasons.md', reasonsPage],
    ['docs/reference/words.md', wordsPage],
  ])('%s', (path, made) => {
    const file = join(projectRoot, path);
    if (process.env.UPDATE_DOCS) writeFileSync(file, made());
    expect(readFileSync(file, 'utf8')).toBe(made());
  });

  it.each(pagesWithKeys)('%s, in its tables of keys', (path) => {
    const file = join(projectRoot, path);
    const page = readFileSync(file, 'utf8');
    if (process.env.UPDATE_DOCS) writeFileSync(file, withKeys(page));
    expect(readFileSync(file, 'utf8')).toBe(withKeys(page));
  });

  it('has every key of the manifest in one table', () => {
    const shown = pagesWithKeys.flatMap((path) =>
      pathsWithKeys(readFileSync(join(projectRoot, path), 'utf8')),
    );
    const wrong = placesWithKeys().filter(
      (places) => shown.filter((path) => places.includes(path)).length !== 1,
    );
    expect(wrong).toEqual([]);
  });

  it('has a description for every key of the manifest', () => {
    expect(keysWithoutDescription()).toEqual([]);
  });

  it('has found the type of every event', () => {
    const found = modelTypes().flatMap(({ event }) => event ?? []);
    expect(found.toSorted()).toEqual(Object.keys(events).toSorted());
  });
});
