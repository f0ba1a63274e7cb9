import { isMap, isScalar, isSeq, type Node } from 'yaml';
import { joinPath, type Locate, placeAt } from './problems.ts';

/** Where a value of a text begins, and its key; for an item of a list both are the same. */
export interface Offsets {
  readonly key: number;
  readonly value: number;
}

/** Finds the places of a document's parts. The index is made at the first question. */
export function createLocate(
  text: string,
  file: string,
  makeIndex: () => ReadonlyMap<string, Offsets>,
): Locate {
  let index: ReadonlyMap<string, Offsets> | undefined;
  return (path, part = 'value') => {
    index ??= makeIndex();
    const exact = index.get(path);
    if (exact !== undefined) return placeAt(file, text, exact[part]);
    // What is not there is missing from something: its key says where.
    return placeAt(file, text, nearestAbove(index, path)?.key ?? 0);
  };
}

/** Where every value of a YAML tree stands. */
export function indexTree(root: Node | null): Map<string, Offsets> {
  const index = new Map<string, Offsets>();
  visit(root, '', undefined);
  return index;

  function visit(node: Node | null, path: string, keyOffset: number | undefined): void {
    const valueOffset = node?.range?.[0] ?? keyOffset ?? 0;
    index.set(path, { key: keyOffset ?? valueOffset, value: valueOffset });
    if (isMap<Node | null, Node | null>(node)) {
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        visit(value, joinPath(path, name), key?.range?.[0]);
      }
    }
    if (isSeq<Node>(node)) {
      node.items.forEach((item, at) => {
        visit(item, `${path}[${at}]`, undefined);
      });
    }
  }
}

function nearestAbove(index: ReadonlyMap<string, Offsets>, path: string): Offsets | undefined {
  let above = path;
  while (above !== '') {
    above = above.slice(0, Math.max(0, above.lastIndexOf('.'), above.lastIndexOf('[')));
    const offsets = index.get(above);
    if (offsets !== undefined) return offsets;
  }
  return undefined;
}
