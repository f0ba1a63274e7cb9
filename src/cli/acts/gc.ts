import { fail, ok } from '../../base/result.ts';
import { pageMark } from '../../text/html/page.ts';
import { type Act, pathOf } from '../act.ts';
import { flagOption, textOption } from '../call.ts';

export const act: Act = async (call, face) => {
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
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await collectGarbage(systemEnvironment(face.place), {
    path: pathOf(call),
    olderThanMs,
    keep,
    delete: flagOption(call, 'delete'),
    pageMark,
  });
  return answer.ok ? ok({ command: 'gc', answer: answer.value }) : answer;
};

const msOf = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 7 * 86_400_000],
]);

/** `30d`, `2w`, `12h`, `90m`. Nothing finer: nobody means to delete what is seconds old. */
export function parseAge(text: string): number | undefined {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)([mhdw])$/.exec(text);
  const ms = msOf.get(match?.[2] ?? '');
  return ms === undefined ? undefined : Math.round(Number(match?.[1]) * ms);
}
