import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { library, libraryEnvironment } from '../support/library.ts';
import { blaze, copyOfRun, drawnSprites, expectNothingToDraw } from '../support/sprites.ts';
import { calls, hashes, read, type TestWorkspace, write } from '../support/workspace.ts';

let done: TestWorkspace;
/** Nothing here writes to it but a test that changes its manifest, always from the one of `done`. */
let work: TestWorkspace;

beforeAll(async () => {
  done = await drawnSprites();
  work = copyOfRun(done);
}, 120_000);

type Change = (text: string) => string;

/** Replaces every place, and fails where there is none. */
function replacing(from: string | RegExp, to: string): Change {
  return (text) => {
    const replaced = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
    if (replaced === text) throw new Error(`the manifest does not hold ${from}`);
    return replaced;
  };
}

function change(...changes: readonly Change[]): string {
  const text = changes.reduce((changed, apply) => apply(changed), read(done, blaze));
  write(work, blaze, text);
  return text;
}

describe('a manifest that says the same', () => {
  const spellings: readonly (readonly [string, Change])[] = [
    ['is untouched', (text) => text],
    [
      'has keys in another order',
      (text) =>
        replacing(
          '{ model: standin-v1, seed: 7, width: 64, height: 64 }',
          '{ height: 64, width: 64, seed: 7, model: standin-v1 }',
        )(replacing(/(pipeline: .*\n)(identity: .*\n)/, '$2$1')(text)),
    ],
    [
      'has keys of the whole in another order',
      (text) => text.replace(/(layout:[\s\S]*)(pace: .*\n)/, '$2$1'),
    ],
    ['has other comments', (text) => `# mine\n${text.replaceAll(/ #.*/g, '')}\n# the end`],
    ['has other quotes', (text) => replacing('standin-v1', '"standin-v1"')(replacing('"', "'")(text))],
    [
      'is written in blocks',
      replacing('params: { width: 64, height: 64 }', 'params:\n          width: 64\n          height: 64'),
    ],
    [
      'spells its numbers otherwise',
      (text) => replacing('0.85', '0.850')(replacing('seed: 7', 'seed: 0x7')(text)),
    ],
    ['has other white space', (text) => text.replaceAll('{ ', '{   ').replaceAll('\n\n', '\n   \n\n')],
    ['has other line ends', (text) => text.replaceAll('\n', '\r\n')],
    ['begins with a byte order mark', (text) => `\uFEFF${text}`],
  ];

  it.each(spellings)('is no other one when it %s', async (_, spell) => {
    change(spell);
    await expectNothingToDraw(work);
  });

  it('is no other one when it does all of this at once, and nothing is written', async () => {
    const text = change(...spellings.map(([, spell]) => spell));
    expect(text).not.toBe(read(done, blaze));
    const before = hashes(work);
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('nothing to do');
    expect(hashes(work)).toEqual(before);
    expect(calls(work)).toEqual([]);
  });

  it('is no other one in its pace, its limits and its layout', async () => {
    const free: readonly Change[] = [
      replacing('concurrency: 2', 'concurrency: 5, grace: 3s'),
      replacing('prompt: templates/frame.md\n', 'prompt: templates/frame.md\n        timeout: 7m\n'),
      replacing('function: ./phases.mjs#approve }', 'function: ./phases.mjs#approve }\n        retries: 3'),
      replacing('attempts: 60', 'attempts: 90'),
      replacing('reject_rate: 0.8, ', ''),
      replacing('failures: stop', 'failures: allow'),
      replacing('done_key: approved', 'done_key: accepted'),
    ];
    for (const one of free) {
      change(one);
      await expectNothingToDraw(work);
    }
    change(...free);
    expect(await pawlJson(work, 'run', blaze)).toMatchObject({ ok: true, kind: 'unchanged' });
    expect(calls(work)).toEqual([]);
  });

  it('has the file that tells how far the run is made where it now belongs, and nothing drawn', async () => {
    const moved = copyOfRun(done);
    write(moved, blaze, replacing('"{run}/state.json"', '"{run}/progress.json"')(read(done, blaze)));
    expect(await pawlJson(moved, 'run', blaze)).toMatchObject({ ok: true, kind: 'resumed' });
    const made = Object.keys(hashes(moved)).filter((path) => path.endsWith('/progress.json'));
    expect(JSON.parse(read(moved, made[0] ?? ''))).toMatchObject({ run_status: 'completed' });
    expect(calls(moved)).toEqual([]);
    await expectNothingToDraw(moved);
  });
});

