import { ok } from '../../base/result.ts';
import type { CallPlace } from '../../engine/open/environment.ts';
import type { Act } from '../act.ts';

/** `pawl` alone in a workspace. */
export const act: Act = async (_call, face) => {
  const { standHere } = await import('../../engine/show/alone.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const here = await standHere(env);
  const below = !here.ok && here.failure.reason === 'which-workspace' ? here.failure.candidates : [];
  // Nothing is run by looking at it: the only one that lies around is shown as if it had been named.
  const answer = below.length === 1 ? await standHere(env, { path: below[0] }) : here;
  return answer.ok ? ok({ command: 'alone', answer: answer.value }) : answer;
};

/** Whether there is a manifest to speak of, or trouble with finding one. Nothing that reads manifests is loaded. */
export async function hasManifest(place: CallPlace): Promise<boolean> {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const { locateManifest } = await import('../../engine/open/locate.ts');
  try {
    const manifest = locateManifest(systemEnvironment(place), undefined);
    return manifest.ok || manifest.failure.reason !== 'manifest-not-found';
  } catch {
    // The act meets the same trouble, and there it is told.
    return true;
  }
}
