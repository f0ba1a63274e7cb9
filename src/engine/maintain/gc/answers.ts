import { answersFolder, responseIn } from '../../../runner/attempts/answer-index.ts';
import { openContent } from '../../../store/open-store.ts';
import { objectsFolder } from '../../open/workspace.ts';
import { type GcScope, isRunInPlace } from './ground.ts';

/** Answers whose bytes are gone are not found any more: what says where they were is of no use. */
export function forgetAnswers(ground: GcScope): void {
  const { env, root } = ground;
  const { disk } = env;
  if (disk.stat(`${root}/${answersFolder}`) === undefined || !isRunInPlace(ground, answersFolder)) return;
  const store = openContent(disk, `${root}/${objectsFolder}`, { durable: false, ids: env.ids });
  for (const name of disk.list(`${root}/${answersFolder}`) ?? []) {
    const folder = `${root}/${answersFolder}/${name}`;
    for (const file of disk.list(folder) ?? []) {
      const response = responseIn(disk, `${folder}/${file}`);
      if (response !== undefined && !store.has(response)) disk.remove(`${folder}/${file}`);
    }
    if (disk.list(folder)?.length === 0) disk.remove(folder);
  }
}
