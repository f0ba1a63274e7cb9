import { fail } from '../../base/result.ts';
import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import { type Call, flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import type { Face } from '../face.ts';
import { runOption } from '../options.ts';

export const briefCommand: Command = {
  name: 'brief',
  group: 'tasks',
  summary: 'the resumption document: where the run stands, what is next, what was decided',
  details: [
    'Pawl writes it at every step of a run, from the journal: .pawl/runs/ID/brief.yaml, or the section resumption',
    'of the file that layout.brief names. --check says FRESH, STALE or CRITICAL, and changes nothing.',
    'brief migrate FILE turns a document of version 1 into version 2: it shows the difference; --write writes it.',
  ],
  arguments: [
    { name: '[action]', summary: 'migrate; default: show it' },
    { name: '[file]', summary: 'the document to migrate' },
  ],
  options: [
    runOption,
    { flags: '--check', summary: 'only look; exit code 0 if FRESH, else 4' },
    { flags: '--digest', summary: 'what an agent is handed, in few words' },
    { flags: '--write', summary: 'with migrate: write what was shown' },
  ],
  examples: [{ line: 'pawl brief --check', summary: 'is the document still true?' }],
  async perform(call, face) {
    const [action, file] = call.arguments;
    if (action === 'migrate') return await migrate(file, call, face);
    if (action !== undefined)
      return fail({ reason: 'too-many-arguments', command: 'brief', extra: [action] });
    const { showBrief } = await import('../../engine/brief/show.ts');
    const isCheck = flagOption(call, 'check');
    const as = flagOption(call, 'digest') ? 'digest' : 'document';
    return present(
      'brief',
      await showBrief(await environmentOf(face), { ...targetOf(call), check: isCheck }),
      {
        loadText: async () => {
          const { briefText } = await import('../../text/brief.ts');
          return (brief, style) => briefText(brief, as, style);
        },
        loadFacts: async () => (await import('../../text/json.ts')).briefFacts,
        exitCode: ({ staleness, edits }) =>
          isCheck && (staleness.level !== 'FRESH' || edits.length > 0) ? exitCodes.refused : exitCodes.done,
        isAsIs: !isCheck,
      },
    );
  },
};

async function migrate(file: string | undefined, call: Call, face: Face): Promise<Outcome> {
  if (file === undefined)
    return fail({ reason: 'missing-argument', command: 'brief migrate', argument: '<file>' });
  const { migrateBrief } = await import('../../engine/brief/migrate.ts');
  const answer = await migrateBrief(await environmentOf(face), { file, write: flagOption(call, 'write') });
  return present('brief migrate', answer, {
    loadText: async () => (await import('../../text/brief.ts')).migrateText,
  });
}
