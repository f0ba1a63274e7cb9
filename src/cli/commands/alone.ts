import type { CallPlace } from '../../engine/open/environment.ts';
import { environmentOf, type Outcome, present } from '../command.ts';
import type { Face } from '../face.ts';

/** `pawl` without a command, in a workspace: shows where it stands. */
export async function performAlone(face: Face): Promise<Outcome> {
  const { describeFolder } = await import('../../engine/show/describe-folder.ts');
  const env = await environmentOf(face);
  const here = await describeFolder(env);
  const below = !here.ok && here.failure.reason === 'which-workspace' ? here.failure.candidates : [];
  // Showing starts nothing, so the only manifest below may be shown as if it had been named.
  const answer = below.length === 1 ? await describeFolder(env, { path: below[0] }) : here;
  return present('alone', answer, {
    loadText: async () => (await import('../../text/alone.ts')).aloneText,
  });
}

/** Whether a manifest is found here, or finding one fails. Loads nothing that reads manifests. */
export async function hasManifest(place: CallPlace): Promise<boolean> {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const { locateManifest } = await import('../../engine/open/locate.ts');
  try {
    const manifest = locateManifest(systemEnvironment(place), undefined);
    return manifest.ok || manifest.failure.reason !== 'manifest-not-found';
  } catch {
    // `performAlone` meets the same error and reports it.
    return true;
  }
}
