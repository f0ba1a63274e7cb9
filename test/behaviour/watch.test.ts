import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { startReading } from '../support/reading.ts';
import { edit, stepsCalled, workspaceWith, write } from '../support/workspace.ts';

const globbed = `
pawl: 1
pipeline: watched
units: { glob: "src/*.md" }
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;

describe('pawl run --watch', () => {
  it('runs again when a file of a unit, the list of units, the manifest or code changes', async () => {
    const work = workspaceWith(globbed, { 'src/a.md': 'a', 'src/b.md': 'b' });
    const watch = startReading(work, 'run', '--watch');
    await watch.says('watching', 1);
    expect(stepsCalled(work)).toEqual(['a/one', 'b/one']);
    write(work, 'src/b.md', 'another b');
    await watch.says('src/b.md changed; running again');
    await watch.says('watching', 2);
    expect(stepsCalled(work, 2)).toEqual(['b/one']);
    write(work, 'src/c.md', 'c');
    await watch.says('src/c.md changed; running again');
    await watch.says('watching', 3);
    expect(stepsCalled(work, 3)).toEqual(['c/one']);
    // A change that is refused is shown as always, and what follows is watched all the same.
    edit(work, 'pawl.yaml', 'pipeline: watched', 'params: { seed: 7 }\npipeline: watched');
    await watch.says('pawl.yaml changed; running again');
    await watch.says('watching', 4);
    edit(work, 'phases.mjs', 'export', '// code\nexport');
    await watch.says('phases.mjs changed; running again');
    await watch.says('watching', 5);
    watch.kill('SIGINT');
    const { code, output } = await watch.ended;
    expect(code).toBe(130);
    expect(output).toContain('stopped watching after 5 runs');
  });

  it('picks up a change that comes while it runs, after that run', async () => {
    const { door, workspace } = await openDoor(workspaceWith(globbed, { 'src/a.md': 'a' }), ['a/one']);
    const watch = startReading(workspace, 'run', '--watch');
    const first = await door.visit('a/one');
    write(workspace, 'src/a.md', 'another a');
    first.answer('go');
    await watch.says('src/a.md changed; running again');
    (await door.visit('a/one')).answer('go');
    await watch.says('watching', 2);
    expect(stepsCalled(workspace)).toEqual(['a/one', 'a/one']);
    // Nothing that the run itself has made starts another one.
    watch.kill('SIGTERM');
    const { output, code } = await watch.ended;
    expect(code).toBe(143);
    expect(output.match(/running again/g)).toHaveLength(1);
  });

  it('ends with the run that Ctrl-C ends, and at once where the call is wrong', async () => {
    const { door, workspace } = await openDoor(workspaceWith(globbed, { 'src/a.md': 'a' }), ['a/one']);
    const watch = startReading(workspace, 'run', '--watch');
    const visit = await door.visit('a/one');
    watch.kill('SIGINT');
    await watch.says('finishing what runs');
    visit.answer('go');
    const { code, output } = await watch.ended;
    expect(code === 130 || code === 0).toBe(true);
    expect(output).toContain('stopped watching after 1 run');
    expect((await pawl(workspace, 'run', '--watch', '--json')).code).toBe(2);
    expect((await pawl(workspace, 'run', 'nowhere', '--watch')).code).toBe(2);
  });
});
