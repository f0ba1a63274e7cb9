import { isUtf8 } from 'node:buffer';
import type { Hash } from '../../base/hash.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import type { ContentStore } from '../../store/content.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import { diffLines } from '../observe/text-diff.ts';
import type { Workspace } from '../open/workspace.ts';

/** One part that two results were made from, or one output of theirs. */
export interface ComparedPart {
  /** `output text`, `input words`, `template phase`, `definition`, `fields`. */
  readonly name: string;
  readonly hash: Hash;
  readonly path?: string;
  readonly size?: number;
}

/** A part that differs. */
export interface PartDifference {
  readonly name: string;
  /** Absent: there was no such part. */
  readonly before?: PartSide;
  readonly after?: PartSide;
  /** Line by line; absent: it is no text, or its bytes were not kept. */
  readonly diff?: TextDiff;
}

type PartSide = Omit<ComparedPart, 'name'>;

export interface ComparedParts {
  readonly differences: readonly PartDifference[];
  /** Names of the parts that are the same. */
  readonly same: readonly string[];
}

/** Where the texts of the parts are, and what must not be shown of them. */
type TextSource = Pick<Workspace, 'loaded' | 'env'> & { readonly store: ContentStore };

/** Both lists by name, in the order of the first. With a store also line by line. */
export function compareParts(
  before: readonly ComparedPart[],
  after: readonly ComparedPart[],
  texts?: TextSource,
): ComparedParts {
  const was = new Map(before.map(({ name, ...side }) => [name, side]));
  const is = new Map(after.map(({ name, ...side }) => [name, side]));
  const differences: PartDifference[] = [];
  const same: string[] = [];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [a, b] = [was.get(name), is.get(name)];
    if (a?.hash === b?.hash) {
      same.push(name);
      continue;
    }
    const diff = texts && textDiff(name, a, b, texts);
    differences.push({ name, ...(a && { before: a }), ...(b && { after: b }), ...(diff && { diff }) });
  }
  return { differences, same };
}

function textDiff(
  name: string,
  before: PartSide | undefined,
  after: PartSide | undefined,
  { store, loaded, env }: TextSource,
): TextDiff | undefined {
  const was = textOf(store, before);
  const is = textOf(store, after);
  if (was === undefined || is === undefined) return undefined;
  const { redact } = shownRedactor({ loaded, env });
  const path = after?.path ?? before?.path ?? name;
  return {
    title: name,
    before: { path: before?.path ?? path, hash: before?.hash },
    after: { path: after?.path ?? path, hash: after?.hash },
    lines: diffLines(redact(was), redact(is)),
  };
}

/** Undefined: it is no text that could be shown. */
function textOf(store: ContentStore, side: PartSide | undefined): string | undefined {
  if (side === undefined) return '';
  if ((side.size ?? 0) > shownBytesMax) return undefined;
  const bytes = store.get(side.hash);
  if (bytes === undefined || bytes === 'damaged' || bytes.length > shownBytesMax) return undefined;
  return isUtf8(bytes) && !bytes.includes(0) ? new TextDecoder().decode(bytes) : undefined;
}

const shownBytesMax = 1024 * 1024;
