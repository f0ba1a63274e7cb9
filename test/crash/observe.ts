import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Disk } from '../../src/disk/disk.ts';
import { isTempName } from '../../src/disk/write.ts';
import { parseIndexFile } from '../../src/store/file/content/pack-index.ts';
import { readSnapshot } from '../../src/store/file/journal/snapshot.ts';

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
export function observedDisk(
  disk: Disk,
  untouched: Disk,
  notes: Answered[],
  isIdle: (question: string) => boolean,
): Disk {
  const asked = new Set<string>();
  const note = (question: Question) => {
    // What has a temporary name was made since, and is nobody's but its maker's.
    if (asked.has(question) || isTempName(basename(question)) || isIdle(question)) return;
    asked.add(question);
    notes.push({ question, answer: answerTo(untouched, question) });
  };
  /** From here on the process itself knows what the name leads to. */
  const settle = (path: string) => {
    for (const kind of ['file', 'stat', 'kind', 'room']) asked.add(`${kind} ${path}`);
  };
  /** A name can be given where its folder is. Whoever reads it later reads what it was given to. */
  const give = <T>(question: Question, path: string, change: () => T): T => {
    note(`kind ${dirname(path)}`);
    note(question);
    const given = change();
    settle(path);
    return given;
  };
  const asking = <T>(question: Question, answer: () => T): T => {
    note(question);
    return answer();
  };
  return {
    stat: (path) => asking(`stat ${path}`, () => disk.stat(path)),
    read: (path, maxBytes) => asking(`file ${path}`, () => disk.read(path, maxBytes)),
    readRange: (path, offset, length) => asking(`file ${path}`, () => disk.readRange(path, offset, length)),
    list: (path) => asking(`list ${path}`, () => disk.list(path)),
    realpath: (path) => asking(`real ${path}`, () => disk.realpath(path)),
    create: (path) => give(`kind ${path}`, path, () => disk.create(path)),
    append: (path) => asking(`kind ${path}`, () => disk.append(path)),
    makeFolder: (path) => {
      asking(`room ${path}`, () => disk.makeFolder(path));
      for (let at = path; at !== dirname(at); at = dirname(at)) asked.add(`kind ${at}`);
    },
    rename: (from, to) => asking(`file ${from}`, () => give(`room ${to}`, to, () => disk.rename(from, to))),
    link: (existing, name) =>
      asking(`file ${existing}`, () => give(`kind ${name}`, name, () => disk.link(existing, name))),
    remove: (path) => disk.remove(path),
    syncFolder: (path) => disk.syncFolder(path),
  };
}

/** The ends of all lives so far, by what their disks answered. */
export class KnownLives {
  readonly #starts = new Map<string, Stretch>();
  readonly #texts = new Map<string, string>();

  /** Whether a life with this beginning, on a disk that answers like this one, went well before. */
  has(start: string, disk: Disk): boolean {
    let stretch = this.#starts.get(start);
    while (stretch !== undefined) {
      for (const { question, answer } of stretch.answered) {
        if (answerTo(disk, question) !== answer) return false;
      }
      if (stretch.fork === undefined) return true;
      stretch = stretch.fork.ways.get(answerTo(disk, stretch.fork.question));
    }
    return false;
  }

  add(start: string, notes: readonly Answered[]): void {
    const life = notes.map(({ question, answer }) => ({
      question: this.#shared(question),
      answer: this.#shared(answer),
    }));
    const known = this.#starts.get(start);
    if (known === undefined) this.#starts.set(start, { answered: life, fork: undefined });
    else branchOff(known, life);
  }

  /** Thousands of lives ask the same and are answered the same: each text is kept once. */
  #shared<T extends string>(text: T): T {
    const known = this.#texts.get(text) as T | undefined;
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

/** What lives have in common until they were answered otherwise, or ended. */
interface Stretch {
  answered: readonly Answered[];
  fork: { readonly question: Question; readonly ways: Map<string, Stretch> } | undefined;
}

function branchOff(known: Stretch, life: readonly Answered[]): void {
  let stretch = known;
  let at = 0;
  for (;;) {
    for (const [index, { question, answer }] of stretch.answered.entries()) {
      demandSame(question, life[at]?.question);
      if (life[at]?.answer !== answer) {
        const rest = { answered: stretch.answered.slice(index + 1), fork: stretch.fork };
        stretch.answered = stretch.answered.slice(0, index);
        stretch.fork = { question, ways: new Map([[answer, rest]]) };
        break;
      }
      at += 1;
    }
    demandSame(stretch.fork?.question, life[at]?.question);
    if (stretch.fork === undefined) return;
    const answer = life[at]?.answer ?? '';
    at += 1;
    const way = stretch.fork.ways.get(answer);
    if (way === undefined) {
      stretch.fork.ways.set(answer, { answered: life.slice(at), fork: undefined });
      return;
    }
    stretch = way;
  }
}

/** If not, something counts that was not noted, or the product is not the same each time: nothing could be trusted. */
function demandSame(one: Question | undefined, other: Question | undefined): void {
  if (one !== other) throw new Error(`the same answers led to ${one} and to ${other}`);
}

function answerTo(disk: Disk, question: Question): string {
  const path = question.slice(5);
  switch (question.slice(0, 4)) {
    case 'file':
      if (kindOf(disk, path) !== 'file') return kindOf(disk, path);
      return isOfUse(disk, path) ? hash('sha1', disk.read(path) ?? '') : '';
    case 'stat': {
      const stat = disk.stat(path);
      return stat === undefined ? '' : `${stat.kind} ${stat.size} ${stat.ino} ${stat.mtimeMs}`;
    }
    case 'kind':
      return kindOf(disk, path);
    case 'room':
      // Whether a file, a folder or nothing is there makes no difference to whoever replaces or makes it.
      return kindOf(disk, path).replace(/^(?:file|folder)$/, '');
    case 'list':
      return (disk.list(path) ?? ['/']).filter((name) => !isTempName(name)).join('/');
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
