import { fail, ok } from '../../base/result.ts';
import { askNamedRun, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { namedRunArgument, runOption, selecting } from '../options.ts';
import { selectionOf } from '../selection.ts';

export const reportCommand: Command = {
  name: 'report',
  group: 'look',
  summary: 'write a page with every unit, its pictures, attempts and scores',
  details: [
    'One HTML file that needs no network, made from the journal at any time. Without -o it is report.html in the',
    "run's folder, and no file that is not such a page is overwritten.",
  ],
  arguments: [namedRunArgument],
  options: [runOption, ...selecting, { flags: '-o, --out <file>', summary: 'where to write it' }],
  async perform(call, face) {
    const selection = selectionOf(call);
    if (!selection.ok) return selection;
    const { gatherPage } = await import('../../engine/show/page/gather.ts');
    const { writePage } = await import('../../engine/show/page/page-file.ts');
    const { pageMark, reportHtml } = await import('../../text/html/page.ts');
    const env = await environmentOf(face);
    const page = await askNamedRun(call, face.place.cwd, (target) =>
      gatherPage(env, { ...target, ...selection.value }),
    );
    if (!page.ok) return page;
    const { heading, stages, unitsLeftOut, pictures } = page.value;
    const file = { html: reportHtml(page.value), mark: pageMark, out: textOption(call, 'out') };
    const written = writePage(env, page.value, file);
    if (!written.ok) return fail({ reason: 'not-a-report', ...written.failure });
    const units = {
      shown: stages.reduce((sum, stage) => sum + stage.units.length, 0),
      leftOut: unitsLeftOut,
    };
    return present('report', ok({ heading, ...written.value, units, pictures }), {
      loadText: async () => (await import('../../text/report.ts')).reportText,
    });
  },
};
