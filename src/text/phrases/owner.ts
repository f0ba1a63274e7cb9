import type { LockOwner } from '../../model/failure.ts';
import { plain } from '../style/plain.ts';
import { time } from '../style/words.ts';

/** The owner of a lock, as far as it is known: the line that names it may be damaged. */
export function ownerWords({ pid, host, since }: Pick<LockOwner, 'pid' | 'host' | 'since'>): string {
  const who = pid === 0 ? 'a process that its journal no longer names' : `process ${pid}`;
  return `${who}${host === '' ? '' : ` on ${plain(host)}`}${since === '' ? '' : ` since ${time(since)}`}`;
}
