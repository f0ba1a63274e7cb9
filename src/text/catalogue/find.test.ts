import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../../test/support/workspace.ts';
import { commands, globalOptions } from '../../cli/commands.ts';
import type { Explanation } from './entry.ts';
import { explainReason, explanations, listReasons, reasonNames } from './find.ts';
import type { ReasonKind } from './kinds.ts';

/* That every member of every union has a text, and nothing else has one, is held by the types of the tables. */

const kinds = Object.keys(explanations) as ReasonKind[];
const all = kinds.flatMap((kind) =>
  Object.entries(explanations[kind]).map(([reason, text]) => ({ at: `${kind} ${reason}`, reason, text })),
);

describe('every text', () => {
  it('names a page that there is', () => {
    const pages = new Set(all.map(({ text }) => text.page));
    expect([...pages].filter((page) => !existsSync(join(projectRoot, page)))).toEqual([]);
  });

  it('is short, and says something', () => {
    const wrong = all.filter(({ text }) => said(text).some((words) => words === '' || words.length > 400));
    expect(wrong.map(({ at }) => at)).toEqual([]);
  });

  it('says what follows, unless it is of a word for a thing', () => {
    const silent = all.filter(({ at, text }) => (text.follows === '') !== at.startsWith('word '));
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  it('is another one than those of the same kind', () => {
    const twice = kinds.filter((kind) => {
      const texts = Object.values(explanations[kind]).map(({ what }) => what);
      return new Set(texts).size < texts.length;
    });
    expect(twice).toEqual([]);
  });

  it('is made of sentences', () => {
    const wrong = all.filter(({ text }) =>
      [text.what, text.follows || text.what].some((words) => !/^[A-Z].*[.?]$|^pawl .*\.$/.test(words)),
    );
    expect(wrong.map(({ at, text }) => [at, text.what, text.follows])).toEqual([]);
  });

  it('names commands and options that there are', () => {
    const names = new Set(commands.map(({ name }) => name));
    const specs = [...globalOptions, ...commands.flatMap(({ options }) => options)];
    const options = new Set(specs.flatMap(({ flags }) => flags.match(/--[a-z-]+/g) ?? []));
    const wrong = all.flatMap(({ at, text }) =>
      said(text)
        .flatMap((words) => [
          ...[...words.matchAll(/\bpawl ([a-z]+)/g)].filter(([, name]) => !names.has(name ?? '')),
          ...[...words.matchAll(/--[a-z-]+/g)].filter(([option]) => !options.has(option)),
        ])
        .map(([found]) => `${at}: ${found}`),
    );
    expect(wrong).toEqual([]);
  });

  it('holds no whole command that discards or overrides anything', () => {
    // With PHASE in it a command cannot be pasted as it is.
    const whole =
      /pawl \S+ [^,;:]*--(?:force|rerun-from(?! PHASE)|rerun-all|takeover|past-limits|delete|fresh|yes)|pawl (?:reset|gc) /;
    expect(all.filter(({ text }) => text.ways.some((way) => whole.test(way))).map(({ at }) => at)).toEqual(
      [],
    );
  });

  it('is of a word as people can type it', () => {
    expect(
      all
        .map(({ reason }) => reason)
        .filter((reason) => !/^(?:[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*|\d+)$/.test(reason)),
    ).toEqual([]);
  });
});

describe('a word', () => {
  it('has all its meanings', () => {
    expect(explainReason('interrupted')?.meanings.map(({ kind }) => kind)).toEqual([
      'run-reason',
      'cell-status',
      'run-status',
      'run-end',
      'notification-problem',
    ]);
    expect(explainReason('file-changed')?.meanings.map(({ kind }) => kind)).toEqual([
      'run-reason',
      'guard',
      'finding',
    ]);
  });

  it('is found however it is spelled', () => {
    expect(explainReason('Output_Edited')?.reason).toBe('output-edited');
    expect(explainReason('waiting-human')).toEqual(explainReason('waiting_human'));
  });

  it('keeps its spelling where two words differ only by that', () => {
    const event = explainReason('revision_requested');
    const reason = explainReason('revision-requested');
    expect([event?.reason, reason?.reason]).toEqual(['revision_requested', 'revision-requested']);
    expect(event?.meanings.map(({ kind }) => kind)).toEqual(['run-reason', 'attempt-failure', 'event']);
    expect(event?.meanings).toEqual(reason?.meanings);
  });

  it.each(['cell', 'unit', 'phase', 'Gate', 'checkpoint', 'brief', 'ledger', 'stand in', 'best_round'])(
    'for a thing is defined: %s',
    (word) => {
      expect(explainReason(word)?.meanings[0]).toMatchObject({
        kind: 'word',
        page: 'docs/reference/words.md',
      });
    },
  );

  it('that is the name of a kind brings the words of that kind', () => {
    expect(explainReason('guard')).toMatchObject({
      reason: 'guard',
      meanings: [{ kind: 'word' }],
      kind: { kind: 'guard', reasons: expect.arrayContaining(['output-edited']) },
    });
    expect(explainReason('run_reason')).toMatchObject({ reason: 'run-reason', meanings: [] });
    expect(explainReason('cell')).not.toHaveProperty('kind');
  });

  it('that is a number is the exit code', () => {
    expect(explainReason('75')).toMatchObject({
      reason: '75',
      meanings: [{ kind: 'exit-code', what: 'Paused; try again later.' }],
    });
  });

  it.each(['nonsense', '76', '', 'constructor', '__proto__', 'toString'])('%j means nothing', (word) => {
    expect(explainReason(word)).toBeUndefined();
  });

  it('has the shape that --json promises', () => {
    expect(explainReason('in-doubt')).toEqual({
      reason: 'in-doubt',
      meanings: [
        {
          kind: 'word',
          what: 'Started and never ended: its holder died.',
          // biome-ignore lint/suspicious/noThenProperty: what --json calls it
          then: '',
          ways: [],
          page: 'docs/reference/words.md',
        },
        {
          kind: 'guard',
          what: expect.stringContaining('on_interrupt: ask'),
          // biome-ignore lint/suspicious/noThenProperty: what --json calls it
          then: expect.any(String),
          ways: expect.arrayContaining([expect.stringContaining('--rerun-from')]),
          exitCode: 4,
          page: 'docs/reference/manifest.md',
        },
      ],
    });
    expect(explainReason('budget-near')?.meanings[0]).not.toHaveProperty('exitCode');
  });

  it.each([
    ['manifest-invalid', 2],
    ['refused', 4],
    ['no-run', 5],
    ['claim-lost', 6],
    ['disk-failed', 7],
    ['unknown-option', 2],
    ['files-exist', 4],
    ['settings-unreadable', 4],
  ])('%s ends as the command itself would: %i', (word, exitCode) => {
    expect(explainReason(word)?.meanings[0]).toMatchObject({ exitCode });
  });

  it('of an attempt that only asked for a revision has no exit code', () => {
    const meanings = explainReason('revision-requested')?.meanings ?? [];
    expect(meanings.map(({ exitCode }) => exitCode)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the list', () => {
  it('has every word of every kind', () => {
    const listed = listReasons();
    expect(listed.map(({ kind }) => kind)).toHaveLength(kinds.length);
    expect(listed.flatMap(({ reasons }) => reasons)).toHaveLength(all.length);
    expect(new Set(listed.map(({ title }) => title)).size).toBe(kinds.length);
  });

  it('has every word once for those who guess', () => {
    const names = new Set([...all.map(({ reason }) => reason), ...kinds]);
    expect(reasonNames().toSorted()).toEqual([...names].toSorted());
  });

  it('leads to a text from each of its words', () => {
    expect(reasonNames().filter((name) => explainReason(name)?.reason !== name)).toEqual([]);
  });
});

function said({ what, follows, ways }: Explanation): string[] {
  return [what, ...(follows === '' ? [] : [follows]), ...ways];
}
