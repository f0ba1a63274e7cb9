import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashBytes, hashJson } from '../../src/base/hash.ts';
import { pawl, pawlJson } from '../support/command.ts';
import { events } from '../support/journal.ts';
import { rewriteJournal } from '../support/older-journal.ts';
import { edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const notes = Object.fromEntries(names.map((name) => [`notes/${name}.md`, `note ${name}\nof the sea\n`]));

const mock = `import { appendFileSync } from 'node:fs';
export function answer({ prompt, files }) {
  appendFileSync('calls.log', JSON.stringify({ prompt, files: files.map((file) => file.name) }) + '\\n');
  return 'short: ' + prompt;
}
`;

const summaries = (units: string, phases = '', model = '') => `pawl: 1
pipeline: summaries
models: { providers: { mock: { function: ./mock.mjs#answer } } }
units: ${units}
phases:
  summarize:
    model: { use: mock/one, temperature: 0, max_tokens: 100${model} }
    prompt: prompt.md
    outputs: { summary: "summaries/{unit}.md" }
${phases}`;
const count = `  count:
    run: { command: [sh, -c, 'wc -w < "$0" > "$PAWL_OUTPUT_WORDS"', "{input.summary}"] }
    outputs: { words: "words/{unit}.txt" }
`;

const prompt = '{{ unit.file.name }} {{ unit.file.stem }}: {{ unit.file.text }}';

interface Ran {
  readonly exitCode: number;
  readonly ran: { readonly succeeded: number; readonly failed: number };
}

const started = (work: TestWorkspace, since: number) =>
  events(work)
    .slice(since)
    .flatMap(({ type, unit, phase }) => (type === 'attempt_started' ? [`${unit}/${phase}`] : []));

const callsOf = (work: TestWorkspace) =>
  (has(work, 'calls.log') ? read(work, 'calls.log') : '').split('\n').filter((line) => line !== '');

describe('twelve files, a model and files', () => {
  it('re-run one unit after an edit of one file, and say why', async () => {
    const work = workspaceWith(summaries('{ glob: "notes/*.md" }', count), {
      ...notes,
      'mock.mjs': mock,
      'prompt.md': prompt,
    });
    expect(await pawlJson<Ran>(work, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 24 } });
    expect(read(work, 'summaries/c.md')).toBe('short: c.md c: note c\nof the sea\n');
    const before = events(work).length;
    const was = hashBytes(Buffer.from(notes['notes/c.md'] ?? ''));
    const [first] = events(work).filter(({ type, unit }) => type === 'attempt_started' && unit === 'c');
    expect(first).toMatchObject({ unitFile: { path: 'notes/c.md', hash: was } });
    expect(first?.unitData).toBe(hashJson({ path: 'notes/c.md' }));

    write(work, 'notes/c.md', 'note c\nof the mountains\n');
    const now = hashBytes(read(work, 'notes/c.md'));
    const short = (hash: string) => hash.slice(0, 'sha256:'.length + 8);
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toContain(`summarize of c: file notes/c.md changed (${short(was)} → ${short(now)})`);
    const why = await pawl(work, 'why', 'c/summarize');
    expect(why.stdout).toMatch(new RegExp(`file +notes/c.md +${short(was)} → ${short(now)}`));
    expect((await pawlJson<{ parts: object[] }>(work, 'why', 'c/summarize')).parts).toContainEqual(
      expect.objectContaining({ name: 'file', path: 'notes/c.md', recorded: was, now, same: false }),
    );
    const diff = await pawl(work, 'diff', 'c/summarize');
    expect(diff.stdout).toContain('-of the sea\n+of the mountains');
    const { stdout } = await pawl(work, 'prompt', 'c/summarize');
    expect(stdout).toContain('of the mountains');

    expect(await pawlJson<Ran>(work, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 2 } });
    expect(started(work, before)).toEqual(['c/summarize', 'c/count']);
    expect(callsOf(work)).toHaveLength(13);
    expect(events(work).find(({ attempt, unit }) => attempt === 2 && unit === 'c')?.why).toMatchObject({
      code: 'unit-changed',
      change: 'notes/c.md',
      before: was,
      after: now,
      policy: 'default',
    });
    expect((await pawl(work, 'diff')).stdout).toBe('nothing has changed\n');
    expect(await pawlJson<Ran>(work, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 0 } });

    // Many edits are one line.
    for (const name of names) write(work, `notes/${name}.md`, `${name}\n`);
    expect((await pawl(work, 'plan')).stdout).toMatch(
      /run +summarize of 12 units: the file of each unit changed/,
    );
  });
});

