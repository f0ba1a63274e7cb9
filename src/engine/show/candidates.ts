import { dirname, resolve } from 'node:path';
import { formatTime } from '../../base/clock.ts';
import { byCodeUnit } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { allQuestions } from '../../ledger/questions.ts';
import { isForOthers } from '../../model/executor.ts';
import { stepName } from '../../model/names.ts';
import type { Environment } from '../open/environment.ts';
import { isProgram, locateManifest } from '../open/locate.ts';
import { openRun } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { placesCalled, type RunPlace, runPlaces, runsFolder } from '../open/run-places.ts';

/*
 * What a shell can offer while somebody types. It is asked at every press of a key: a journal is read where that is
 * enough, a manifest only where units are asked for, and nothing is ever planned.
 */

/** A word that begins as asked. */
export interface Candidate {
  readonly word: string;
  /** Only the beginning of many words. */
  readonly isBeginning: boolean;
}

export type CandidateKind = 'cell' | 'unit' | 'phase' | 'run' | 'question' | 'task' | 'claim' | 'blocked';

export interface CandidateRequest extends Pick<Target, 'path' | 'run'> {
  readonly kind: CandidateKind;
  /** What was typed of it so far. */
  readonly prefix: string;
}

/** At most `candidatesMax`, sorted. What a shell could read as more than a word is never among them. */
export async function findCandidates(env: Environment, request: CandidateRequest): Promise<Candidate[]> {
  const { kind, prefix } = request;
  if (kind === 'cell' || kind === 'task') {
    const shapes = await stageShapes(env, request);
    return stepsOrBeginnings(
      kind === 'task' ? shapes.filter(({ isShared }) => isShared) : shapes,
      kind,
      prefix,
    );
  }
  return abridged(wanted(await wordsOf(env, request), prefix));
}

export const candidatesMax = 200;

async function wordsOf(env: Environment, request: CandidateRequest): Promise<readonly string[]> {
  switch (request.kind) {
    case 'unit':
      return (await stageShapes(env, request)).flatMap(({ units }) => units);
    case 'phase':
      return (await stageShapes(env, request)).flatMap(({ phases }) => phases);
    case 'run':
      return placesOf(env, request).map(({ id }) => id);
    default:
      return wordsInJournal(env, request);
  }
}

/** Of the run that is named, or of the newest: whatever a question was about, whoever has to answer sees it. */
function wordsInJournal(env: Environment, request: CandidateRequest): string[] {
  const ledger = newestLedger(env, request);
  if (ledger === undefined) return [];
  const now = formatTime(env.clock.now());
  switch (request.kind) {
    case 'question':
      return allQuestions(ledger)
        .filter(({ decided, over, expires }) => !decided && !over && (expires === undefined || expires > now))
        .map(({ id }) => id);
    case 'claim':
      return [...ledger.steps.values()].flatMap(({ unit, phase, running }) =>
        running?.claim === undefined ? [] : [request.prefix.includes('/') ? stepName(unit, phase) : unit],
      );
    case 'blocked':
      return ledger.blocked.map(({ unit }) => unit);
    default:
      return [];
  }
}

/** A stage by its names. */
interface StageShape {
  readonly units: readonly string[];
  readonly phases: readonly string[];
  /** Some of it is claimed from outside. */
  readonly isShared: boolean;
}

/** As the manifest has them; of one that is a program, as the journal has: no key that is pressed runs a program. */
async function stageShapes(env: Environment, target: CandidateRequest): Promise<StageShape[]> {
  const manifest = locateManifest(env, target.path, target.run);
  if (!manifest.ok) return [];
  if (isProgram(manifest.value)) {
    const ledger = newestLedger(env, target);
    const phases = new Set([...(ledger?.steps.values() ?? [])].map(({ phase }) => phase));
    return [{ units: [...(ledger?.steps.byUnit.keys() ?? [])], phases: [...phases], isShared: true }];
  }
  const { openWorkspace } = await import('../open/workspace.ts');
  const opened = await openWorkspace(env, { path: manifest.value });
  if (!opened.ok) return [];
  let { pipeline } = opened.value.loaded;
  if (pipeline.stages.some(({ source }) => source !== undefined)) {
    // Units that the run itself has listed.
    const { findRun } = await import('../open/find-run.ts');
    const { listUnits } = await import('../open/unit-lists.ts');
    const run = findRun(opened.value, target);
    const ledger = run.ok ? run.value?.ledger : undefined;
    const listed = ledger && (await listUnits(opened.value, ledger));
    if (listed?.ok && listed.value !== undefined) pipeline = listed.value.loaded.pipeline;
  }
  return pipeline.stages.map(({ units, phases }) => ({
    units: units.map(({ id }) => id),
    phases: phases.map(({ name }) => name),
    isShared: phases.some(isForOthers),
  }));
}

