type DiffLine = TextDiff['lines'][number];

const context = 3;
/** Beyond this the quadratic table is not worth its memory: the middle is shown as replaced as a whole. */
const tableStepsMax = 4_000_000;

/** The lines that differ, with a little around them. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = splitLines(before);
  const b = splitLines(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end])
    end++;
  const middle = diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const lines = [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
  return withGaps(lines);
}

function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const same = (text: string): DiffLine => ({ kind: 'same', text });
const removed = (text: string): DiffLine => ({ kind: 'removed', text });
const added = (text: string): DiffLine => ({ kind: 'added', text });

/** Longest common subsequence: few lines differ, so the plain table is enough. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  if ((a.length + 1) * (b.length + 1) > tableStepsMax) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const left = a[i];
    const right = b[j];
    if (left !== undefined && left === right) {
      lines.push(same(left));
      i++;
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i++;
    } else if (right !== undefined) {
      lines.push(added(right));
      j++;
    }
  }
  return lines;
}

function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const near = new Uint8Array(lines.length);
  lines.forEach((line, at) => {
    if (line.kind !== 'same') near.fill(1, Math.max(0, at - context), at + context + 1);
  });
  const shown: DiffLine[] = [];
  lines.forEach((line, at) => {
    if (near[at] === 1) shown.push(line);
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '' });
  });
  return shown;
}

/** Lines of a text comparison; `same` lines are only context. */
export interface TextDiff {
  readonly title: string;
  readonly before: { readonly path: string; readonly hash: string | undefined };
  readonly after: { readonly path: string; readonly hash: string | undefined };
  readonly lines: readonly { readonly kind: 'same' | 'added' | 'removed' | 'gap'; readonly text: string }[];
}
