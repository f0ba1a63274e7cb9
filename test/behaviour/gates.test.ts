import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import {
  calls,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

/* A draft that is judged by a score, drafted again from the report, and published. What is said of it the unit names. */

describe('a loop ends', () => {
  it('when its score reaches the bar', async () => {
    const work = drafting({ scores: [40, 79.5, 80] }, 'iterations: 5');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(rounds(work)).toBe(3);
    expect(read(work, 'out/a.published.txt')).toBe('published: draft 3\n');
    await expectNothingToDo(work);
  });

  it.each([
    ['limit', { scores: [10] }, 'iterations: 3', 3],
    ['plateau', { scores: [50, 60, 55, 60] }, 'iterations: 9, plateau: 2', 4],
    ['regression', { scores: [50, 60, 49] }, 'iterations: 9, regression: 10', 3],
    ['budget', { scores: [10], usd: 0.4 }, 'iterations: 9, budget: 1', 3],
  ])('by %s, and says so', async (stopped, unit, gate, made) => {
    const work = drafting(unit, gate);
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ exitCode: 1, reason: 'phase-failed' });
    expect(run.stops).toMatchObject([
      {
        unit: 'a',
        phase: 'lint',
        why: { code: 'gate-limit', stopped, iterations: made, round: made, score: scoreOf(unit, made) },
      },
    ]);
    expect(rounds(work)).toBe(made);
    expect(stepsCalled(work)).not.toContain('a/publish');

    // Nothing is paid for by asking again.
    expect((await pawl(work, 'run')).code).toBe(1);
    expect(rounds(work)).toBe(made);
  });

  it('by budget when what was recorded has reached it, and goes on when more is granted', async () => {
    const work = drafting({ scores: [10, 10, 90], usd: 0.5 }, 'iterations: 9, budget: 1');
    expect((await pawl(work, 'run')).code).toBe(1);
    expect(rounds(work)).toBe(2);
    const costs = eventsOf(work, 'attempt_succeeded').map(({ cost }) => (cost as { usd?: number })?.usd ?? 0);
    expect(costs.reduce((sum, usd) => sum + usd, 0)).toBe(1);
    write(work, 'pawl.yaml', read(work, 'pawl.yaml').replace('budget: 1', 'budget: 2'));
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(rounds(work)).toBe(3);
  });

  it.each(['stop', 'accept'])(
    'by the same defect again and again, and asks a person (then: %s)',
    async (then) => {
      const unit = {
        scores: [10],
        defects: [['Line 3: too long'], ['other', 'line 14:  Too long'], ['line 7: too long']],
      };
      const work = drafting(unit, `iterations: 9, cluster: 3, then: ${then}`);
      const run = await pawlJson<RunJson>(work, 'run');
      expect(run).toMatchObject({ exitCode: 3, reason: 'waits-for-person' });
      expect(run.stops).toMatchObject([
        { why: { code: 'gate-asks', stopped: 'cluster', defect: 'line 7: too long', iterations: 3 } },
      ]);
      const told = await pawl(work, 'run');
      expect(told.code).toBe(3);
      expect(told.stdout).toContain('the same defect comes back: line 7: too long');
      expect(rounds(work)).toBe(3);
      expect(stepsCalled(work)).not.toContain('a/publish');
    },
  );
});

