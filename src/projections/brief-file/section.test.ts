import { describe, expect, it } from 'vitest';
import {
  documentIn,
  editText,
  expectTrue,
  notesIn,
  stateIn,
  textAt,
  textsAt,
} from '../../../test/fixtures/briefs.ts';
import { type Letters, letters } from '../../../test/fixtures/letters.ts';
import { type CodePipeline, demand, nextProcess, root, run } from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { recordDecision, recordSummary } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';

const path = 'docs/ORCHESTRATION.yaml';
const absolute = `${root}/${path}`;

/** Letters whose brief is a section of a file that is there already. */
function inFile(text: string | undefined, more: Partial<CodePipeline> = {}): Letters {
  const world = letters({ layout: { brief: path }, ...more });
  world.env.disk.makeFolder(`${root}/docs`);
  if (text !== undefined) world.env.disk.putFile(absolute, text);
  return world;
}

const above = `# What everybody has to know.
base: &base   { retries: 3,   "mode": 'slow' }   # an anchor
plan: # kept by hand
    - {id: 1, of: *base}
    - >-
      folded
      text

`;
const below = `
# Behind it.
"odd key":   ~
tail: [ 1,
  2 ]   # no newline at the end`;

describe('the brief as a section of a file', () => {
  it.each([
    ['that has none yet', above],
    ['that has none yet, and no last line end', `${above}last: 1`],
    ['that is empty', ''],
    ['that is not there', undefined],
    ['with a section that says nothing', `${above}resumption: # mine\n${below}`],
    ['with a section in braces', `${above}resumption: {}\n${below}`],
  ])('%s: everything outside stays byte for byte over a whole run', async (_, text) => {
    const world = inFile(text);
    const texts = textsAt(world.env, (one) => one === absolute);
    world.work.draft = ({ unit }) => {
      world.env.clock.advance(1000);
      return { text: unit.id };
    };
    await run(world.env, world.definition);
    world.env.clock.advance(1000);
    demand(await recordDecision(world.env, { ...world.target, decision: 'one way' }));
    await expectTrue(world.env, world.target);
    expect(stateIn(world.env)).toMatchObject({ path, isSection: true });
    expect(texts.length).toBeGreaterThan(3);
    for (const written of texts) {
      if (text?.startsWith(above)) expect(written.startsWith(above)).toBe(true);
      if (text?.endsWith(below)) expect(written.endsWith(below)).toBe(true);
    }
    // Nobody has written into the section.
    expect(notesIn(world.env)).toEqual({ decision_recorded: 1 });
  });

  it('keeps what stands in the section besides, and its comments', async () => {
    const own = `resumption:
  # where it stands
  recovery_state:
    cross_session_portable: true   # theirs
    next_step: "Begin."  # say it first
  theirs: { a: [1, 2] }
`;
    const world = inFile(`${above}${own}${below}`);
    await run(world.env, world.definition);
    const text = textAt(world.env, path);
    expect(text.startsWith(`${above}resumption:\n  # where it stands\n  recovery_state:\n`)).toBe(true);
    for (const kept of ['cross_session_portable: true   # theirs', 'theirs: { a: [1, 2] }', '# say it first'])
      expect(text).toContain(kept);
    expect(text.endsWith(below)).toBe(true);
    expect(documentIn(world.env)).toMatchObject({ theirs: { a: [1, 2] } });
    // Written by a person before there was a run: the step that was to be the first.
    expect(notesIn(world.env)).toEqual({ brief_authored: 1, brief_imported: 1 });
  });

  it('takes in what is written there, once', async () => {
    const world = inFile(above);
    await run(world.env, world.definition);
    world.env.clock.advance(1000);
    editText(world.env, path, /decision_log: \[\]/, 'decision_log:\n    - { decision: by hand }');
    editText(world.env, path, 'agent_summaries: {}', 'agent_summaries: { zed: "PASS. All" }');
    editText(world.env, path, 'total_defects_found: 0', 'total_defects_found: 7');
    const again = () => recordSummary(world.env, { ...world.target, agent: 'ed', summary: 'DONE.' });
    demand(await again());
    world.env.clock.advance(1000);
    demand(await again());
    expect(notesIn(world.env)).toEqual({ decision_recorded: 1, summary_recorded: 3, brief_edited: 1 });
    expect(await expectTrue(world.env, world.target)).toMatchObject({
      decision_log: [{ id: 'RD-001', decision: 'by hand' }],
      agent_summaries: { zed: 'PASS. All.', ed: 'DONE.' },
      defect_summary: { total_defects_found: 0 },
    });
  });

  it('does not take more members of a list for somebody’s word, again and again', async () => {
    const world = inFile(above);
    await run(world.env, world.definition);
    world.env.disk.putFile(
      `${root}/${stateIn(world.env).folder}/inbox/cx-001.json`,
      JSON.stringify({ id: 'CX-001', timestamp: '2026-11-15T12:00:00.000Z', trigger: 'auto' }),
    );
    demand(await showBrief(world.env, world.target));
    editText(world.env, path, 'trigger: auto', 'trigger: auto\n        mine: 1');
    editText(
      world.env,
      path,
      'purpose: "made by draft of bob"',
      'purpose: "made by draft of bob"\n      mine: 2',
    );
    for (let nth = 0; nth < 3; nth++) {
      world.env.clock.advance(1000);
      demand(await recordDecision(world.env, { ...world.target, decision: `no. ${nth}` }));
    }
    expect(notesIn(world.env)).toEqual({ compaction_seen: 1, decision_recorded: 3, brief_authored: 1 });
    expect(textAt(world.env, path)).toContain('mine: 1');
  });

  it('is put into a place that the manifest names later', async () => {
    const world = letters();
    await run(world.env, world.definition);
    expect(stateIn(world.env).isSection).toBe(false);
    const later = inFile(above);
    const env = nextProcess(world.env);
    env.disk.putFile(absolute, above);
    demand(await showBrief(env, later.target));
    expect(stateIn(env)).toMatchObject({ path, isSection: true });
    await expectTrue(env, later.target);
    expect(notesIn(env)).toEqual({});
  });
});

