import { fail } from '../../base/result.ts';
import { flagOption, pathOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { pathArgument } from '../options.ts';

export const gcCommand: Command = {
  name: 'gc',
  group: 'care',
  summary: 'say what old runs and unused content take up; delete it with --delete',
  details: [
    'Of every identity: runs that are completed, failed or cancelled, with the files that they made and that nobody',
    'has changed since, and content that no run names any more. Never a run that can be gone on with, and never the',
    'newest completed one of an identity: the next run builds on it. Archives of reset are left alone.',
  ],
  arguments: [pathArgument],
  options: [
    {
      flags: '--older-than <duration>',
      summary: 'since the last event of a run: 30d, 2w, 12h; has to be given',
    },
    {
      flags: '--keep <what>',
      summary: 'approved: keep the final outputs of finished units, and the journal',
    },
    { flags: '--delete', summary: 'do it; without this nothing is changed' },
  ],
  examples: [{ line: 'pawl gc --older-than 30d', summary: 'what would go, and how much that frees' }],
  async perform(call, face) {
    const age = textOption(call, 'olderThan');
    if (age === undefined)
      return fail({ reason: 'missing-argument', command: 'gc', argument: '--older-than <duration>' });
    const olderThanMs = parseAge(age);
    if (olderThanMs === undefined)
      return fail({
        reason: 'bad-value',
        option: '--older-than',
        found: age,
        expected: '30d, 2w, 12h or the like',
      });
    const keep = textOption(call, 'keep');
    if (keep !== undefined && keep !== 'approved')
      return fail({ reason: 'bad-value', option: '--keep', found: keep, expected: 'approved' });
    const { collectGarbage } = await import('../../engine/maintain/gc/collect.ts');
    const { pageMark } = await import('../../text/html/page.ts');
    const answer = await collectGarbage(await environmentOf(face), {
      path: pathOf(call),
      olderThanMs,
      keep,
      delete: flagOption(call, 'delete'),
      pageMark,
    });
    return present('gc', answer, { loadText: async () => (await import('../../text/gc.ts')).gcText });
  },
};

const msOf = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

/** `30d`, `2w`, `12h`, `90m`. There are no seconds, so that a slip cannot delete what was just made. */
export function parseAge(text: string): number | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)([mhdw])$/.exec(text);
  const ms = msOf.get(match?.[2] ?? '');
  return ms === undefined ? undefined : Math.round(Number(match?.[1]) * ms);
}
