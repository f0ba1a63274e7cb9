import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyEvents, created, started, stored, succeeded } from '../../test/fixtures/events.ts';
import type { JsonValue } from '../base/json.ts';
import { foldEvent, foldEvents } from './fold.ts';
import type { Ledger } from './ledger.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from './snapshot.ts';

const textOf = (ledger: Ledger) => JSON.stringify([...ledgerToSnapshot(ledger)]);

/** As a snapshot comes back from the disk. */
function throughDisk(ledger: Ledger): Ledger {
  const back = ledgerFromSnapshot(JSON.parse(textOf(ledger)) as JsonValue[]);
  if (back === undefined) throw new Error('a snapshot that cannot be read');
  return back;
}

it('gives back the ledger that it was made of', () => {
  fc.assert(
    fc.property(anyEvents(), (events) => {
      const ledger = foldEvents(events);
      expect(throughDisk(ledger)).toEqual(ledger);
    }),
  );
});

it('can be gone on from as if it had been the whole journal', () => {
  fc.assert(
    fc.property(anyEvents(), fc.nat(), (events, cut) => {
      const first = events.slice(0, cut % (events.length + 1));
      const ledger = throughDisk(foldEvents(first));
      for (const event of events.slice(first.length)) foldEvent(ledger, event);
      expect(ledger).toEqual(foldEvents(events));
    }),
  );
});

it('does not share anything that later events change', () => {
  const ledger = foldEvents(stored([created, started('u/write#1'), succeeded('u/write#1')]));
  const text = textOf(ledger);
  const copy = ledgerFromSnapshot(JSON.parse(text) as JsonValue[]);
  for (const event of stored([started('u/write#2'), succeeded('u/write#2', { prose: 'new' })], 4))
    foldEvent(ledger, event);
  expect(textOf(copy ?? foldEvents([]))).toBe(text);
});

it.each([
  [],
  [null],
  [[]],
  ['ledger'],
  [{}],
  [{ version: 0, ledger: {}, revisions: [] }],
  [{ version: 4, ledger: {}, revisions: [] }],
  [{ version: 5, revisions: [], cells: [] }],
  [{ version: 5, ledger: {}, revisions: [] }, null],
])('is not read from %j', (...parts) => {
  expect(ledgerFromSnapshot(parts as JsonValue[])).toBeUndefined();
});