describe('a new run that finds the section of the one before', () => {
  async function twoRuns() {
    const world = inFile(above);
    await run(world.env, world.definition);
    demand(await recordDecision(world.env, { ...world.target, decision: 'of the first' }));
    demand(await recordSummary(world.env, { ...world.target, agent: 'zed', summary: 'DONE. First' }));
    world.env.clock.advance(60_000);
    return world;
  }

  it('takes nothing of it for somebody’s word', async () => {
    const world = await twoRuns();
    world.work.read = () => ({ report: { status: 'fail' } });
    await run(nextProcess(world.env), { ...world.definition, units: ['cy'] }, { fresh: true });
    demand(await showBrief(world.env, { ...world.target, run: stateIn(world.env).run }));
    expect(notesIn(world.env)).toEqual({});
    const { decision_log, agent_summaries } = documentIn(world.env);
    expect({ decision_log, agent_summaries }).toEqual({ decision_log: [], agent_summaries: {} });
    expect(textAt(world.env, path).startsWith(above)).toBe(true);
  });

  it('takes what was written into it since', async () => {
    const world = await twoRuns();
    editText(
      world.env,
      path,
      'decision: "of the first"',
      'decision: "of the first"\n    - decision: "for the next"',
    );
    await run(nextProcess(world.env), world.definition, { fresh: true });
    expect(notesIn(world.env)).toEqual({ decision_recorded: 1 });
    expect(documentIn(world.env).decision_log).toMatchObject([{ id: 'RD-001', decision: 'for the next' }]);
  });

  it('of another identity leaves the words of both alone, whoever comes next', async () => {
    const world = inFile(above, { identity: { book: 'one' } });
    const other = letters({ layout: { brief: path }, identity: { book: 'two' } });
    await run(world.env, world.definition);
    const first = stateIn(world.env).run;
    world.env.clock.advance(60_000);
    await run(nextProcess(world.env), other.definition);
    for (let nth = 0; nth < 2; nth++) {
      for (const { target } of [world, other]) {
        world.env.clock.advance(1000);
        demand(await recordDecision(world.env, { ...target, decision: `no. ${nth}` }));
        expect(notesIn(world.env)).toEqual({ decision_recorded: nth + 1 });
        await expectTrue(world.env, target);
      }
    }
    expect(stateIn(world.env).run).not.toBe(first);
  });
});

