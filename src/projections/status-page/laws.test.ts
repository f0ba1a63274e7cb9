import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Hash, hashBytes } from '../../base/hash.ts';
import { type ReadPage, readStatusPage } from '../../import/status-page/read.ts';
import { renderStatusPage } from './render.ts';
import type { CompletedStage, StatusPage } from './status-page.ts';
import { cleanLine, cleanText } from './text.ts';

describe('a rendered page', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(anyPage(), (page) => {
        const { page: read, findings } = readStatusPage(renderStatusPage(page), { stages });
        expect(withoutLines(read)).toEqual(asRead(page));
        const codes = new Set(findings.map(({ code }) => code));
        expect([...codes].filter((code) => code !== 'stage-without-artifact')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has the same bytes for the same page, and none that cannot be seen', () => {
    fc.assert(
      fc.property(anyPage('hostile'), (page) => {
        const text = renderStatusPage(page);
        expect(renderStatusPage(structuredClone(page))).toBe(text);
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }),
    );
  });

  it('has a line for each thing, whatever the texts hold', () => {
    fc.assert(
      fc.property(anyPage('hostile'), (page) => {
        const lines = renderStatusPage(page).split('\n');
        expect(lines.filter((line) => line.startsWith('- ['))).toHaveLength(page.checkpoints.length);
        expect(lines.filter((line) => line.startsWith('#'))).toHaveLength(7);
      }),
    );
  });
});

