import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { parseIndexFile } from '../../src/artifacts/pack-index.ts';
import type { Disk } from '../../src/disk/disk.ts';
import { isTempName } from '../../src/disk/write.ts';
import { readSnapshot } from '../../src/journal/snapshot.ts';

/*
 * Most crash states differ in bytes that nobody ever looks at again. A process is a function of what its disk answers
 * to it, so two disks that answer alike lead to the same end: the second need not be lived through.
 */

/** Something that a process wanted to know of the disk that it was started on. */
type Question = `${'file' | 'stat' | 'kind' | 'room' | 'list' | 'real'} ${string}`;

export interface Answered {
  readonly question: Question;
  readonly answer: string;
}

/** A disk that notes what is asked of it, with the answers of the untouched disk that it was at first. */
export function observedDisk(disk: Disk, untouched: Disk, notes: Answered[]): Disk {
  const asked = new Set<Question>();
  const note = (question: Question) => {
    // What has a temporary name was made since, and is nobody's but its maker's.
    if (asked.has(question) || isTempName(basename(question))) return;
    asked.add(question);
    notes.push({ question, answer: answerTo(untouched, question) });
  };
  // From here on the process itself knows what the name leads to.
  const settle = (path: string) => {
    for (const kind of ['file', 'stat', 'kind', 'room'] as const) asked.add(`${kind} ${path}`);
  };
  // A name can be given where its folder is.
  const noteName = (question: Question, path: string) => {
    note(`kind ${dirname(path)}`);
    note(question);
  };
  return {
    stat: (path) => (note(`stat ${path}`), disk.stat(path)),
    read: (path, maxBytes) => (note(`file ${path}`), disk.read(path, maxBytes)),
    readRange: (path, offset, length) => (note(`file ${path}`), disk.readRange(path, offset, length)),
    list: (path) => (note(`list ${path}`), disk.list(path)),
    realpath: (path) => (note(`real ${path}`), disk.realpath(path)),
    create: (path) => (noteName(`kind ${path}`, path), settle(path), disk.create(path)),
    append: (path) => (noteName(`kind ${path}`, path), disk.append(path)),
    makeFolder: (path) => (note(`room ${path}`), disk.makeFolder(path)),
    // Whoever reads the new name later reads what the old one had.
    rename: (from, to) => (note(`file ${from}`), noteName(`room ${to}`, to), settle(to), disk.rename(from, to)),
    link: (existing, name) => (note(`file ${existing}`), noteName(`kind ${name}`, name), disk.link(existing, name)),
    remove: (path) => (note(`room ${path}`), disk.remove(path)),
    syncFolder: (path) => disk.syncFolder(path),
  };
}

/** The ends of all lives so far, by what their disks answered. */
export class KnownLives {
  readonly #starts = new Map<string, Node>();

  /** Whether a life with this beginning, on a disk that answers like this one, went well before. */
  has(start: string, disk: Disk): boolean {
    let node = this.#starts.get(start);
    while (node?.question !== undefined) node = node.next.get(answerTo(disk, node.question));
    return node !== undefined;
  }

  splits(): Map<string, number> {
    const found = new Map<string, number>();
    const walk = (node: Node) => {
      if (node.next.size > 1) found.set(node.question ?? '', (found.get(node.question ?? '') ?? 0) + node.next.size - 1);
      for (const next of node.next.values()) walk(next);
    };
    for (const node of this.#starts.values()) walk(node);
    return found;
  }

  add(start: string, notes: readonly Answered[]): void {
    let node = this.#starts.get(start) ?? newNode();
    this.#starts.set(start, node);
    for (const { question, answer } of notes) {
      node.question ??= question;
      if (node.question !== question) throw new Error(`the same answers led to ${question} and to ${node.question}`);
      const next = node.next.get(answer) ?? newNode();
      node.next.set(answer, next);
      node = next;
    }
  }
}

interface Node {
  /** Undefined: nothing more was asked. */
  question: Question | undefined;
  readonly next: Map<string, Node>;
}

function newNode(): Node {
  return { question: undefined, next: new Map() };
}

function answerTo(disk: Disk, question: Question): string {
  const path = question.slice(5);
  switch (question.slice(0, 4)) {
    case 'file': {
      if (disk.stat(path)?.kind !== 'file') return kindOf(disk, path);
      return isOfUse(disk, path) ? hash('sha1', disk.read(path) ?? '') : '';
    }
    case 'stat': {
      const stat = disk.stat(path);
      return stat === undefined ? '' : `${stat.kind} ${stat.size} ${stat.ino} ${stat.mtimeMs}`;
    }
    case 'kind':
      return kindOf(disk, path);
    case 'room':
      // Whether a file, a folder or nothing is replaced or removed makes no difference.
      return kindOf(disk, path).replace(/^(?:file|folder)$/, '');
    case 'list':
      return (disk.list(path) ?? ['/']).map((name) => (isTempName(name) ? '' : name)).join('/');
    default:
      return disk.realpath(path) ?? '';
  }
}

function kindOf(disk: Disk, path: string): string {
  return disk.stat(path)?.kind ?? '';
}

/** Files that are only there to save time are not believed when they are damaged, whatever the damage. */
function isOfUse(disk: Disk, path: string): boolean {
  if (path.endsWith('/snapshot')) return readSnapshot(disk, path) !== undefined;
  if (path.endsWith('.idx')) return parseIndexFile(disk.read(path) ?? new Uint8Array()) !== undefined;
  return true;
}
