import type { JsonObject } from '../base/json.ts';
import { removedSecret, withoutSecrets } from '../model/secrets.ts';
import type { ValueChange } from '../model/value-change.ts';
import { diffManifests } from './diff.ts';
import type { LoadedPipeline } from './loaded.ts';

/** Where two manifests, or the fields of a unit, differ. That a secret changed is shown, not its value. */
export function changesForPeople(
  before: JsonObject,
  after: JsonObject,
  locate?: LoadedPipeline['locate'],
): ValueChange[] {
  const shown = diffManifests(withoutSecrets(before), withoutSecrets(after), locate);
  const byPath = new Map(shown.map((change) => [change.path, change]));
  return diffManifests(before, after, locate).map(
    (change) => byPath.get(change.path) ?? { ...change, before: removedSecret, after: removedSecret },
  );
}

/** The phase that a place in the manifest is in. */
export function phaseOf(path: string): string | undefined {
  return /^(?:stages\[\d+\]\.)?phases\.([^.[]+)/.exec(path)?.[1];
}
