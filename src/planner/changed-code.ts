import type { PhaseStatics } from '../model/event.ts';
import type { CurrentStatics } from '../pipeline/loaded.ts';

/**
 * The files of a phase's code that changed since a revision, sorted. Undefined: the code of one of both is not known, so
 * a change of it cannot be told.
 *
 * A file counts where both know it. One that only one of them knows is no change by itself: what names it has changed,
 * which is a module or a script that both know, the command (its definition), or `code.files` of the manifest.
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
