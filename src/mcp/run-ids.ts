import { listRunIds } from '../engine/show/runs.ts';
import { type Session, targetIn } from './session.ts';
import { settled } from './settled.ts';

/** Ids of the newest runs that begin so, the newest first. None where there is no workspace yet: that is no error. */
export async function runIds(session: Session, begun: string): Promise<string[]> {
  const listed = await settled(async () => {
    const target = targetIn(session, {});
    return target.ok ? await listRunIds(session.env, target.value) : target;
  });
  if (!listed.ok) return [];
  return listed.value.filter((id) => id.startsWith(begun)).slice(0, idsMax);
}

const idsMax = 50;