describe('a file that is to be left alone', () => {
  const broken = 'a: [1\nresumption:\n  b: }\n';
  const first = `resumption:
  last_checkpoint: CP-003
  current_state: "Phase 2, drafting"
  next_step: go on
`;
  const troubles: readonly [string, string, (world: Letters) => void][] = [
    ['broken YAML', 'bad-yaml', ({ env }) => env.disk.putFile(absolute, broken)],
    ['a document of version 1', 'needs-migration', ({ env }) => env.disk.putFile(absolute, first)],
    ['a section that is no map', 'not-a-map', ({ env }) => env.disk.putFile(absolute, 'resumption: [1]\n')],
    [
      'a key that is there twice',
      'bad-yaml',
      ({ env }) => env.disk.putFile(absolute, 'resumption: {}\nresumption: {}\n'),
    ],
    ['several documents', 'many-documents', ({ env }) => env.disk.putFile(absolute, 'a: 1\n---\nb: 2\n')],
    ['a folder', 'not-a-file', ({ env }) => env.disk.makeFolder(absolute)],
    [
      'one that may not be written',
      'not-writable',
      ({ env }) => {
        env.disk.putFile(absolute, above);
        env.disk.failWhen(({ operation, path: at }) =>
          operation === 'rename' && at === absolute ? { kind: 'error', code: 'EACCES' } : undefined,
        );
      },
    ],
    [
      'one that may not be read',
      'unreadable',
      ({ env }) => {
        env.disk.putFile(absolute, above);
        env.disk.failWhen(({ operation, path: at }) =>
          operation === 'read' && at === absolute ? { kind: 'error', code: 'EACCES' } : undefined,
        );
      },
    ],
    ['one in a folder that is not there', 'not-writable', ({ env }) => env.disk.remove(`${root}/docs`)],
    [
      'one that is too large',
      'unreadable',
      ({ env }) => env.disk.putFile(absolute, `a: ${'x'.repeat(2 ** 20)}\n`),
    ],
  ];

  it.each(troubles)(
    '%s: the brief lies in the run’s own folder, and it is told why',
    async (_, reason, prepare) => {
      const world = inFile(undefined);
      const { env } = world;
      prepare(world);
      const kind = env.disk.stat(absolute)?.kind;
      const disk = env.disk.kill();
      const before = kind === 'file' ? hashBytes(disk.read(absolute) ?? '') : undefined;
      const answer = await run(env, world.definition);
      expect(answer.heading.status).toBe('completed');
      expect(answer.notices).toContainEqual({ code: 'brief-aside', path, why: reason });
      demand(await recordDecision(env, { ...world.target, decision: 'one way' }));
      const { trouble } = demand(await showBrief(env, world.target));
      expect(trouble).toMatchObject({ path, reason });
      expect(stateIn(env)).toMatchObject({ path: `${stateIn(env).folder}/brief.yaml`, isSection: false });
      await expectTrue(env, world.target);
      expect(env.disk.stat(absolute)?.kind).toBe(kind);
      if (kind === 'file') expect(hashBytes(env.disk.kill().read(absolute) ?? '')).toBe(before);
      expect(notesIn(env)).toEqual({ decision_recorded: 1 });
    },
  );

  it('is written into as soon as it can be', async () => {
    const world = inFile(broken);
    await run(world.env, world.definition);
    world.env.disk.putFile(absolute, above);
    world.env.clock.advance(1000);
    demand(await recordDecision(world.env, { ...world.target, decision: 'one way' }));
    expect(stateIn(world.env)).toMatchObject({ path, isSection: true });
    await expectTrue(world.env, world.target);
    expect(demand(await showBrief(world.env, world.target)).trouble).toBeUndefined();
  });
});