describe('a run that an older Pawl has made', () => {
  const work = () =>
    workspaceWith(
      `pawl: 1
pipeline: copies
units: { glob: "notes/*.md" }
phases:
  copy:
    run: { command: [cp, "{unit.path}", "{output.copy}"] }
    outputs: { copy: "copies/{unit}.md" }
`,
      { 'notes/a.md': 'a\n', 'notes/b.md': 'b\n' },
    );

  it('re-runs and refuses nothing, and afterwards only what was edited', async () => {
    const older = work();
    expect((await pawl(older, 'run')).code).toBe(0);
    // It recorded the file's hash as one of the fields.
    rewriteJournal(older, ({ unitFile, ...event }) =>
      event.type === 'attempt_started'
        ? {
            ...event,
            unitData: hashJson({ path: `notes/${event.unit}.md`, hash: String(fileHash(unitFile)) }),
          }
        : event,
    );
    expect(events(older).some((event) => 'unitFile' in event)).toBe(false);
    expect((await pawl(older, 'plan')).stdout).toContain('run has nothing to do');
    expect(await pawlJson<Ran>(older, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 0 } });
    const why = await pawl(older, 'why', 'a/copy');
    expect(why.stdout).toMatch(/= file +notes\/a.md/);

    write(older, 'notes/b.md', 'bb\n');
    expect((await pawl(older, 'plan')).stdout).toContain('copy of b: file notes/b.md changed');
    const before = events(older).length;
    expect(await pawlJson<Ran>(older, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 1 } });
    expect(started(older, before)).toEqual(['b/copy']);
    expect(await pawlJson<Ran>(older, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 0 } });
  });

  it('keeps an edited file with --keep-changed, and compares its bytes from then on', async () => {
    const older = work();
    edit(older, 'pawl.yaml', '"notes/*.md" }', '"notes/*.md", on_change: refuse }');
    expect((await pawl(older, 'run')).code).toBe(0);
    rewriteJournal(older, ({ unitFile, ...event }) =>
      event.type === 'attempt_started'
        ? {
            ...event,
            unitData: hashJson({ path: `notes/${event.unit}.md`, hash: String(fileHash(unitFile)) }),
          }
        : event,
    );
    write(older, 'notes/b.md', 'bb\n');
    const refused = await pawl(older, 'run');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('notes/b.md, the file of b, changed');
    expect((await pawl(older, 'run', '--keep-change', 'notes/b.md', '--reason', 'a typo')).code).toBe(0);
    expect((await pawl(older, 'status')).stdout).toContain('outdated');
    write(older, 'notes/b.md', 'bbb\n');
    expect((await pawl(older, 'run')).code).toBe(4);
    write(older, 'notes/b.md', 'bb\n');
    expect((await pawl(older, 'run')).code).toBe(0);
  });
});

function fileHash(unitFile: unknown): unknown {
  return (unitFile as { readonly hash?: unknown } | undefined)?.hash;
}

