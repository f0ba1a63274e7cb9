import { plain } from './style/plain.ts';
import { count, list } from './style/words.ts';

/** Between two runs of `run --watch`. */
export function waitingText(files: number): string {
  return `watching ${count(files, 'file')} for changes; Ctrl-C ends`;
}

export function againText(changed: readonly string[]): string {
  return `${list(changed.map(plain), changedMax)} changed; running again`;
}

const changedMax = 5;

/** At the end of `run --watch`. */
export function watchedText({ runs }: { readonly runs: number }): string {
  return `stopped watching after ${count(runs, 'run')}`;
}
