import { expect } from 'vitest';
import { pawl } from '../support/command.ts';
import { type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/** Three tasks for builders, of which the second needs the first; each leaves a note, the first one a file besides. */
export const crewManifest = `
pawl: 1
pipeline: crew
units:
  - { id: t1, title: Lay the floor, files: [src/floor.txt], how: plain }
  - { id: t2, title: Raise the walls, needs: [t1] }
  - { id: t3, title: Paint the sign }
phases:
  build:
    prompt: { phase: build.md }
    run: { task: builder, lease: 10m, files: files }
    outputs: { note: { path: "notes/{unit}.md", check: non-empty } }
`;

const template = 'Build {{ unit.id }}.\n';

/** A workspace with tasks to be claimed, and a run that somebody has started. */
export async function startedCrew(
  manifest = crewManifest,
  files: Readonly<Record<string, string>> = {},
): Promise<TestWorkspace> {
  const workspace = workspaceWith(manifest, { 'build.md': template, ...files });
  const run = await pawl(workspace, 'run');
  // Whatever it says about what is left to others: it is there.
  expect(run.stderr + run.stdout).not.toContain('a bug');
  return workspace;
}

/** As many tasks as wanted, all of which can be worked on at once. */
export function manyTasks(count: number): string {
  const ids = Array.from({ length: count }, (_, at) => `t${String(at + 1).padStart(3, '0')}`);
  return crewManifest.replace(/units:[\s\S]*?phases:/, `units: [${ids.join(', ')}]\nphases:`);
}

/** Does the work of a task. */
export function doWork(workspace: TestWorkspace, unit: string, text = `${unit} is built\n`): void {
  write(workspace, `notes/${unit}.md`, text);
  if (unit === 't1') write(workspace, 'src/floor.txt', 'oak\n');
}
