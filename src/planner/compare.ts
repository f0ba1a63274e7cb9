import { type Hash, hashJson } from '../base/hash.ts';
import type { StepResult } from '../ledger/ledger.ts';
import type { DeclaredFile } from '../model/definition.ts';
import type { PhaseStatics } from '../model/event.ts';
import type { PartChange, RunReason } from '../model/reason.ts';
import type { CurrentFile, CurrentStatics, PhaseDefinitions } from '../pipeline/loaded.ts';
import { rungRole } from '../pipeline/phases/gates.ts';
import type { ConsumedArtifact } from './plan.ts';

/**
 * The files of a phase's code that changed since a revision, sorted. Undefined: the code of one of both is
 * unknown, so a change cannot be seen. A file counts where both know it. One that only one of them knows is
 * no change by itself: what names it has changed, which is a module or a script that both know, the command
 * (its definition), or `code.files` of the manifest.
 */
export function changedCode(
  { code: before }: Pick<PhaseStatics, 'code'>,
  { code: now }: Pick<CurrentStatics, 'code'>,
): string[] | undefined {
  if (before === undefined || now === undefined) return undefined;
  const changed: string[] = [];
  for (const [path, hash] of now) {
    const was = Object.hasOwn(before, path) ? before[path] : undefined;
    // An import that leads nowhere now may have led to a file of another ending.
    const isGone = was === undefined && hash === undefined;
    if (isGone || (was !== undefined && was !== (hash ?? null))) changed.push(path);
  }
  return changed;
}

/** Whether a revision records just the code that a phase has now: also which files it is in, and whether it is known. */
export function isRecordedCode(before: PhaseStatics['code'], now: CurrentStatics['code']): boolean {
  if (before === undefined || now === undefined) return before === now;
  if (Object.keys(before).length !== now.size) return false;
  for (const [path, hash] of now)
    if (!Object.hasOwn(before, path) || before[path] !== (hash ?? null)) return false;
  return true;
}

/** Whether two states of a phase's code are the same as far as both are known. */
export function isKnownCode(before: PhaseStatics['code'], now: CurrentStatics['code']): boolean {
  return before === undefined || now === undefined || isRecordedCode(before, now);
}

const none: readonly never[] = [];

/** What changed of the parts that are the same for every unit: definition, templates, declared files, code. */
export function compareStatics(
  step: { unit: string; phase: string },
  round: number,
  before: PhaseStatics | undefined,
  now: CurrentStatics,
  files: ReadonlyMap<string, DeclaredFile>,
): readonly PartChange[] {
  const changes: PartChange[] = [];
  if (before === undefined || !isDefinedAlike(before, now, round)) {
    const defined = {
      before: before && definitionIn(before, round),
      after: definitionIn(now, round),
    };
    changes.push({ guard: 'definition-changed', ...step, ...defined });
  }
  // A revision that was lost to damage cannot prove anything more.
  if (before === undefined) return changes;
  for (const { role, was, is } of templatesIn(before, now, round)) {
    if (was?.hash === is?.hash) continue;
    const path = is?.path ?? was?.path ?? '';
    const hashes = { before: was?.hash, after: is?.hash, ...(is === undefined && { unused: true as const }) };
    changes.push({ guard: 'prompt-changed', ...step, role, path, ...hashes });
  }
  // A file that the phase no longer takes is a change of its definition, and of nothing else.
  for (const [name, { path, hash: is }] of now.files) {
    const was = before.files[name]?.hash;
    if (was === is || files.get(name)?.onChange === 'ignore') continue;
    changes.push({ guard: 'file-changed', ...step, file: name, path, before: was, after: is });
  }
  const paths = changedCode(before, now);
  if (paths !== undefined && paths.length > 0)
    changes.push({ guard: 'code-changed', ...step, paths, ...codeHashes(before, now, paths) });
  return changes.length === 0 ? none : changes;
}

/** One hash of all files that changed: so a change of code has an old and a new value as every other one has. */
function codeHashes(
  { code: before = {} }: PhaseStatics,
  { code: now }: CurrentStatics,
  paths: readonly string[],
): { readonly before: Hash; readonly after: Hash } {
  const hashOf = (hashes: (path: string) => Hash | null) =>
    hashJson(Object.fromEntries(paths.map((path) => [path, hashes(path)])));
  return { before: hashOf((path) => before[path] ?? null), after: hashOf((path) => now?.get(path) ?? null) };
}