describe('the reader', () => {
  it('takes any text', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const { page, findings } = readStatusPage(text, { stages });
        expect(page.completed.every(({ line }) => line >= 1)).toBe(true);
        const lines = findings.map(({ line }) => line);
        expect(lines).toEqual([...lines].sort((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  it('says of any page that has no status why', () => {
    const because = ['no-known-key', 'status-missing', 'status-unknown', 'status-contradicts'];
    fc.assert(
      fc.property(anyText(), (text) => {
        const { page, findings } = readStatusPage(text);
        const isTold = findings.some(({ code }) => because.includes(code));
        expect(page.status !== undefined || isTold).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  // A pattern that goes back over what it has seen would take days for these.
  it.each([
    ...['|', '[', '`', '*', '_', '-', '#', '\\', '(', ',', ':', ' ', '<', '<br', '1', 'a', '\u202e', '✅'],
    ...['[a](', '- [', '| ', '> ', ' - ', '=', '2026-11-15', '<!--', '\n', '- x\n', '  - y\n', '|-|\n'],
  ])('is done with a large page of %j', (piece) => {
    const start = '- status: DONE\n\n## Completed Stages\n\n- spec: ';
    const text = piece.repeat(Math.floor((512 * 1024) / piece.length));
    for (const page of [text, `${start}${text}`, `## Notes\n\n- ${text}!`, `## Checkpoints\n- ${text})`])
      expect(readStatusPage(page, { stages }).findings.length).toBeGreaterThan(0);
  });
});

const stages = ['spec', 'clarify', 'architect', 'tasks', 'code-review', 'none'];

function withoutLines(page: ReadPage): unknown {
  return JSON.parse(JSON.stringify(page, (key, value: unknown) => (key === 'line' ? undefined : value)));
}

/** What a reader makes of it: hashes are told to be full, and what cannot be seen is gone. */
function asRead(page: StatusPage): unknown {
  const full = (hash: Hash) => ({ kind: 'full', hash });
  return JSON.parse(
    JSON.stringify({
      ...page,
      specHash: page.specHash && full(page.specHash),
      completed: page.completed.map(({ artifact, ...row }) => ({
        ...row,
        artifact: artifact && { path: artifact.path, hash: full(artifact.hash) },
      })),
    }),
  );
}

/** Pieces that mean something in Markdown, in YAML or to the reader. */
const pieces = fc.constantFrom(
  ...[
    '|',
    '\\',
    '`',
    '*',
    '**',
    '_',
    '~~',
    '<br>',
    '<',
    '>',
    '[',
    ']',
    '(',
    ')',
    '[x]',
    '✅',
    '❌',
    '#',
    '- ',
  ],
  ...[
    ',',
    ':',
    ': ',
    '"',
    "'",
    '{{',
    '}}',
    '&amp;',
    '—',
    '-',
    '...',
    'none',
    'N/A',
    'tbd',
    'by ',
    'at ',
    'C1',
  ],
  ...[
    '2026-11-15T12:00:00.000Z',
    'sha256:',
    'a',
    'Z',
    'é',
    '😀',
    ' ',
    '  ',
    '/',
    '.md',
    '1',
    '2/3',
    '](',
    '\n',
  ],
);
const unseenPieces = fc.constantFrom(
  '\u202e',
  '\u200b',
  '\u0007',
  '\u001b[2J',
  '\r\n',
  '\t',
  '\u2028',
  '\ud800',
);

function text(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ minLength: 1, unit: 'grapheme' }),
  );
}

const isFilled = (clean: string) => clean !== '';

function hostileText(): fc.Arbitrary<string> {
  return fc.array(fc.oneof(pieces, unseenPieces), { maxLength: 8 }).map((parts) => parts.join(''));
}

const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const hash = fc.string({ maxLength: 3 }).map(hashBytes);
const count = fc.integer({ min: 0, max: 999 });

function anyPage(texts: 'clean' | 'hostile' = 'clean'): fc.Arbitrary<StatusPage> {
  const isHostile = texts === 'hostile';
  const free = isHostile ? hostileText() : text().map(cleanText).filter(isFilled);
  const line = isHostile ? hostileText() : text().map(cleanLine).filter(isFilled);
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const stage = fc.constantFrom(...stages);
  const artifacts = fc.uniqueArray(line, { maxLength: 3 });
  const ofStage = fc.record({ stage, artifacts, hash, completedAt: time, iterations: count });
  return fc
    .record({
      unit: line,
      runId: line,
      specHash: optional(hash),
      startedAt: time,
      lastUpdatedAt: time,
      currentStage: optional(stage),
      status: fc.constantFrom(
        'IN_PROGRESS' as const,
        'WAITING_FOR_HUMAN' as const,
        'ABORTED' as const,
        'COMPLETE' as const,
        'FAILED' as const,
        'CANCELLED' as const,
      ),
      completed: fc
        .uniqueArray(ofStage, { maxLength: 4, selector: (row) => row.stage })
        .map((rows) => rows.flatMap(rowsOf)),
      attempt: count,
      iteration: count,
      startedAtOfAttempt: optional(time),
      files: fc.array(line, { maxLength: 3 }),
      iterations: fc.array(fc.record({ loop: stage, used: count, max: optional(count) }), { maxLength: 3 }),
      clusters: fc.array(fc.record({ defect: free, count, max: optional(count) }), { maxLength: 3 }),
      checkpoints: fc
        .array(
          fc.record({
            name: isHostile ? free : fc.oneof(free, fc.constant('')),
            cleared: fc.boolean(),
            decidedBy: optional(free),
            at: optional(time),
          }),
          { maxLength: 4 },
        )
        .map((list) => list.map((checkpoint, at) => ({ ...checkpoint, id: `C${at + 1}` }))),
      notes: fc.array(fc.record({ at: optional(time), text: free }), { maxLength: 4 }),
    })
    .map(({ attempt, iteration: round, startedAtOfAttempt, files, ...page }) => {
      const { currentStage } = page;
      if (currentStage === undefined) return { ...page, current: undefined };
      const current = {
        stage: currentStage,
        attempt,
        iteration: round,
        startedAt: startedAtOfAttempt,
        files,
      };
      return { ...page, current };
    });
}

function rowsOf(row: {
  readonly stage: string;
  readonly artifacts: readonly string[];
  readonly hash: Hash;
  readonly completedAt: string;
  readonly iterations: number;
}): CompletedStage[] {
  const { stage, artifacts, hash, completedAt, iterations } = row;
  const of = { stage, completedAt, iterations };
  if (artifacts.length === 0) return [{ ...of, artifact: undefined }];
  return artifacts.map((path) => ({ ...of, artifact: { path, hash } }));
}

/** Lines as people, other tools and damage leave them. */
function anyText(): fc.Arbitrary<string> {
  const word = fc.constantFrom(
    ...[
      'status',
      'Status',
      '**status**',
      'run_id',
      'current_stage',
      'DONE',
      'IN_PROGRESS',
      'spec',
      'Stage',
      'hash',
    ],
    ...[
      'completed_stages',
      'notes',
      'Human Checkpoints',
      'sha256:ab…',
      'adr.md',
      'C1',
      '---',
      '```',
      '```yaml',
      '...',
    ],
    ...[
      '## Completed Stages',
      '## Current Stage',
      '## Notes',
      '# Pipeline State',
      '## Iteration Counts',
      '<!--',
      '-->',
    ],
    ...[
      '## Failure Clusters',
      '## Checkpoints',
      '## Stages',
      '## Whatever',
      '|',
      '| Stage | Artifact |',
      '|---|---|',
    ],
    ...[
      '- ',
      '  - ',
      '- [x] ',
      '- [ ] ',
      ': ',
      ':',
      '> ',
      '\n',
      '\n',
      '\n',
      '\n\n',
      ' ',
      '\u202e',
      '\0',
      '2/3',
    ],
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(fc.oneof(word, pieces), { maxLength: 40 }).map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 2, arbitrary: anyPage('hostile').map(renderStatusPage).chain(damaged) },
  );
}

function damaged(page: string): fc.Arbitrary<string> {
  const at = fc.nat({ max: page.length });
  return fc.tuple(at, at, fc.string()).map(([from, to, more]) => page.slice(0, from) + more + page.slice(to));
}