describe('the best round', () => {
  const best = { scores: [30, 70, 50, 70] };

  it('lies at the declared paths and is what later phases took, when it was accepted', async () => {
    const work = drafting(best, 'iterations: 4, keep: best, then: accept');
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.notices).toMatchObject([
      { code: 'gate-accepted', by: 'manifest', stopped: 'limit', iterations: 4, round: 2, score: 70 },
    ]);
    expect(rounds(work)).toBe(4);
    expect(read(work, 'out/a.draft.txt')).toBe('draft 2\n');
    expect(JSON.parse(read(work, 'out/a.lint.json'))).toMatchObject({ score: 70, of: 'draft 2\n' });
    expect(read(work, 'out/a.published.txt')).toBe('published: draft 2\n');
    await expectNothingToDo(work);
    await expectSound(work);
    expect(rounds(work)).toBe(4);
  });

  it('is not kept where nobody asks for it', async () => {
    const work = drafting(best, 'iterations: 4, then: accept');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'out/a.published.txt')).toBe('published: draft 4\n');
  });

  it('is what a person is asked about, lies there meanwhile, and stands when it was approved', async () => {
    const work = drafting(best, 'iterations: 3, keep: best, then: ask');
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ exitCode: 3 });
    expect(run.stops).toMatchObject([{ why: { code: 'gate-asks', round: 2, iterations: 3, score: 70 } }]);
    expect((await pawl(work, 'run')).stdout).toContain(
      'still fail after 3 rounds; round 2 is the best, score 70',
    );
    expect(read(work, 'out/a.draft.txt')).toBe('draft 2\n');
    expect(JSON.parse(read(work, 'out/a.lint.json'))).toMatchObject({ score: 70 });
    expect((await pawl(work, 'approve', 'C1', '--note', 'good enough')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'out/a.published.txt')).toBe('published: draft 2\n');
    expect(rounds(work)).toBe(3);
    await expectNothingToDo(work);
  });

  it('is the same after kills at any moment', async () => {
    const gate = 'iterations: 4, keep: best, then: accept';
    const whole = drafting(best, gate);
    expect((await pawl(whole, 'run')).code).toBe(0);
    const work = drafting(best, gate);
    const moments = [2, 3, 4, 3, 5, 2, 3, 4];
    let kills = 0;
    for (;;) {
      const finished = await pawlKilledAt(work, moments[kills % moments.length] ?? 2, 'run');
      if (finished.signal !== 'SIGKILL') {
        expect(finished).toMatchObject({ code: 0 });
        break;
      }
      kills += 1;
      expect(kills).toBeLessThan(50);
    }
    expect(kills).toBeGreaterThan(4);
    expect(hashes(work, 'out')).toEqual(hashes(whole, 'out'));
    const made = (one: TestWorkspace) =>
      eventsOf(one, 'attempt_succeeded').map(({ phase, round = 1 }) => `${phase}@${round}`);
    expect(made(work)).toEqual(made(whole));
    await expectNothingToDo(work);
    await expectSound(work);
  });

  it('is the same when the run dies between the last round and putting it back', async () => {
    const work = drafting(best, 'iterations: 3, keep: best, then: ask');
    // The line is told before anything of the best round is put back.
    const killed = await pawlKilledAt(work, 'a/lint succeeded in', 'run');
    expect(killed.signal).toBe('SIGKILL');
    while ((await pawlKilledAt(work, 'a/lint succeeded in', 'run')).signal === 'SIGKILL');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(read(work, 'out/a.draft.txt')).toBe('draft 2\n');
    expect(rounds(work)).toBe(3);
    expect(eventsOf(work, 'attempt_started')).toHaveLength(6);
  });
});

