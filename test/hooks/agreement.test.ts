import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { copyOf, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { ClaudeSession } from './hook-calls.ts';

/* One document, three who judge its age: `pawl brief --check`, the hook before a prompt, the status line. */

const manifest = (layout: string) => `
pawl: 1
pipeline: crowd
units: [a, b]
phases:
  work: { run: { task: worker }, outputs: { o: "out/{unit}.md" } }
${layout}`;

const theirs = `# Ours, kept by hand around the section.
workflow: { id: w-1 }
resumption: {}
`;

const setTime = (time: string) => (text: string) => text.replace(/updated_at: .*/, `updated_at: ${time}`);
const cases: readonly (readonly [string, string, (text: string) => string])[] = [
  ['as Pawl left it', 'FRESH', (text) => text],
  ['with a note beside it', 'FRESH', (text) => `# read me\n${text}`],
  ['from hours ago', 'CRITICAL', setTime('"2026-01-01T00:00:00.000Z"')],
  ['from hours ago, in another style', 'CRITICAL', setTime("!!str '2026-01-01T00:00:00Z'")],
  ['from a time to come', 'STALE', setTime('2999-01-01T00:00:00Z')],
  ['without a time', 'CRITICAL', setTime('null')],
  ['with words for a time', 'CRITICAL', setTime('"last Tuesday"')],
  [
    'that says another status',
    'STALE',
    (text) => text.replace(/workflow_status: .*/, 'workflow_status: running'),
  ],
  ['that cannot be read', 'CRITICAL', (text) => text.replace('recovery_state:', 'recovery_state: [')],
  ['without its section', 'CRITICAL', () => 'workflow: { id: w-1 }\n'],
];

interface Check {
  readonly staleness: { readonly level: string };
}

describe.each([
  ['a file of the run', ''],
  ['a section of another file', 'layout: { brief: ORCHESTRATION.yaml }\n'],
])('a document that is %s', (_, layout) => {
  let done: TestWorkspace;
  let path: string;

  beforeAll(async () => {
    done = workspaceWith(manifest(layout), { 'ORCHESTRATION.yaml': theirs });
    expect((await pawl(done, 'run')).code).toBe(75);
    path = (await pawlJson<{ path: string }>(done, 'brief', '--check')).path;
  });

  it.each(cases)('is judged alike: %s', async (_, level, change) => {
    const work = copyOf(done);
    write(work, path, change(read(work, path)));
    const session = new ClaudeSession(work, 's1');
    const [check, line, told] = await Promise.all([
      pawlJson<Check>(work, 'brief', '--check'),
      session.statusLine(10),
      session.tell('UserPromptSubmit', { prompt: 'go' }),
    ]);
    expect(check.staleness.level).toBe(level);
    expect(line).toMatch(new RegExp(` · ${level}(?: \\(\\w+\\))?\\n$`));
    expect(told).toContain(`Resumption staleness: ${level}`);
  });
});
