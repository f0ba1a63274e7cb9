import { replaceFileNow } from '../../disk/write.ts';
import type { EventBody } from '../../model/event.ts';
import { keepOwnFile } from '../../runner/attempts/inputs.ts';
import { inWorkspace, type RunContext } from '../../runner/context.ts';

/** Puts the bytes of files that are about to be adopted into the content store, before the record that names them. */
export async function keepAdopted(
  run: Pick<RunContext, 'loaded' | 'facts' | 'store' | 'disk' | 'root'>,
  events: readonly EventBody[],
): Promise<void> {
  const { state } = run.loaded.pipeline;
  for (const event of events) {
    if (event.type !== 'artifact_adopted') continue;
    if (event.unitFile !== undefined) await keepOwnFile(run, event.unitFile);
    const { path, hash } = event.after;
    // An edited state was edited where it is shown; the unit's own snapshot of it follows.
    const source =
      state !== undefined && event.output === 'state' && run.facts.state?.shown?.hash === hash
        ? state.path
        : path;
    const kept = await run.store.putFile(inWorkspace(run, source));
    if (kept?.hash !== hash) throw new Error(`${source} changed while it was being adopted`);
    if (source === path) continue;
    const bytes = run.disk.read(inWorkspace(run, source));
    if (bytes !== undefined) replaceFileNow(run.disk, inWorkspace(run, path), bytes, undefined, 'shared');
  }
}
