import { checksum } from '../../src/base/hash.ts';
import { byCodeUnit } from '../../src/base/json.ts';
import { isTempName } from '../../src/disk/write.ts';
import { contentOf, type Inode } from './inodes.ts';
import { rootIno, type Tree } from './tree.ts';

/**
 * Equal for equal content: names, kinds and bytes; not for equal inode numbers or times. Temporary names count as one
 * name, since they are random.
 */
export function fingerprintOf(tree: Tree): string {
  return checksum(printOf(tree, tree.inodes.get(rootIno)));
}

/** A slash is in no name, so the text can be read in one way only; it is hashed once, for the whole tree. */
function printOf(tree: Tree, inode: Inode | undefined): string {
  switch (inode?.kind) {
    case 'file':
      inode.checksum ??= checksum(contentOf(inode));
      return `f${inode.checksum}`;
    case 'folder': {
      const entries: string[] = [];
      for (const [name, ino] of inode.names) {
        entries.push(`,${isTempName(name) ? '/' : name}/${printOf(tree, tree.inodes.get(ino))}`);
      }
      return `d(${entries.sort(byCodeUnit).join('')})`;
    }
    case 'link':
      return `l${checksum(inode.target)}`;
    default:
      return 'o';
  }
}
