import { describe, expect, it } from 'vitest';
import { chain, claimOf, forest, graph, nameOf, orchard, stage, task } from '../../../test/fixtures/graph.ts';
import { asciiSymbols, plainStyle } from '../style/style.ts';
import { graphText } from './text.ts';

const ascii = { ...plainStyle, symbols: asciiSymbols };

describe('a graph for the terminal', () => {
  it('lists tasks by layers, with what they wait for', () => {
    expect(graphText(orchard(), plainStyle)).toMatchInlineSnapshot(`
      "orchard 20261115-1203-orchard-x7k2 stopped, 2026-11-15 12:03:11 UTC

      plan: 1 of 1 task done (constitution → prd → plan → graph)
        ✓ orchard  done  What we want and how

      tasks: 2 of 12 tasks done (build → verify)
        1  ✓ T001  done         Set up the repository and its checks
        2  ✓ T002  done         Model of trees, rows and harvests         after T001
           ✓ T003  implemented  Read the weather service, with a limit …  for verifier; after T001
           ○ T007  ready        Words for people                          for executor; after T001
        3  » T004  in progress  Store harvests on disk                    executor-1; after T002
           ~ T005  in progress  Forecast of frost                         in doubt, last with executor-2…
           ○ T006  claimed      Command line: plant, prune, pick          executor-3; after T002
           ✗ T008  failed       Map of the rows as a picture              3 attempts: src/map.test.ts: 2…
        4  ! T009  blocked      Send warnings to the phone                nobody has the key of the mess…
           · T010  pending      A page with the whole season on it        after T004, T007 and T008
           · T011  pending      Guide for gardeners                       after T006 and T007
        5  · T012  pending      Release                                   after T009, T010, T011 and T001

      cleanup: not listed yet (tidy → pull-request)

      ✓ 3 done, ✓ 1 implemented, » 2 in progress, ○ 1 claimed, ○ 1 ready, ✗ 1 failed, ! 1 blocked,
      · 3 pending, 4 can be started now, 1 in doubt"
    `);
  });

  it('shows what waits for a person as that, and not as done', () => {
    const asks = { id: 'C1', name: 'About' };
    const tasks = [
      task('about', 'implemented', { asks }),
      task('home', 'pending', { asks }),
      task('b', 'failed', { asks }),
    ];
    const text = graphText(graph([stage('pages', tasks)]), plainStyle);
    expect(text).toContain('\n  ? about  implemented  waits for a person: C1 About\n');
    expect(text).toContain('\n  ? home   pending      waits for a person: C1 About\n');
    expect(text).toContain('\n  ✗ b      failed\n');
    expect(text).toContain('? 2 wait for a person');
  });

  it.each([40, 60, 80, 120])('keeps to a width of %i', (width) => {
    const hostile = task('x'.repeat(200), 'failed', {
      title: '\u001b[31mred\u202e'.repeat(40),
      reason: 'y'.repeat(300),
    });
    const { stages } = orchard();
    const answer = graph([...stages, stage('s'.repeat(150), [hostile])]);
    const [first, ...rest] = graphText(answer, { ...ascii, width }).split('\n');
    expect(first).toContain('orchard');
    for (const line of rest) {
      expect(line.length).toBeLessThan(width);
      expect(line).toMatch(/^[ -~]*$/);
    }
  });

  it('has no numbers of layers where there is only one', () => {
    expect(
      graphText(graph([stage('tasks', [task('a', 'ready'), task('b', 'pending')])]), plainStyle),
    ).toContain('\n  ○ a  ready\n  · b  pending\n');
  });

  it('says which stages have no tasks, and which are not known yet', () => {
    const text = graphText(graph([stage('none', []), stage('later', [], { isOpen: true })]), plainStyle);
    expect(text).toContain('none: 0 of 0 tasks done (build)');
    expect(text).toContain('later: not listed yet (build)');
    expect(text).toContain('\nno tasks');
  });

  it('tells of many tasks only those that are somebody’s business', () => {
    const { stages } = forest(300, 12);
    const more = [
      task('lost', 'in_progress', { inDoubt: true, runnable: true, claim: claimOf('lost', 'bob', false) }),
      task('stuck', 'blocked', { reason: 'no key' }),
    ];
    const text = graphText(graph([...stages, stage('more', more)]), plainStyle);
    expect(text.split('\n').length).toBeLessThan(70);
    expect(text).toContain('tasks: 163 of 300 tasks done (build)');
    expect(text).toContain('in doubt: 1\n  ~ lost  in progress  in doubt, last with bob\n');
    expect(text).toContain('blocked: 1\n  ! stuck  blocked  no key\n');
    expect(text).toContain('being worked on: 19\n');
    expect(text).toContain('can be started now: 6\n');
    expect(text).not.toContain('T0001');
  });

  it('lists no more than twenty of a kind', () => {
    const tasks = Array.from({ length: 250 }, (_, at) => task(nameOf(at), 'ready'));
    const text = graphText(graph([stage('tasks', tasks)]), plainStyle);
    expect(text).toContain('  … and 230 more tasks (--json lists all)');
    expect(text).not.toContain('T0021');
  });

  it('takes a chain of 200 and one of 3,000', () => {
    expect(graphText(chain(200), plainStyle)).toContain('200  · T0200  pending  Frame 199  after T0199');
    expect(graphText(chain(3_000), plainStyle)).toContain(
      'can be started now: 1\n  ○ T1501  ready  Frame 1500',
    );
  });

  it('shows findings first', () => {
    const damage = {
      code: 'garbage-line',
      weight: 'loud',
      file: 'a.jsonl',
      line: 3,
    } as const;
    expect(graphText({ ...orchard(), findings: [damage] }, plainStyle).split('\n')[1]).toBe(
      '✗ a.jsonl:3: a line is no event',
    );
  });
});
