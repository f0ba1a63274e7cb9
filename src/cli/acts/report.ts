import { fail, ok } from '../../base/result.ts';
import { pageMark, reportHtml } from '../../text/html/page.ts';
import { type Act, askNamedRun } from '../act.ts';
import { textOption } from '../call.ts';
import { selectionOf } from '../selection.ts';

export const act: Act = async (call, face) => {
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const { gatherPage } = await import('../../engine/show/page/gather.ts');
  const { writePage } = await import('../../engine/show/page/page-file.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const page = await askNamedRun(call, face.place.cwd, (target) =>
    gatherPage(env, { ...target, ...selection.value }),
  );
  if (!page.ok) return page;
  const { heading, stages, unitsLeftOut, pictures } = page.value;
  const file = { html: reportHtml(page.value), mark: pageMark, out: textOption(call, 'out') };
  const written = writePage(env, page.value, file);
  if (!written.ok) return fail({ reason: 'not-a-report', ...written.failure });
  const shown = stages.reduce((sum, { units }) => sum + units.length, 0);
  const units = { shown, leftOut: unitsLeftOut };
  return ok({ command: 'report', answer: { heading, ...written.value, units, pictures } });
};
