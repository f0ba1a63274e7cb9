import { fail, ok, type Result } from '../../base/result.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import type { GraphFormat } from '../../text/graph/answer.ts';
import { askNamedRun, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { namedRunArgument, runOption } from '../options.ts';

export const graphCommand: Command = {
  name: 'graph',
  group: 'look',
  summary: 'draw the units with what they need and where they stand',
  arguments: [namedRunArgument],
  options: [
    runOption,
    { flags: '--format <name>', summary: 'text (the default), mermaid, svg or json' },
    { flags: '-o, --out <file>', summary: 'write it to a file' },
  ],
  examples: [{ line: 'pawl graph --format svg -o graph.svg', summary: 'a picture to look at' }],
  async perform(call, face) {
    const out = textOption(call, 'out');
    const format = formatOf(textOption(call, 'format'), out);
    if (!format.ok) return format;
    const as = format.value;
    // With `--out` the picture goes into the file, so stdout is free for the JSON document.
    if (face.json && out === undefined && (as === 'mermaid' || as === 'svg'))
      return fail({
        reason: 'usage',
        problem: { code: 'flags-exclude', flags: [`--format ${as}`, '--json'] },
      });
    const { showGraph, writeGraph } = await import('../../engine/show/graph.ts');
    const { graphDocument, graphMark, graphOutput } = await import('../../text/graph/answer.ts');
    const env = await environmentOf(face);
    const graph = await askNamedRun(call, face.place.cwd, (target) => showGraph(env, target));
    if (!graph.ok) return graph;
    let file: { readonly path: string; readonly bytes: number } | undefined;
    if (out !== undefined && as !== 'text') {
      const text = `${graphDocument(graph.value, as)}\n`;
      const written = writeGraph(env, {
        text,
        mark: graphMark(as),
        out,
        name: `graph.${endings.get(as) ?? as}`,
      });
      if (!written.ok) return fail({ reason: 'not-a-report', ...written.failure });
      file = written.value;
    }
    return present('graph', ok({ ...graph.value, file }), {
      loadText: async () => (answer, style) => graphOutput(answer, as, style),
      isAsIs: true,
    });
  },
};

const formats: readonly GraphFormat[] = ['text', 'mermaid', 'svg', 'json'];

const endings: ReadonlyMap<GraphFormat, string> = new Map([
  ['mermaid', 'mmd'],
  ['svg', 'svg'],
  ['json', 'json'],
]);

/** The format that was typed; without one, the format that the name of the file implies. */
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
