import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { workspaceWith } from '../support/workspace.ts';

/** `release` takes what `build` made, and comes after `test` as well. */
const manifest = `pawl: 1
pipeline: back-to
channels: [script, terminal]
units: [a]
phases:
  build: { run: { command: [cp, pawl.yaml, "{output.code}"] }, outputs: { code: "out/{unit}.code" } }
  test: { run: { command: [cp, pawl.yaml, "{output.report}"] }, outputs: { report: "out/{unit}.report" } }
  release:
    needs: [build, test]
    run: { command: [cp, "{input.code}", "{output.copy}"] }
    inputs: { code: build.code }
    outputs: { copy: "out/{unit}.copy" }
    checkpoint: { name: Release, when: before }
`;

it('a rejection before a phase goes back to whoever made the last thing that was shown', async () => {
  const workspace = workspaceWith(manifest);
  const asked = await pawl(workspace, 'run');
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain('build then re-runs');
  const rejected = await pawl(workspace, 'reject', 'C1', '--feedback', 'not yet');
  expect(rejected.stdout).toContain('build is done again with the feedback');
  expect((await pawl(workspace, 'plan')).stdout).toMatch(/a\/build|build of a/);
}, 60_000);
