import { expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { workspaceWith, write } from '../support/workspace.ts';

/* A command that did not make its output is told where Pawl looked, and by which variable it finds the path. */

const manifest = `
pawl: 1
pipeline: pages
units: [home]
phases:
  build:
    run: { command: [sh, build.sh] }
    outputs: { main.page: "out/{unit}.html" }
`;

/** Lines are wrapped at the width of the terminal. */
const words = (text: string) => text.replaceAll(/\s+/g, ' ');

it('says where it looked, which variable names the path, and what lies at the declared path instead', async () => {
  const work = workspaceWith(manifest, { 'build.sh': 'mkdir -p out; echo page > out/home.html\n' });
  const run = await pawl(work, 'run');
  expect(run.code).toBe(1);
  const said = words(run.stdout);
  expect(said).toContain('a declared output was not made (output main.page');
  expect(said).toMatch(
    /there is no file at \.pawl\/runs\/\S+\/attempts\/home\/build\/1\/outputs\/main\.page, the path in PAWL_OUTPUT_MAIN_PAGE/,
  );
  expect(said).toContain('a file lies at the declared path out/home.html instead');
  expect(said).toContain('write it to "$PAWL_OUTPUT_MAIN_PAGE" instead');
  const why = words((await pawl(work, 'why', 'home/build')).stdout);
  expect(why).toContain('write it to "$PAWL_OUTPUT_MAIN_PAGE" instead');

  write(work, 'build.sh', 'echo page > "$PAWL_OUTPUT_MAIN_PAGE"\n');
  expect((await pawl(work, 'run')).code).toBe(0);
  // What Pawl put there itself is no mistake of the command.
  write(work, 'build.sh', 'true\n');
  const again = words((await pawl(work, 'run', '--rerun-all', '--reason', 'again')).stdout);
  expect(again).toContain('the path in PAWL_OUTPUT_MAIN_PAGE');
  expect(again).not.toContain('a file lies at');
});
