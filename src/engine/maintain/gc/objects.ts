import type { Hash } from '../../../base/hash.ts';
import { hashToBytes } from '../../../base/hash.ts';
import type { ContentSurvey } from '../../../store/content.ts';
import { surveyContent } from '../../../store/open-store.ts';
import { unacceptedDamage } from '../../open/open-run.ts';
import { openRunJournal } from '../../open/run-files.ts';
import { objectsFolder } from '../../open/workspace.ts';
import type { GcChoice, KnownRun } from './choice.ts';
import { finalOutputs } from './final.ts';
import type { ObjectDoubt } from './gc-answer.ts';
import { type GcScope, isRunInPlace } from './ground.ts';

/** Whoever put something may not have come to recording it; also where a clock is a little off. */
const ageMsMin = 60 * 60 * 1000;

export interface ObjectPlan extends ContentSurvey {
  /** Not empty: what is needed is not known for sure, and so nothing is removed. */
  readonly doubts: readonly ObjectDoubt[];
}

/** What the content store holds that no run will name once the chosen ones are gone. */
export function planObjects(ground: GcScope, chosen: readonly GcChoice[]): ObjectPlan {
  const { env, root } = ground;
  const names = new Names();
  const doubts: ObjectDoubt[] = ground.unreadable.map((path) => ({ reason: 'unreadable', path }));
  for (const { run, fate } of chosen) {
    if (fate.do !== 'collect') takeJournal(ground, run.opened.folder, names, doubts);
    else if (fate.keep === 'approved') takeRemainder(run, names);
  }
  for (const { folder } of ground.strays) takeJournal(ground, folder, names, doubts);
  for (const folder of ground.archives) takeJournal(ground, folder, names, doubts);
  for (const opened of [...ground.runs, ...ground.strays])
    if (unacceptedDamage(opened).length > 0) doubts.push({ reason: 'damaged', path: opened.folder });
  if (env.disk.stat(`${root}/${objectsFolder}`) !== undefined && !isRunInPlace(ground, objectsFolder))
    doubts.push({ reason: 'through-link', path: objectsFolder });
  const bornBeforeMs = env.clock.now() - ageMsMin;
  const survey = surveyContent(env.disk, `${root}/${objectsFolder}`, (hash) => names.has(hash), bornBeforeMs);
  return doubts.length === 0 ? { ...survey, doubts } : { ...survey, unused: [], doubts };
}

/** Hashes, each in 32 characters: there may be millions. */
class Names {
  readonly #keys = new Set<string>();

  add(hash: Hash): void {
    this.#keys.add(hashToBytes(hash).toString('latin1'));
  }

  has(hash: Hash): boolean {
    return this.#keys.has(hashToBytes(hash).toString('latin1'));
  }

  addAllIn(text: string): void {
    for (const [hash] of text.matchAll(/sha256:[0-9a-f]{64}/g)) this.add(hash as Hash);
  }
}

/** Of a run whose finished units are kept: their outputs, and what they were made with. */
function takeRemainder({ opened }: KnownRun, names: Names): void {
  for (const hash of finalOutputs(opened.ledger).values()) names.add(hash);
  for (const revision of opened.ledger.revisions.values()) names.addAllIn(JSON.stringify(revision));
}

/** Whatever looks like a hash counts as a name: a name too many keeps an object too many, and that is all. */
function takeJournal({ env, root }: GcScope, folder: string, names: Names, doubts: ObjectDoubt[]): void {
  openRunJournal(env, root, folder).maintenance.scan(overlapBytes, {
    piece: ({ buffer, byteOffset, length }) =>
      names.addAllIn(Buffer.from(buffer, byteOffset, length).toString('latin1')),
    unreadable: (path) => doubts.push({ reason: 'unreadable', path }),
  });
}

/** So that no hash lies across the border of two pieces. */
const overlapBytes = 'sha256:'.length + 64;
