import { fail } from '../../base/result.ts';
import { askNamedRun, flagOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { namedRunArgument, runOption, selecting } from '../options.ts';
import { selectionOf } from '../selection.ts';

export const inspectCommand: Command = {
  name: 'inspect',
  group: 'look',
  summary: 'show every attempt ever made, with scores and reasons',
  arguments: [namedRunArgument],
  options: [
    runOption,
    ...selecting,
    { flags: '--csv', summary: 'a line for each attempt, for spreadsheets' },
  ],
  examples: [
    { line: 'pawl inspect --unit ch001_sc002', summary: 'one unit, with the paths of its outputs' },
    { line: 'pawl inspect --csv > attempts.csv', summary: 'all that was tried, as a table' },
  ],
  async perform(call, face) {
    const isCsv = flagOption(call, 'csv');
    if (isCsv && face.json)
      return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: ['--csv', '--json'] } });
    const selection = selectionOf(call);
    if (!selection.ok) return selection;
    const { inspectRun } = await import('../../engine/show/inspect.ts');
    const env = await environmentOf(face);
    const answer = await askNamedRun(call, face.place.cwd, (target) =>
      inspectRun(env, { ...target, ...selection.value }),
    );
    return present('inspect', answer, {
      loadText: async () =>
        isCsv
          ? (await import('../../text/inspect-csv.ts')).inspectCsv
          : (await import('../../text/inspect.ts')).inspectText,
      isAsIs: isCsv,
    });
  },
};