function newestLedger(env: Environment, target: CandidateRequest): Ledger | undefined {
  const places = placesOf(env, target);
  const named = target.run === undefined ? places : placesCalled(places, target.run);
  const newest = named.reduce<RunPlace | undefined>(
    (last, place) => (last === undefined || byCodeUnit(last.id, place.id) < 0 ? place : last),
    undefined,
  );
  return newest && openRun(env, rootOf(env, target), newest, { whole: false }).ledger;
}

function placesOf(env: Environment, target: CandidateRequest): RunPlace[] {
  return runPlaces(env, rootOf(env, target), undefined);
}

/** Where the runs lie: here, or where a manifest is found from here. */
function rootOf(env: Environment, { path, run }: CandidateRequest): string {
  const start = resolve(env.cwd, path ?? '.');
  if (env.disk.stat(`${start}/${runsFolder}`) !== undefined) return start;
  const manifest = locateManifest(env, path, run);
  return manifest.ok ? dirname(manifest.value) : start;
}

/** `unit/phase` for each; where these are too many, the units first. A task is a unit until somebody types on. */
function stepsOrBeginnings(
  shapes: readonly StageShape[],
  kind: 'cell' | 'task',
  prefix: string,
): Candidate[] {
  const [unitPrefix = '', phasePrefix] = prefix.split('/', 2);
  const steps: string[] = [];
  const units: string[] = [];
  for (const shape of shapes) {
    for (const unit of shape.units) {
      const isMeant = phasePrefix === undefined ? unit.startsWith(unitPrefix) : unit === unitPrefix;
      if (!isMeant) continue;
      units.push(unit);
      if (steps.length > candidatesMax) continue;
      for (const phase of shape.phases)
        if (phase.startsWith(phasePrefix ?? '')) steps.push(`${unit}/${phase}`);
    }
  }
  if (kind === 'task' && phasePrefix === undefined) return abridged(wanted(units, prefix));
  if (steps.length <= candidatesMax) return abridged(wanted(steps, prefix));
  const open = abridged(wanted(units, unitPrefix));
  return open.map(({ word, isBeginning }) => ({ word: isBeginning ? word : `${word}/`, isBeginning: true }));
}

/** Names are read from a disk: what is none of ours may hold anything. */
const safeWord = /^[A-Za-z0-9][A-Za-z0-9._/-]*$/;
const wordLengthMax = 200;

function wanted(words: Iterable<string>, prefix: string): string[] {
  const fitting = new Set<string>();
  for (const word of words)
    if (word.startsWith(prefix) && word.length <= wordLengthMax && safeWord.test(word)) fitting.add(word);
  return [...fitting].sort(byCodeUnit);
}

/**
 * A part of a long list would mislead: shells go on with what all words that they are given have in common. So its
 * words are cut as short as it takes to tell of all of them.
 */
function abridged(words: readonly string[]): Candidate[] {
  if (words.length <= candidatesMax) return words.map((word) => ({ word, isBeginning: false }));
  let cut: ReadonlySet<string> = new Set(['']);
  for (let length = 1; length <= wordLengthMax; length++) {
    const longer = new Set(words.map((word) => word.slice(0, length)));
    if (longer.size > candidatesMax) break;
    cut = longer;
  }
  const whole = new Set(words);
  return [...cut].filter(Boolean).map((word) => ({ word, isBeginning: !whole.has(word) }));
}
