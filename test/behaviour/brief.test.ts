import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject, JsonValue } from '../../src/base/json.ts';
import { sectionNames } from '../../src/projections/brief/document.ts';
import { problemsOf } from '../../src/projections/brief/schema.ts';
import { type Answer, pawl, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import { edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

/** Two notes that somebody drafts, and Pawl sets. */
const manifest = (more = '') => `
pawl: 1
pipeline: notes
units: [a, b]
${more}
phases:
  draft:
    run: { task: writer }
    outputs: { text: "out/{unit}.md" }
  set:
    run: { function: ./phases.mjs#step }
    inputs: { draft: draft.text }
    outputs: { text: "out/{unit}.txt" }
`;

/** The same with a run that waits for its writers. */
async function begun(more = ''): Promise<TestWorkspace> {
  const work = workspaceWith(manifest(more));
  await expectCode(work, 75, 'run');
  return work;
}

const documentPath = (work: TestWorkspace) => `${runFolder(work)}/brief.yaml`;
const sectionOf = (text: string) => (parse(text) as { readonly resumption: JsonObject }).resumption;
const documentOf = (work: TestWorkspace) => sectionOf(read(work, documentPath(work)));

interface BriefJson extends Answer {
  readonly brief: Readonly<Record<string, JsonObject & JsonValue[]>>;
  readonly text: string;
  readonly digest: string;
  readonly tokens: { readonly document: number; readonly digest: number };
  readonly path: string;
  readonly isSection: boolean;
  readonly staleness: { readonly level: string; readonly code: string };
  readonly edits: readonly { readonly path: string; readonly found: JsonValue }[];
}

describe('pawl brief', () => {
  it('prints the document as it lies there, what it weighs, and that it is true', async () => {
    const work = await begun();
    const { stdout } = await expectCode(work, 0, 'brief');
    expect(sectionOf(stdout)).toEqual(documentOf(work));
    expect(problemsOf(sectionOf(stdout))).toEqual([]);
    expect(Object.keys(sectionOf(stdout))).toEqual(sectionNames);
    expect(stdout).toMatch(
      /# .*FRESH: nothing has happened since it was written; \.pawl\/runs\/.*\/brief\.yaml, about \d+ tokens, \d+ as an agent is handed it\n$/,
    );
    expect(documentOf(work)).toMatchObject({
      recovery_state: {
        workflow_status: 'paused',
        next_step: 'Claim what is next: `pawl next --actor NAME`.',
      },
    });
  });

  it('--check says whether it is true, and changes nothing', async () => {
    const work = await begun();
    const { stdout } = await expectCode(work, 0, 'brief', '--check');
    expect(stdout).toContain('FRESH: nothing has happened since it was written');
    edit(work, documentPath(work), 'workflow_status: paused', 'workflow_status: completed');
    const before = [read(work, documentPath(work)), statSync(join(work.root, documentPath(work))).mtimeMs];
    const edited = await expectCode(work, 4, 'brief', '--check');
    expect(edited.stdout).toContain('recovery_state.workflow_status was edited by hand ("completed")');
    expect(edited.stdout).toContain('to bring it up to the journal:\n      pawl brief');
    expect([read(work, documentPath(work)), statSync(join(work.root, documentPath(work))).mtimeMs]).toEqual(
      before,
    );

    await expectCode(work, 0, 'brief');
    expect(documentOf(work)).toMatchObject({ recovery_state: { workflow_status: 'paused' } });
    expect(eventsOf(work, 'brief_edited', 'hooks')).toMatchObject([
      { edits: [{ path: 'recovery_state.workflow_status', found: 'completed' }] },
    ]);
    await expectCode(work, 0, 'brief', '--check');
  });

  it('--json has everything that the words are made from', async () => {
    const work = await begun();
    const { finished, ...answer } = await pawlJson<BriefJson>(work, 'brief');
    expect(finished.code).toBe(0);
    expect(answer).toMatchObject({
      ok: true,
      command: 'brief',
      exitCode: 0,
      brief: documentOf(work),
      path: documentPath(work),
      isSection: false,
      staleness: { level: 'FRESH', code: 'nothing-since' },
      edits: [],
    });
    expect(read(work, documentPath(work)).endsWith(answer.text)).toBe(true);
    expect(answer.digest).toBe(read(work, `${runFolder(work)}/RESUME.md`));
    expect(answer.tokens.digest).toBeGreaterThan(100);
    expect(answer.tokens.document).toBeGreaterThan(answer.tokens.digest);
    edit(work, documentPath(work), 'count: 0', 'count: 3');
    expect(await pawlJson<BriefJson>(work, 'brief', '--check')).toMatchObject({
      ok: false,
      reason: 'edited',
      exitCode: 4,
      edits: [{ path: 'compaction_events.count', found: 3 }],
    });
  });

  it('--digest is what an agent is handed, and stays small', async () => {
    const work = await begun();
    const long = 'a very long story '.repeat(200);
    for (let nth = 0; nth < 3; nth++)
      await expectCode(work, 0, 'decide', `${nth} ${long}`, '--because', long);
    await expectCode(work, 0, 'summary', 'writer-1', long);
    const { stdout } = await expectCode(work, 0, 'brief', '--digest');
    expect(stdout).toMatch(/^# notes: paused\n/);
    expect(stdout.indexOf('## Next step')).toBeLessThan(stdout.indexOf('## Decisions'));
    expect(stdout.length / 3.5).toBeLessThan(1_500);
    expect(stdout).toContain('RD-003');
  });

  it('brings back what somebody has deleted', async () => {
    const work = await begun();
    const names = ['brief.yaml', 'brief.json', 'RESUME.md'];
    const before = names.map((name) => read(work, `${runFolder(work)}/${name}`));
    for (const name of names) rmSync(join(work.root, runFolder(work), name));
    expect((await pawl(work, 'brief', '--check')).code).toBe(4);
    await expectCode(work, 0, 'brief');
    const [yaml, , page] = names.map((name) => read(work, `${runFolder(work)}/${name}`));
    expect([yaml, page]).toEqual([before[0], before[2]]);
    for (const name of names) rmSync(join(work.root, runFolder(work), name));
    await expectCode(work, 0, 'next', '--actor', 'ann');
    expect(documentOf(work)).toMatchObject({
      recovery_state: {
        current_activity: expect.stringContaining('a/draft, attempt 1, claimed by ann until '),
      },
    });
    await expectCode(work, 0, 'brief', '--check');
  });

  it('is true after every step of the way, to the end', async () => {
    const work = await begun();
    const told: unknown[] = [];
    const look = async () => {
      await expectCode(work, 0, 'brief', '--check');
      const { workflow_status: status, last_checkpoint: point } = documentOf(work)
        .recovery_state as JsonObject;
      told.push(`${status} ${point}`);
    };
    await expectCode(work, 0, 'next', '--actor', 'ann');
    await look();
    write(work, 'out/a.md', 'a');
    await expectCode(work, 0, 'complete', 'a', '--actor', 'ann', '--note', 'Draft of a');
    await look();
    await expectCode(work, 0, 'next', '--actor', 'bob');
    write(work, 'out/b.md', 'b');
    await expectCode(work, 0, 'complete', 'b', '--actor', 'bob');
    await expectCode(work, 0, 'run');
    await look();
    expect(told).toEqual(['running null', 'paused CP-001', 'completed CP-004']);
    expect(documentOf(work).agent_summaries).toEqual({ ann: 'DONE. Draft of a.' });
  });
});

describe('pawl decide and pawl summary', () => {
  it('put on record what those who come later have to know', async () => {
    const work = await begun();
    const decided = await expectCode(
      ...([
        work,
        0,
        'decide',
        'Use SQLite',
        '--because',
        'one file',
        '--affects',
        '2, draft,3,docs/api.md',
      ] as const),
    );
    expect(decided.stdout).toContain('RD-001 is on record: Use SQLite');
    await expectCode(work, 0, 'decide', 'Use YAML', '--actor', 'ann', '--gate', 'a/set', '--iteration', '2');
    expect((await expectCode(work, 0, 'decide', '--applied', 'rd-001')).stdout).toContain(
      'RD-001 is applied',
    );
    await expectCode(work, 0, 'decide', '--applied', 'RD-001');
    expect((await expectCode(work, 0, 'summary', 'writer-1', 'DONE. 403 files modified')).stdout).toContain(
      'writer-1',
    );
    expect(documentOf(work)).toMatchObject({
      decision_log: [
        {
          id: 'RD-001',
          decision: 'Use SQLite',
          rationale: 'one file',
          affects_phases: [2, 1, 3, 'docs/api.md'],
          applied: true,
        },
        { id: 'RD-002', decision: 'Use YAML', gate: 'a/set', iteration: 2, applied: false },
      ],
      agent_summaries: { 'writer-1': 'DONE. 403 files modified.' },
    });
    expect(eventsOf(work, 'decision_applied', 'people')).toHaveLength(1);
    expect(eventsOf(work, 'decision_recorded', 'ann')).toHaveLength(1);
    await expectCode(work, 0, 'brief', '--check');
  });

  it('say what is meant where there is no such decision', async () => {
    const work = await begun();
    await expectCode(work, 0, 'decide', 'one way');
    const { finished, ...answer } = await pawlJson(work, 'decide', '--applied', 'RD-010');
    expect(finished.code).not.toBe(0);
    expect(answer).toMatchObject({ ok: false, reason: 'decision-not-found' });
    expect(answer.message).toContain('RD-001');
    expect((await pawl(work, 'decide', '--applied', 'RD-010')).stderr).toMatch(
      /there is no decision RD-010.*did you mean RD-001/,
    );
  });

  it('refuse what cannot be meant, and write nothing', async () => {
    const work = await begun();
    const before = read(work, documentPath(work));
    for (const args of [
      ['decide', '  '],
      ['decide', 'x', '--iteration', '0'],
      ['decide', 'x', '--actor', 'runner'],
      ['summary', 'writer-1'],
      ['summary', '../x', 'DONE.'],
    ])
      await expectCode(work, 2, ...args);
    expect(read(work, documentPath(work))).toBe(before);
  });
});

describe('pawl brief migrate', () => {
  const first = `# Kept by hand since March.
project: notes   # ours
resumption:
  # the newest
  last_checkpoint: CP-003
  current_state: "Phase 2, drafting"   # roughly
  next_step: "Ask Bob first."
  files_to_read:
    - STYLE.md   # always
tail: &t { a:   1 }
other: *t
`;

  it('shows first, writes when asked, and has nothing to do after that', async () => {
    const work = workspaceWith(manifest(), { 'ORCHESTRATION.yaml': first });
    const shown = await expectCode(work, 0, 'brief', 'migrate', 'ORCHESTRATION.yaml');
    expect(shown.stdout).toMatch(/^[+] .*recovery_state:/m);
    expect(shown.stdout).toContain('version 1 to 2');
    expect(shown.stdout).toContain('nothing was written');
    expect(read(work, 'ORCHESTRATION.yaml')).toBe(first);

    const written = await expectCode(work, 0, 'brief', 'migrate', 'ORCHESTRATION.yaml', '--write');
    expect(written.stdout).toContain('; written');
    const text = read(work, 'ORCHESTRATION.yaml');
    for (const kept of [
      '# Kept by hand since March.\nproject: notes   # ours\n',
      '# the newest',
      '# roughly',
    ])
      expect(text).toContain(kept);
    expect(text).toContain('    - STYLE.md   # always\n');
    expect(text.endsWith('tail: &t { a:   1 }\nother: *t\n')).toBe(true);
    expect(problemsOf(sectionOf(text))).toEqual([]);
    expect(sectionOf(text)).toMatchObject({
      recovery_state: { last_checkpoint: 'CP-003', next_step: 'Ask Bob first.' },
      files_to_read: ['STYLE.md'],
    });

    for (const more of [[], ['--write']]) {
      const again = await expectCode(work, 0, 'brief', 'migrate', 'ORCHESTRATION.yaml', ...more);
      expect(again.stdout).toContain('is of version 2 already');
      expect(read(work, 'ORCHESTRATION.yaml')).toBe(text);
    }
  });

  it('is what a run waits for before it writes into such a file', async () => {
    const work = await begunIn('ORCHESTRATION.yaml', first);
    expect(read(work, 'ORCHESTRATION.yaml')).toBe(first);
    expect(has(work, documentPath(work))).toBe(true);
    const { stdout } = await expectCode(work, 0, 'brief');
    expect(stdout).toMatch(/# .*ORCHESTRATION\.yaml was left alone: .*version 1/);
    await expectCode(work, 0, 'brief', 'migrate', 'ORCHESTRATION.yaml', '--write');
    await expectCode(work, 0, 'brief');
    const text = read(work, 'ORCHESTRATION.yaml');
    expect(text.startsWith('# Kept by hand since March.\nproject: notes   # ours\nresumption:\n')).toBe(true);
    expect(text.endsWith('tail: &t { a:   1 }\nother: *t\n')).toBe(true);
    // What was in it before is taken for what somebody has to say.
    expect(sectionOf(text)).toMatchObject({
      recovery_state: { workflow_status: 'paused', next_step: 'Ask Bob first.' },
    });
    expect(sectionOf(text).files_to_read).toContain('STYLE.md');
    expect(await pawlJson<BriefJson>(work, 'brief', '--check')).toMatchObject({
      ok: true,
      path: 'ORCHESTRATION.yaml',
      isSection: true,
    });
  });

  it('says what is wrong with a file, and leaves it as it is', async () => {
    const texts = { 'a.yaml': 'a: 1\n', 'b.yaml': 'resumption: [\n' };
    const work = workspaceWith(manifest(), texts);
    const words = {
      'none.yaml': 'there is no file',
      'a.yaml': 'has no section',
      'b.yaml': 'cannot be understood',
    };
    for (const [name, said] of Object.entries(words)) {
      const finished = await pawl(work, 'brief', 'migrate', name, '--write');
      expect(finished.code).not.toBe(0);
      expect(finished.stderr).toContain(said);
    }
    for (const [name, text] of Object.entries(texts)) expect(read(work, name)).toBe(text);
  });

  async function begunIn(path: string, text: string): Promise<TestWorkspace> {
    const work = workspaceWith(manifest(`layout: { brief: ${path} }`), { [path]: text });
    const finished = await expectCode(work, 75, 'run');
    expect(finished.stdout + finished.stderr).toContain(path);
    return work;
  }
});

describe('a run that was killed in the middle of a phase', () => {
  it('is told of as what it is, with what to do about it', async () => {
    const work = await begun();
    await expectCode(work, 0, 'next', '--actor', 'ann');
    write(work, 'out/a.md', 'a');
    await expectCode(work, 0, 'complete', 'a', '--actor', 'ann');
    const { door, workspace } = await openDoor(work, ['a/set']);
    const run = start(workspace, ['run']);
    await door.visit('a/set');
    // While it runs, the document says so.
    await expectCode(work, 0, 'brief');
    expect(documentOf(work)).toMatchObject({
      recovery_state: { workflow_status: 'running', current_activity: 'a/set, attempt 1', current_phase: 2 },
    });
    run.kill('SIGKILL');
    await run.ended;
    const { stdout } = await expectCode(work, 0, 'brief');
    expect(sectionOf(stdout)).toMatchObject({
      recovery_state: {
        workflow_status: 'interrupted',
        current_phase_name: 'set',
        next_step: expect.stringContaining('`pawl run`'),
      },
    });
    expect(stdout).toContain('FRESH');
    expect((await expectCode(work, 0, 'brief', '--digest')).stdout).toMatch(/^# notes: interrupted\n/);
    await expectCode(work, 75, 'run');
    expect(documentOf(work)).toMatchObject({
      recovery_state: { workflow_status: 'paused', last_checkpoint: 'CP-002' },
    });
    for (const type of ['brief_edited', 'brief_authored', 'decision_recorded'])
      expect(eventsOf(work, type)).toEqual([]);
  });
});