describe('who takes the file', () => {
  it('are phases without needs and those that name it: commands, functions and tasks get it', async () => {
    const work = workspaceWith(
      `pawl: 1
pipeline: takers
units:
  list: [{ id: a, source: text/a.md }, { id: b, source: text/b.md }]
  file: source
phases:
  first:
    run: { function: ./takes.mjs#first }
    outputs: { text: "first/{unit}.txt" }
  blind:
    run: { command: [sh, -c, 'echo "\${PAWL_INPUT_FILE:-none}" > "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: "blind/{unit}.txt" }
  last:
    run: { command: [sh, -c, 'cat "$0" "$PAWL_INPUT_SOURCE" > "$PAWL_OUTPUT_TEXT"', "{input.source}"] }
    inputs: { source: unit.file }
    outputs: { text: "last/{unit}.txt" }
  review:
    run: { task: editor }
    inputs: { file: { from: unit.file, on_change: keep }, text: last.text }
    outputs: { review: "reviews/{unit}.md" }
`,
      {
        'text/a.md': 'A\n',
        'text/b.md': 'B\n',
        'takes.mjs':
          "export const first = ({ inputs: { file } }) => ({ text: file.path.slice(-9) + ' ' + file.text() });\n",
      },
    );
    expect((await pawl(work, 'run')).code).toBe(75);
    expect(read(work, 'first/a.txt')).toBe('text/a.md A\n');
    expect(read(work, 'blind/a.txt')).toBe('none\n');
    expect(read(work, 'last/a.txt')).toBe('A\nA\n');
    const { task } = await pawlJson<{ task: { inputs: object[] } }>(work, 'next', '--actor', 'ann');
    expect(task.inputs).toContainEqual({ name: 'file', path: 'text/a.md' });
    write(work, 'reviews/a.md', 'fine\n');
    expect((await pawl(work, 'complete', 'a', '--actor', 'ann')).code).toBe(0);

    write(work, 'text/a.md', 'AA\n');
    const plan = await pawl(work, 'plan');
    expect(plan.stdout).toContain('first of a: file text/a.md changed');
    expect(plan.stdout).not.toMatch(/run +.*blind/);
  });

  it('is told when the stage has no files, or the phase does not take it', async () => {
    const one = '  one: { run: { command: [x] }, outputs: { o: "o/{unit}" }, inputs: { file: unit.file } }\n';
    const none = workspaceWith(`pawl: 1\npipeline: p\nunits: [a]\nphases:\n${one}`);
    const wrong = await pawl(none, 'plan');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('unit.file needs units with a file');

    const later = workspaceWith(summaries('{ glob: "notes/*.md" }', `${count}    prompt: prompt.md\n`), {
      ...notes,
      'mock.mjs': mock,
      'prompt.md': prompt,
    });
    const untaken = await pawl(later, 'plan');
    expect(untaken.code).toBe(2);
    expect(untaken.stderr).toContain('add inputs: { file: unit.file }');
  });

  it('of an own input or field called file is told, and these go first', async () => {
    const work = workspaceWith(
      `pawl: 1
pipeline: hidden
inputs: { guide: guide.md }
units: { list: [{ id: a, file: mine, source: text/a.md }], file: source }
phases:
  one:
    run: { command: [sh, -c, 'cp "$PAWL_PROMPT" "$PAWL_OUTPUT_O"'] }
    prompt: prompt.md
    outputs: { o: "one/{unit}" }
  two:
    needs: []
    run: { command: [sh, -c, 'cp "$PAWL_INPUT_FILE" "$PAWL_OUTPUT_O"'] }
    inputs: { file: guide }
    outputs: { o: "two/{unit}" }
`,
      { 'guide.md': 'guide\n', 'text/a.md': 'A\n', 'prompt.md': '{{ unit.file }} {{ inputs.file }}' },
    );
    const run = await pawlJson<{ notices: object[] }>(work, 'run');
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.notices).toEqual(
      expect.arrayContaining([
        { code: 'own-file-hidden', by: 'field', phase: 'one' },
        { code: 'own-file-hidden', by: 'input', phase: 'two' },
      ]),
    );
    expect(read(work, 'one/a')).toContain('mine A\n');
    expect(read(work, 'two/a')).toBe('guide\n');
  });
});

describe('an edited file, by policy', () => {
  const manifest = (units: string, inputs: string) => `pawl: 1
pipeline: policies
units: ${units}
phases:
  copy:
    run: { command: [cp, "{input.file}", "{output.copy}"] }
    ${inputs}
    outputs: { copy: "copies/{unit}.md" }
`;
  const list = (more = '') => `{ list: [{ id: a, path: notes/a.md, mood: glad }], file: path${more} }`;

  it('re-runs also where the units are written in the manifest, whose fields refuse', async () => {
    const work = workspaceWith(manifest(list(), ''), { 'notes/a.md': 'a\n' });
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'notes/a.md', 'aa\n');
    expect(await pawlJson<Ran>(work, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 1 } });
    expect(read(work, 'copies/a.md')).toBe('aa\n');
    edit(work, 'pawl.yaml', 'glad', 'sad');
    expect((await pawl(work, 'run')).code).toBe(4);
  });

  it('is treated as the input says, before what the units say', async () => {
    const inputs = 'inputs: { file: { from: unit.file, on_change: refuse } }';
    const work = workspaceWith(manifest('{ glob: "notes/*.md", on_change: keep }', inputs), {
      'notes/a.md': 'a\n',
      'notes/b.md': 'b\n',
    });
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'notes/a.md', 'aa\n');
    const refused = await pawlJson<{ refusals: object[] }>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 4, refusals: [{ guard: 'unit-changed', file: 'notes/a.md' }] });
    expect((await pawl(work, 'diff')).stdout).toContain('-a\n+aa');
    expect((await pawl(work, 'run', '--rerun-change', 'notes/a.md', '--reason', 'meant')).code).toBe(0);
    expect(read(work, 'copies/a.md')).toBe('aa\n');

    // A policy may change at any time.
    edit(work, 'pawl.yaml', ', on_change: refuse', '');
    write(work, 'notes/b.md', 'bb\n');
    expect(await pawlJson<Ran>(work, 'run')).toMatchObject({ exitCode: 0, ran: { succeeded: 0 } });
    expect((await pawl(work, 'status')).stdout).toContain('outdated');
    expect((await pawl(work, 'diff', 'b/copy')).stdout).toContain('-b\n+bb');
  });
});

