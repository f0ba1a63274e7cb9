import type { InitAnswer } from '../engine/examples/init.ts';
import { hint } from './phrases/hints.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { count, list } from './style/words.ts';

/** The example that was written, and how to run it. */
export function initText({ example, folder, manifest, files, first }: InitAnswer, style: Style): string {
  const { paint, symbols } = style;
  // A folder is enough to name its pawl.yaml; any other manifest is named itself.
  const path = [...(folder === '.' ? [] : [folder]), ...(manifest === 'pawl.yaml' ? [] : [manifest])].join(
    '/',
  );
  const place = folder === '.' ? 'this folder' : plain(folder);
  return [
    `${paint.green(symbols.good)} the example ${plain(example)} is in ${place}: ${count(files.length, 'file')}; to read first: ${list(first.map(plain))}`,
    `  ${paint.cyan(symbols.becomes)} to see what it would do: ${hint('plan', path)}`,
    `  ${paint.cyan(symbols.becomes)} to do it: ${hint('run', path)}`,
  ].join('\n');
}