describe('a manifest that says something else', () => {
  const params = 'stages[1].phases.generate.params';
  const ladder = 'stages[1].phases.generate.ladder';
  const differences: readonly Difference[] = [
    {
      name: 'another model',
      apply: replacing('standin-v1', 'standin-v2'),
      changes: [{ path: `${params}.model`, before: 'standin-v1', after: 'standin-v2', at: 'standin-v2' }],
    },
    {
      name: 'another threshold',
      apply: replacing('identity_min: 0.85', 'identity_min: 0.99'),
      changes: [
        {
          path: 'stages[1].phases.audit.params.thresholds.identity_min',
          before: 0.85,
          after: 0.99,
          at: '0.99',
        },
      ],
    },
    {
      name: 'a text for a number',
      apply: replacing('columns: 4', 'columns: "4"'),
      changes: [{ path: 'stages[2].phases.pack.params.columns', before: 4, after: '4', at: '"4"' }],
    },
    {
      name: 'a key that was added',
      apply: replacing('seed: 7', 'seed: 7, steps: 30'),
      changes: [{ path: `${params}.steps`, before: undefined, after: 30, at: '30' }],
    },
    {
      name: 'a key that was removed',
      apply: replacing(', frame_ms: 110', ''),
      changes: [{ path: 'stages[2].phases.pack.params.frame_ms', before: 110, after: undefined }],
    },
    {
      name: 'an item of a list that was moved',
      apply: (text) => swapLines(text, '- params: { seed: 8 }', '- params: { seed: 9 }'),
      changes: [
        { path: `${ladder}[0].params.seed`, before: 8, after: 9, at: '9 }' },
        { path: `${ladder}[1].params.seed`, before: 9, after: 8, at: '8 }' },
      ],
    },
    {
      name: 'another check',
      apply: replacing('check: json }', 'check: non-empty }'),
      changes: [
        {
          path: 'stages[2].phases.pack.outputs.atlas.check',
          before: 'json',
          after: 'non-empty',
          at: 'non-empty',
        },
      ],
    },
  ];

  it.each(differences)('is refused, with each path, its values and its place: $name', async (difference) => {
    const text = change(difference.apply);
    const { run } = await library();
    const answer = await run({ path: join(work.root, blaze) }, await libraryEnvironment(work));
    expect(answer).toMatchObject({
      ok: false,
      failure: {
        reason: 'refused',
        refusals: [{ guard: 'manifest-changed', changes: placed(difference, text) }],
      },
    });
  });

  it('is refused with exit 4 and the ways on, before anything is written or drawn', async () => {
    const text = change(...differences.map(({ apply }) => apply));
    const before = hashes(work);
    const refused = await pawlJson<{ refusals: { guard: string; changes: ValueChange[] }[]; next: string[] }>(
      work,
      'run',
      blaze,
    );
    expect(refused).toMatchObject({ exitCode: 4, reason: 'refused', finished: { code: 4 } });
    expect(refused.refusals).toHaveLength(1);
    const expected = differences.flatMap((difference) => placed(difference, text));
    expect(refused.refusals[0]?.changes.toSorted(byPath)).toEqual(expected.toSorted(byPath));
    expect(refused.next.join('\n')).toContain('--force');
    expect(refused.next.join('\n')).toContain('undo the change');
    expect(hashes(work)).toEqual(before);
    expect(calls(work)).toEqual([]);
  });

  it('is told to people with path, old and new value, line and column', async () => {
    const text = change(...differences.map(({ apply }) => apply));
    const { code, stderr } = await pawl(work, 'run', blaze);
    expect(code).toBe(4);
    for (const { path, before, after, line, column } of differences.flatMap((one) => placed(one, text))) {
      const told = stderr.split('\n').find((words) => words.includes(`${path}:`)) ?? '';
      if (before !== undefined) expect(told).toContain(JSON.stringify(before));
      if (after === undefined) continue;
      expect(told).toContain(JSON.stringify(after));
      expect(told).toMatch(new RegExp(`\\b${line}\\b.*\\b${column}\\b`));
    }
    expect(stderr).toContain('--force');
  });

  it('is refused by a plan alike', async () => {
    change(replacing('seed: 7', 'seed: 70'));
    expect((await pawl(work, 'run', blaze, '--dry-run')).code).toBe(4);
    expect(calls(work)).toEqual([]);
  });
});

interface ValueChange {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly line?: number;
  readonly column?: number;
}

interface Difference {
  readonly name: string;
  readonly apply: Change;
  /** `at`: the text that stands where the new value begins. */
  readonly changes: readonly {
    readonly path: string;
    readonly before: unknown;
    readonly after: unknown;
    readonly at?: string;
  }[];
}

/** The changes as they are told: with the place of the new value, and without what is not there. */
function placed({ changes }: Difference, text: string): ValueChange[] {
  return changes.map(({ path, before, after, at }) => ({
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(at !== undefined && placeOf(text, path, at)),
  }));
}

/** Counted from 1. The key stands before the value on its line. */
function placeOf(text: string, path: string, at: string): { line: number; column: number } {
  const key = path.slice(path.lastIndexOf('.') + 1);
  const lines = text.split('\n');
  const line = lines.findIndex((words) => words.includes(`${key}: ${at}`));
  return { line: line + 1, column: (lines[line]?.indexOf(`${key}: ${at}`) ?? 0) + key.length + 3 };
}

function byPath(a: ValueChange, b: ValueChange): number {
  return a.path < b.path ? -1 : 1;
}

function swapLines(text: string, first: string, second: string): string {
  if (!text.includes(first) || !text.includes(second))
    throw new Error('the manifest does not hold the lines');
  return text.replace(first, '\0').replace(second, first).replace('\0', second);
}