/** Also where an older version of Pawl recorded the definition, with policies in it. */
function isDefinedAlike(before: PhaseStatics, now: CurrentStatics, round: number): boolean {
  const was = definitionIn(before, round);
  if (was === definitionIn(now, round)) return true;
  return now.withPolicies !== undefined && was === definitionIn(now.withPolicies, round);
}

/** What a phase was in one round of a loop: the rungs of its ladder come after the first, and the last one stays. */
export function definitionIn(
  { definition, rungs = [] }: PhaseStatics | PhaseDefinitions,
  round: number,
): Hash {
  return rungs[Math.min(round - 2, rungs.length - 1)] ?? definition;
}

interface ComparedTemplate {
  readonly role: string;
  readonly was: { readonly path: string; readonly hash: Hash } | undefined;
  readonly is: CurrentFile | undefined;
}

/** The templates of a round. Of those of the ladder only the one that the round stood on, and the one it stands on now. */
function templatesIn(before: PhaseStatics, now: CurrentStatics, round: number): ComparedTemplate[] {
  const compared: ComparedTemplate[] = [];
  for (const role of union(Object.keys(before.templates), now.templates.keys())) {
    if (role.startsWith('rung:')) continue;
    compared.push({ role, was: before.templates[role], is: now.templates.get(role) });
  }
  const wasOn = rungRole(Math.min(round - 2, (before.rungs?.length ?? 0) - 1));
  const isOn = rungRole(Math.min(round - 2, now.rungs.length - 1));
  const was = before.templates[wasOn];
  const is = now.templates.get(isOn);
  compared.push({ role: is === undefined ? wasOn : isOn, was, is });
  return compared;
}

/** Two revisions give a phase the same parts. */
export function sameStatics(before: PhaseStatics | undefined, now: CurrentStatics): boolean {
  if (before === undefined) return false;
  const isDefined = sameDefinitions(before, now) || sameDefinitions(before, now.withPolicies);
  return isDefined && sameFiles(before.templates, now.templates) && sameFiles(before.files, now.files);
}

function sameDefinitions(before: PhaseStatics, now: PhaseDefinitions | undefined): boolean {
  if (now === undefined || before.definition !== now.definition) return false;
  const rungs = before.rungs ?? [];
  return rungs.length === now.rungs.length && rungs.every((rung, at) => rung === now.rungs[at]);
}

/** What was consumed, by input: hashes decide, not times and not attempt numbers. */
export function compareInputs(
  result: StepResult,
  now: ReadonlyMap<string, ConsumedArtifact>,
): RunReason | undefined {
  const before = result.inputs;
  let count = 0;
  for (const name in before) {
    count += 1;
    const was = refHash(before[name]);
    const is = now.get(name)?.output.hash;
    if (was !== is) return { code: 'input-changed', input: name, before: was, after: is };
  }
  if (count === now.size) return undefined;
  for (const [name, consumed] of now) {
    if (before?.[name] === undefined) {
      return { code: 'input-changed', input: name, before: undefined, after: consumed.output.hash };
    }
  }
  return undefined;
}

/** The hash in `PHASE#ATTEMPT HASH`. */
export function refHash(ref: string | undefined): Hash | undefined {
  return ref === undefined ? undefined : (ref.slice(ref.indexOf(' ') + 1) as Hash);
}

/** Which attempt at which phase a result was made from; of another unit the phase has that unit before it. */
export function refAttempt(ref: string): { readonly phase: string; readonly attempt: number } {
  const hash = ref.lastIndexOf('#', ref.indexOf(' '));
  return { phase: ref.slice(0, hash), attempt: Number.parseInt(ref.slice(hash + 1), 10) };
}

function sameFiles(before: PhaseStatics['files'], now: CurrentStatics['files']): boolean {
  let found = 0;
  for (const [name, file] of now) {
    // A file that is gone is recorded as not there at all.
    if (file.hash === undefined) continue;
    if (before[name]?.hash !== file.hash) return false;
    found += 1;
  }
  return Object.keys(before).length === found;
}

function union(a: Iterable<string>, b: Iterable<string>): Set<string> {
  return new Set([...a, ...b]);
}
