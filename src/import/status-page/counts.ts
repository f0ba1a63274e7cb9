import { plainText } from '../../projections/status-page/text.ts';
import { filledOf, readCounts } from '../../projections/status-page/values.ts';
import type { Entry } from './outline-state.ts';
import type { ReadCluster, ReadIterations } from './read-page.ts';
import { isBlank, type Reading, readCountOf, readFilledValue, saidIn, tellUnreadable } from './reading.ts';

/** How often each loop has gone round, against its budget. */
export function readIterations(entries: readonly Entry[], reading: Reading): ReadIterations[] {
  return entries.flatMap((entry) => {
    const counted = countedIn(entry, iterationNames, reading);
    if (counted === undefined) return [];
    const loop = reading.stage(counted.name, entry.line, 'iterations');
    if (loop !== undefined) return [{ loop, used: counted.used, max: counted.max, line: entry.line }];
    tellUnreadable(entry, 'iterations', reading);
    return [];
  });
}

/** Which defects were found how often. */
export function readClusters(entries: readonly Entry[], reading: Reading): ReadCluster[] {
  return entries.flatMap((entry) => {
    const counted = countedIn(entry, clusterNames, reading);
    if (counted === undefined) return [];
    const { name, used, max } = counted;
    return [{ defect: plainText(name, false), count: used, max, line: entry.line }];
  });
}

interface Counted {
  /** As it is written. */
  readonly name: string;
  readonly used: number;
  readonly max: number | undefined;
}

const iterationNames = { section: 'iterations', name: 'loop', used: 'used' } as const;
const clusterNames = { section: 'clusters', name: 'defect', used: 'count' } as const;

function countedIn(
  entry: Entry,
  names: typeof iterationNames | typeof clusterNames,
  reading: Reading,
): Counted | undefined {
  const { fields, line } = entry;
  if (isBlank(entry)) return undefined;
  const { name, counts } =
    fields.size === 0
      ? splitCounts(saidIn(entry))
      : { name: fields.get(names.name)?.raw ?? '', counts: fields.get(names.used)?.raw ?? '' };
  if (filledOf(name) !== 'filled' || filledOf(counts) === 'absent') {
    tellUnreadable(entry, names.section, reading);
    return undefined;
  }
  const read = readFilledValue(reading, { raw: counts, line }, names.used, readCounts, 'count-unreadable');
  if (read === undefined) return undefined;
  return { name, used: read.used, max: readCountOf(reading, fields.get('max'), 'max') ?? read.max };
}

/** `tdd: 1/3`, `AC-06 — 2`, `rounding (2 of 3)`, `tdd 1/3`: the longest end that is a count. */
function splitCounts(said: string): { readonly name: string; readonly counts: string } {
  const places = [...said.matchAll(/[:：=—–×(]|\s(?=[-\d])/g)].slice(-placesTriedMax);
  for (const { index } of places) {
    const name = said.slice(0, index).trim();
    const rest = said.slice(index + 1).replace(/^[\s-]{1,3}/, '');
    for (const counts of [rest, rest.replace(/\)$/, '')])
      if (readCounts(counts) !== undefined) return { name, counts };
  }
  const colon = said.search(/[:：]/);
  return colon < 0
    ? { name: said, counts: '' }
    : { name: said.slice(0, colon), counts: said.slice(colon + 1) };
}

const placesTriedMax = 6;
