import type { OutdatedPart, Refusal } from './reason.ts';

/**
 * The names by which a person answers a refusal: the path of a file, or a place in the manifest. A refusal with several
 * names is answered when each of them is.
 */
export function changeName(refusal: Refusal | OutdatedPart): readonly string[] {
  switch (refusal.guard) {
    case 'manifest-changed':
      return refusal.names;
    case 'prompt-changed':
    case 'file-changed':
    case 'output-edited':
    case 'state-edited':
      return [refusal.path];
    case 'definition-changed':
      return [`phases.${refusal.phase}`];
    case 'unit-changed':
      return [refusal.file ?? `units.${refusal.unit}`];
    case 'code-changed':
      return [`code.${refusal.phase}`];
    case 'pre-state-differs':
      return ['state'];
    case 'input-changed':
      return [`inputs.${refusal.input}`];
    case 'in-doubt':
      return [];
  }
}

/** Tells whether a change is the one that was shown: another one of the same file has other hashes. */
export function changeKey(change: Refusal | OutdatedPart): string {
  return JSON.stringify({ ...change, asks: undefined, chosen: undefined, isAnswered: undefined });
}
