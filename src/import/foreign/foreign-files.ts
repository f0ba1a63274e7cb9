import { dirname, join } from 'node:path';
import { byCodeUnit } from '../../base/json.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { isSafeName } from '../../model/names.ts';
import type { Report } from '../../store/findings.ts';
import { peekJournal } from '../../store/open-store.ts';

/** A file that may be another tool's log. */
export interface LogFile {
  readonly path: string;
  /** The folder below that of the events; undefined for a file that lies in none. */
  readonly actor: string | undefined;
  readonly size: number;
}

/** Every `*.jsonl` at any depth that is no segment of the journal, as far as the limits allow; by path. */
export function listForeignFiles(
  disk: Disk,
  eventsFolder: string,
  reportFor: (path: string) => Report,
): LogFile[] {
  const files: LogFile[] = [];
  const journal = peekJournal(disk, dirname(eventsFolder));
  const visit = (folder: string, actor: string | undefined, depth: number): void => {
    const own = depth === 1 && isSafeName(actor ?? '') ? journal.ownFiles(actor ?? '') : undefined;
    for (const name of disk.list(folder) ?? []) {
      const path = join(folder, name);
      if (own?.has(path)) continue;
      const report = reportFor(path);
      tellingDiskTrouble(report, () => {
        const { kind, size } = disk.stat(path) ?? { kind: 'gone', size: 0 };
        if (kind === 'file' && name.endsWith('.jsonl')) files.push({ path, actor, size });
        // What a link leads to may lie outside of the run, or be read twice.
        if (kind === 'link') report('file-unreadable', 'quiet', undefined, 'link');
        if (kind !== 'folder') return;
        if (depth < depthMax) visit(path, actor ?? name, depth + 1);
        else report('file-unreadable', 'quiet', undefined, 'too-deep');
      });
    }
  };
  tellingDiskTrouble(reportFor(eventsFolder), () => visit(eventsFolder, undefined, 0));
  return withinLimits(
    files.sort((a, b) => byCodeUnit(a.path, b.path)),
    reportFor,
  );
}

/** What the system refuses to give cannot be read, and is no reason to stop. */
export function tellingDiskTrouble(report: Report, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    report('file-unreadable', 'quiet', undefined, error.code);
  }
}

// Far above what honest tools write: what is read is held in memory.
const filesMax = 10_000;
const bytesMax = 256 * 1024 * 1024;
const depthMax = 16;
const leftOutToldMax = 100;

function withinLimits(files: readonly LogFile[], reportFor: (path: string) => Report): LogFile[] {
  const within: LogFile[] = [];
  let bytes = 0;
  let leftOut = 0;
  for (const file of files) {
    const isOneTooMany = within.length === filesMax;
    if (!isOneTooMany && bytes + file.size <= bytesMax) {
      within.push(file);
      bytes += file.size;
    } else if (++leftOut <= leftOutToldMax) {
      const detail = isOneTooMany ? 'too-many-files' : 'too-large';
      reportFor(file.path)('file-unreadable', 'quiet', undefined, detail);
    }
  }
  return within;
}
