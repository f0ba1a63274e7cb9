import type { Executor, Unit } from '../../model/definition.ts';

/** Files of the workspace that a unit says have to be there when it is done. */
export function taskFiles({ files }: Executor & { kind: 'task' }, { data }: Unit): string[] {
  const listed = files === undefined ? undefined : data[files];
  const paths = Array.isArray(listed) ? listed : [listed];
  return paths.filter((path) => typeof path === 'string' && path !== '') as string[];
}
