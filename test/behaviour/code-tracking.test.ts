import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.ts';
import { pawl, pawlProcess } from '../support/command.ts';
import { events, eventsOf } from '../support/journal.ts';
import { edit, hashes, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/** What is recorded of the code of phases, and when a run notices that it is another. */

const manifest = `pawl: 1
pipeline: coded
units: [a, b]
phases:
  draft:
    run: { function: "./draft.mjs#draft" }
    outputs: { text: "out/{unit}.md" }
  count:
    run: { command: [node, tools/count.mjs, "{input.text}", "{output.count}"] }
    outputs: { count: "out/{unit}.txt" }
`;

const files = {
  'draft.mjs':
    "import { word } from './lib/words.mjs';\nexport const draft = ({ unit }) => ({ text: [unit.id, word].join(' ') });\n",
  'lib/words.mjs': "export { word } from './word.mjs';\n",
  'lib/word.mjs': "export const word = 'plain';\n",
  'tools/count.mjs':
    "import { readFileSync, writeFileSync } from 'node:fs';\nconst [from, to] = process.argv.slice(2);\nwriteFileSync(to, String(readFileSync(from, 'utf8').length));\n",
};

async function doneWork(text = manifest): Promise<TestWorkspace> {
  const work = workspaceWith(text, files);
  const ran = await pawl(work, 'run');
  expect(ran.code, ran.stderr).toBe(0);
  return work;
}

interface Revision {
  readonly revision: number;
  readonly phases: Readonly<Record<string, { readonly code?: Readonly<Record<string, string | null>> }>>;
}

function codeRecorded(
  work: TestWorkspace,
): Record<string, Readonly<Record<string, string | null>> | undefined> {
  const newest = (eventsOf(work, 'revision_recorded') as unknown as Revision[]).at(-1);
  return Object.fromEntries(Object.entries(newest?.phases ?? {}).map(([phase, { code }]) => [phase, code]));
}

describe('the code of a phase', () => {
  it('is recorded with the results: modules with what they import, and scripts', async () => {
    const work = await doneWork();
    const hash = (path: string) => hashBytes(read(work, path));
    expect(codeRecorded(work)).toEqual({
      draft: {
        'draft.mjs': hash('draft.mjs'),
        'lib/word.mjs': hash('lib/word.mjs'),
        'lib/words.mjs': hash('lib/words.mjs'),
      },
      count: { 'tools/count.mjs': hash('tools/count.mjs') },
    });
  });

  it('makes a new revision when it changes, and none while it does not', async () => {
    const work = await doneWork();
    const before = events(work).length;
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(events(work)).toHaveLength(before);
    edit(work, 'lib/word.mjs', 'plain', 'rare');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(codeRecorded(work).draft?.['lib/word.mjs']).toBe(hashBytes(read(work, 'lib/word.mjs')));
    const since = events(work).length;
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(events(work)).toHaveLength(since);
  });

  it('is reported once when it changes, by plan and by run; its results are outdated', async () => {
    const work = await doneWork();
    const words = 'code of phase draft changed since 2 results were made: lib/word.mjs; kept as outdated';
    edit(work, 'lib/word.mjs', 'plain', 'rare');
    expect((await pawl(work, 'plan')).stdout).toContain(words);
    const first = await pawl(work, 'run');
    expect(first.code).toBe(0);
    expect(first.stdout + first.stderr).toContain(words);
    expect(first.stdout).toContain('2 outdated (kept)');
    const second = await pawl(work, 'run');
    expect(second.stdout + second.stderr).not.toContain('code of phase');
    expect(second.stdout).toContain('2 outdated (kept)');
    // Modules that a module imports are loaded once by a process.
    const rerun = await pawlProcess(work, 'run', '--rerun-changed', '--reason', 'a rare word');
    expect(rerun.stdout).not.toContain('outdated');
    expect(read(work, 'out/a.md')).toContain('rare');
  });

  it('is noticed in a module that is imported since, also where nothing else is to do', async () => {
    const work = await doneWork();
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'lib/more.mjs', 'export const more = 1;\n');
    edit(work, 'lib/word.mjs', 'export', "import './more.mjs';\nexport");
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(Object.keys(codeRecorded(work).draft ?? {})).toContain('lib/more.mjs');
    const since = events(work).length;
    edit(work, 'lib/more.mjs', '1', '2');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(events(work).length).toBeGreaterThan(since);
    expect(codeRecorded(work).draft?.['lib/more.mjs']).toBe(hashBytes('export const more = 2;\n'));
  });

  it('may change its policy at any time: the manifest is the same', async () => {
    const work = await doneWork();
    const before = events(work).length;
    edit(work, 'pawl.yaml', 'units:', 'code: refuse\nunits:');
    edit(work, 'pawl.yaml', '    outputs: { count', '    code: { on_change: ask }\n    outputs: { count');
    const ran = await pawl(work, 'run');
    expect(ran.code, ran.stderr).toBe(0);
    expect(events(work)).toHaveLength(before);
  });

  it('has more files where the manifest says so', async () => {
    const work = await doneWork();
    write(work, 'words.txt', 'one\n');
    edit(
      work,
      'pawl.yaml',
      '    outputs: { count',
      '    code: { files: [words.txt, gone.txt] }\n    outputs: { count',
    );
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(codeRecorded(work).count).toEqual({
      'gone.txt': null,
      'tools/count.mjs': hashBytes(files['tools/count.mjs']),
      'words.txt': hashBytes('one\n'),
    });
  });

  it('is not read through a link out of the workspace, and is known by its real path inside', async () => {
    const work = workspaceWith(manifest.replace('./draft.mjs', './linked/draft.mjs'), {
      ...files,
      'real/draft.mjs':
        "import '../away/a.mjs';\nimport './near.mjs';\nexport { draft } from '../draft.mjs';\n",
      'real/near.mjs': '',
    });
    const away = join(dirname(work.root), 'away');
    mkdirSync(away);
    write({ ...work, root: away }, 'a.mjs', '');
    symlinkSync('../away', join(work.root, 'away'));
    symlinkSync('real', join(work.root, 'linked'));
    const ran = await pawl(work, 'run');
    expect(ran.code, ran.stderr).toBe(0);
    expect(Object.keys(codeRecorded(work).draft ?? {})).toEqual([
      'draft.mjs',
      'lib/word.mjs',
      'lib/words.mjs',
      'real/draft.mjs',
      'real/near.mjs',
    ]);
  });

  it('of a finished run that was made before it was tracked is not written down', async () => {
    const work = await doneWork(manifest.replace('units:', 'code: ignore\nunits:'));
    expect(codeRecorded(work)).toEqual({ draft: undefined, count: undefined });
    edit(work, 'pawl.yaml', 'code: ignore\n', '');
    edit(work, 'lib/word.mjs', 'plain', 'rare');
    const before = hashes(work, '.pawl/runs');
    const ran = await pawl(work, 'run');
    expect(ran.code, ran.stderr).toBe(0);
    const journal = Object.entries(before).filter(([path]) => path.includes('/events/'));
    expect(Object.entries(hashes(work, '.pawl/runs'))).toEqual(expect.arrayContaining(journal));
  });
});
