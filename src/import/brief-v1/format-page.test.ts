import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { proven } from '../../../test/fixtures/brief-v1.ts';
import type { JsonObject } from '../../base/json.ts';
import type { BriefProblemCode } from '../../projections/brief/schema.ts';
import type { Change, Contradiction, Warning } from './notes.ts';

const page = readFileSync(new URL('../../../docs/formats/brief-v1.md', import.meta.url), 'utf8');

/** Every one of them: a new code does not compile before it is listed. */
const codes: Readonly<
  Record<Change['code'] | Contradiction['code'] | Warning['code'] | BriefProblemCode, true>
> = {
  moved: true,
  removed: true,
  added: true,
  'taken-from-prose': true,
  rewritten: true,
  reshaped: true,
  'both-places': true,
  'prose-and-field': true,
  'complete-and-next-step': true,
  'complete-and-next-phase': true,
  'complete-and-gates-remaining': true,
  'complete-and-current-gate': true,
  'status-and-activity': true,
  'status-and-next-step': true,
  'next-step-and-state': true,
  'left-empty': true,
  'phase-and-name': true,
  'phase-beyond-last': true,
  'count-and-list': true,
  'gate-completed-and-remaining': true,
  'more-resolved-than-found': true,
  'id-twice': true,
  'agent-twice': true,
  missing: true,
  'not-an-object': true,
  'not-a-list': true,
  'not-text': true,
  'not-a-number': true,
  'not-a-whole-number': true,
  'not-true-or-false': true,
  'not-one-of': true,
  'out-of-range': true,
  'not-a-checkpoint-id': true,
  'not-a-decision-id': true,
  'not-a-compaction-id': true,
  'not-a-time': true,
  'not-a-file': true,
  'not-a-phase': true,
};

describe('the page on version 1', () => {
  it.each(Object.keys(codes))('names %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it('shows what becomes of a document, key by key', () => {
    const [before, after] = Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text = '']) => {
      const { resumption } = parse(text) as { resumption: JsonObject };
      return resumption;
    });
    const { section, problems } = proven(before ?? {});
    expect(problems).toEqual([]);
    expect(JSON.stringify(section)).toBe(JSON.stringify(after));
  });
});