describe('what a gate has judged', () => {
  it('is judged anew when it is edited, and the approval of the old report does not count', async () => {
    const work = drafting({ scores: [50] }, 'iterations: 1, then: ask');
    expect((await pawl(work, 'run')).code).toBe(3);
    expect((await pawl(work, 'approve', 'C1', '--note', 'good enough')).code).toBe(0);
    write(work, 'out/a.draft.txt', 'by hand\n');
    expect((await pawl(work, 'run')).code).toBe(4);
    expect((await pawl(work, 'adopt', 'out/a.draft.txt', '--reason', 'mine')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(3);
    expect(stepsCalled(work)).toEqual(['a/draft', 'a/lint', 'a/lint']);
    expect(JSON.parse(read(work, 'out/a.lint.json'))).toMatchObject({ of: 'by hand\n' });
    expect((await pawl(work, 'approve', 'C2', '--note', 'still good enough')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'out/a.published.txt')).toBe('published: by hand\n');
  });

  it('by a report that is edited and adopted, counts as what it says now', async () => {
    const work = drafting({ scores: [50] }, 'iterations: 1, then: stop');
    expect((await pawl(work, 'run')).code).toBe(1);
    write(work, 'out/a.lint.json', JSON.stringify({ score: 95, of: 'draft 1\n' }));
    expect((await pawl(work, 'adopt', 'out/a.lint.json', '--reason', 'the tool was wrong')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/draft', 'a/lint', 'a/publish']);
  });

  it('by a report without a score, is a failed attempt', async () => {
    const work = drafting({ scores: ['high'] }, 'iterations: 2');
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({
      exitCode: 1,
      stops: [{ why: { failure: 'verdict-unreadable', facts: { output: 'report', path: 'score' } } }],
    });
  });
});

describe('the history of a gate', () => {
  it('is there with every round, its figures, its cost and its hashes', async () => {
    const unit = { scores: [30, 70, 70], usd: 0.25, defects: [['dull'], ['long'], []] };
    const work = drafting(unit, 'iterations: 9, plateau: 1, keep: best, then: ask');
    expect((await pawl(work, 'run')).code).toBe(3);
    const { units } = await pawlJson<{ units: readonly InspectedJson[] }>(work, 'inspect');
    expect(units).toMatchObject([
      {
        unit: 'a',
        score: 70,
        gates: [
          {
            phase: 'lint',
            stopped: 'plateau',
            best: 2,
            kept: 2,
            rounds: [
              {
                round: 1,
                verdict: 'fail',
                passed: false,
                score: 30,
                scores: { tone: 30 },
                defects: ['dull'],
              },
              { round: 2, score: 70, defects: ['long'], cost: { usd: 0.25 } },
              { round: 3, score: 70, defects: [] },
            ],
          },
        ],
      },
    ]);
    const onRecord = eventsOf(work, 'attempt_succeeded')
      .filter(({ round }) => round === 2)
      .flatMap(({ outputs }) => Object.values(outputs as Record<string, { hash: string }>))
      .map(({ hash }) => hash);
    expect(units[0]?.gates[0]?.rounds[1]?.outputs.map(({ hash }) => hash)).toEqual(onRecord);
    const told = await pawl(work, 'inspect');
    expect(told.stdout).toContain(
      'lint: ended after 3 rounds, and the score gets no better; round 2 is the best',
    );
    expect(told.stdout).toMatch(/lint +#2 .* 70 +best/);
    expect((await pawl(work, 'report', '--out', 'page.html')).code).toBe(0);
    expect(read(work, 'page.html')).toContain('round 2 is the best, and stands');
  });
});

interface RunJson {
  readonly exitCode: number;
  readonly stops: readonly object[];
  readonly notices: readonly object[];
}

interface InspectedJson {
  readonly gates: readonly {
    readonly rounds: readonly { readonly outputs: readonly { readonly hash: string }[] }[];
  }[];
}

interface Said {
  readonly scores: readonly (number | string)[];
  readonly defects?: readonly (readonly string[])[];
  readonly usd?: number;
}

function rounds(work: TestWorkspace): number {
  return calls(work).filter(({ cell: step }) => step === 'a/draft').length;
}

function scoreOf({ scores }: Said, round: number): number | string | undefined {
  return scores[Math.min(round, scores.length) - 1];
}

function drafting(unit: Said, gate: string): TestWorkspace {
  const manifest = `
pawl: 1
pipeline: gates
channels: [terminal, script]
units:
  - ${JSON.stringify({ id: 'a', ...unit })}
phases:
  draft:
    run: { function: ./gate.mjs#draft }
    inputs: { report: lint.report }
    outputs: { text: "out/{unit}.draft.txt" }
  lint:
    run: { function: ./gate.mjs#judge }
    inputs: { text: draft.text }
    outputs: { report: { path: "out/{unit}.lint.json", check: json } }
    gate: { score: report.score, bar: 80, scores: report.scores, defects: report.defects, back_to: draft, ${gate} }
  publish:
    run: { function: ./gate.mjs#publish }
    inputs: { text: draft.text }
    outputs: { text: "out/{unit}.published.txt" }
`;
  return workspaceWith(manifest, { 'gate.mjs': phases });
}

const phases = `
import { noteCall } from './door.mjs';

export function draft(task) {
  note(task);
  if (task.unit.usd !== undefined) task.cost({ usd: task.unit.usd });
  return { text: \`draft \${task.iteration}\\n\` };
}

export function judge(task) {
  note(task);
  const { scores, defects = [[]] } = task.unit;
  const said = (list) => list[Math.min(task.iteration, list.length) - 1];
  const score = said(scores);
  return { report: { score, scores: { tone: score }, defects: said(defects), of: task.inputs.text.text() } };
}

export function publish(task) {
  note(task);
  return { text: \`published: \${task.inputs.text.text()}\` };
}

function note(task) {
  noteCall(task.unit.id, task.phase, task.attempt, task.iteration);
}
`;