describe('a file that cannot be had', () => {
  const manifest = `pawl: 1
pipeline: gone
inputs: { units: units.yaml }
units: { from: units.list, file: path }
phases:
  copy:
    run: { command: [cp, "{input.file}", "{output.copy}"] }
    outputs: { copy: "copies/{unit}.md" }
`;
  const units = 'list:\n  - { id: a, path: notes/a.md }\n  - { id: b, path: notes/b.md }\n';

  it('stops the run before anything is started', async () => {
    const work = workspaceWith(manifest, { 'units.yaml': units, 'notes/a.md': 'a\n' });
    const missing = await pawl(work, 'run');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('there is no file notes/b.md');
    expect(has(work, 'copies')).toBe(false);

    writeFileSync(join(work.root, '..', 'outside.md'), 'secret\n');
    symlinkSync('../../outside.md', join(work.root, 'notes/b.md'));
    const outside = await pawl(work, 'run');
    expect(outside.code).toBe(2);
    expect(outside.stderr).toContain('notes/b.md');
    expect(has(work, 'copies')).toBe(false);
  });

  it('is refused for a run that is there, kept where there is a result, and needed where there is none', async () => {
    const work = workspaceWith(manifest, { 'units.yaml': units, 'notes/a.md': 'a\n', 'notes/b.md': 'b\n' });
    expect((await pawl(work, 'run')).code).toBe(0);
    rmSync(join(work.root, 'notes/b.md'));
    const refused = await pawl(work, 'run', '--rerun-changed', '--reason', 'x');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('notes/b.md, the file of b, is missing');
    expect((await pawl(work, 'run', '--keep-changed', '--reason', 'archived')).code).toBe(0);

    write(work, 'units.yaml', `${units}  - { id: c, path: notes/c.md }\n`);
    const needed = await pawl(work, 'run', '--keep-changed', '--reason', 'x');
    expect(needed.code).toBe(4);
    expect(needed.stderr).toContain('needed by copy of c, which would run');
    write(work, 'notes/c.md', 'c\n');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'copies/c.md')).toBe('c\n');
  });

  it('as text is named with its size, and goes by its path or as an attachment', async () => {
    const files = { 'mock.mjs': mock, 'notes/big.md': 'x'.repeat(1024 * 1024 + 1) };
    const work = workspaceWith(summaries('{ glob: "notes/*.md" }'), { ...files, 'prompt.md': prompt });
    write(work, 'notes/raw.md', Uint8Array.from([0xff, 0xfe, 0, 1]));
    const failed = await pawl(work, 'run');
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('notes/big.md (1 MB) is larger than 1 MB');
    expect(failed.stderr).toContain('notes/raw.md (4 bytes) is not text in UTF-8');
    expect(callsOf(work)).toEqual([]);

    edit(work, 'pawl.yaml', 'max_tokens: 100', 'max_tokens: 100, attach: [file]');
    write(work, 'prompt.md', 'see {{ unit.file.path }}');
    const attached = await pawl(work, 'run', '--rerun-changed', '--reason', 'attach');
    expect(attached.code, attached.stderr).toBe(0);
    expect(
      callsOf(work)
        .map((line) => JSON.parse(line))
        .toSorted((a, b) => (a.prompt < b.prompt ? -1 : 1)),
    ).toEqual([
      { prompt: 'see notes/big.md', files: ['file'] },
      { prompt: 'see notes/raw.md', files: ['file'] },
    ]);
  });
});

it('an attempt gets the bytes that are recorded for it, also when the file is edited meanwhile', async () => {
  const work = workspaceWith(
    `pawl: 1
pipeline: meanwhile
pace: { concurrency: 1 }
units: { glob: "notes/*.md" }
phases:
  copy:
    run: { command: [sh, -c, 'cp "$PAWL_INPUT_FILE" "$PAWL_OUTPUT_COPY"; echo edited > "$0/notes/b.md"', "."] }
    outputs: { copy: "copies/{unit}.md" }
`,
    { 'notes/a.md': 'a\n', 'notes/b.md': 'b\n' },
  );
  expect((await pawl(work, 'run')).code).toBe(0);
  expect(read(work, 'copies/b.md')).toBe('b\n');
  expect(read(work, 'notes/b.md')).toBe('edited\n');
  const again = await pawlJson<Ran>(work, 'run');
  expect(again).toMatchObject({ exitCode: 0, ran: { succeeded: 1 } });
  expect(read(work, 'copies/b.md')).toBe('edited\n');
});
