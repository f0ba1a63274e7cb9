import { fail, ok, type Result } from '../../base/result.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { type GraphFormat, graphDocument, graphMark } from '../../text/graph/answer.ts';
import { type Act, askNamedRun } from '../act.ts';
import { textOption } from '../call.ts';

export const act: Act = async (call, face) => {
  const out = textOption(call, 'out');
  const format = formatOf(textOption(call, 'format'), out);
  if (!format.ok) return format;
  const as = format.value;
  // With a file for the picture, the JSON on stdout says where that is.
  if (face.json && out === undefined && (as === 'mermaid' || as === 'svg'))
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: [`--format ${as}`, '--json'] } });
  const { showGraph, writeGraph } = await import('../../engine/show/graph.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const answer = await askNamedRun(call, face.place.cwd, (target) => showGraph(env, target));
  if (!answer.ok) return answer;
  const graph = answer.value;
  if (out === undefined || as === 'text')
    return ok({ command: 'graph', answer: { ...graph, file: undefined }, as });
  const text = `${graphDocument(graph, as)}\n`;
  const name = `graph.${endings.get(as) ?? as}`;
  const written = writeGraph(env, { text, mark: graphMark(as), out, name });
  if (!written.ok) return fail({ reason: 'not-a-report', ...written.failure });
  return ok({ command: 'graph', answer: { ...graph, file: written.value }, as });
};

const formats: readonly GraphFormat[] = ['text', 'mermaid', 'svg', 'json'];

const endings: ReadonlyMap<GraphFormat, string> = new Map([
  ['mermaid', 'mmd'],
  ['svg', 'svg'],
  ['json', 'json'],
]);

/** What was asked for; where only a file is named, what its name says. */
export function formatOf(asked: string | undefined, out: string | undefined): Result<GraphFormat, Trouble> {
  const option = '--format';
  const known = formats.find((format) => format === asked);
  if (asked !== undefined && known === undefined)
    return fail({ reason: 'bad-value', option, found: asked, expected: 'text, mermaid, svg or json' });
  if (out === undefined) return ok(known ?? 'text');
  if (known === 'text')
    return fail({ reason: 'bad-value', option, found: known, expected: 'mermaid, svg or json for a file' });
  const ending = /\.([a-z]+)$/i.exec(out)?.[1]?.toLowerCase();
  const meant = known ?? [...endings].find(([, end]) => end === ending)?.[0];
  if (meant !== undefined) return ok(meant);
  return fail({ reason: 'usage', problem: { code: 'needs-flag', flag: '--out', with: option } });
}
