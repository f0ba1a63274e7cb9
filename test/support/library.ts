import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import type { Environment } from '../../src/engine/open/environment.ts';
import { projectRoot, type TestWorkspace } from './workspace.ts';

/** The library as its users get it: what the build has made of `src/index.ts`. */
export async function library(): Promise<typeof import('../../src/index.ts')> {
  return await import(pathToFileURL(join(projectRoot, 'dist/index.js')).href);
}

/** The environment in which the library sees what the command sees. */
export async function libraryEnvironment({ env }: TestWorkspace): Promise<Environment> {
  const { systemEnvironment } = await library();
  return { ...systemEnvironment(), stateFolder: join(env.XDG_STATE_HOME ?? '', 'pawl') };
}

/** A run now would find everything done and write nothing. Asked without a process of its own: it is asked often. */
export async function expectNothingToDo(workspace: TestWorkspace): Promise<void> {
  const { run } = await library();
  const answer = await run({ path: workspace.root }, await libraryEnvironment(workspace));
  expect(answer).toMatchObject({ ok: true, value: { kind: 'unchanged', heading: { status: 'completed' } } });
}

/** Everything that the run has left is as it was recorded. */
export async function expectSound(workspace: TestWorkspace): Promise<void> {
  const { verify } = await library();
  const answer = await verify({ path: workspace.root }, await libraryEnvironment(workspace));
  if (!answer.ok) throw new Error(answer.failure.reason);
  expect(answer.value.findings.filter(({ weight }) => weight === 'loud')).toEqual([]);
}
