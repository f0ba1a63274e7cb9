import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Which process of this host has a file below a folder open: its number, `none`, or `unknown` where the system does
 * not show it. Names are compared, for a file that was replaced meanwhile keeps its name in the list of its process.
 */
export function openedBy(folder: string): number | 'none' | 'unknown' {
  let isHidden = false;
  for (const pid of processes()) {
    if (pid === process.pid) continue;
    const names = openNames(pid);
    if (names === undefined) isHidden ||= mayBePawl(pid);
    else if (names.some((name) => name.startsWith(`${folder}/`))) return pid;
  }
  // No process was listed at all: there is no /proc.
  return isHidden || processes().length === 0 ? 'unknown' : 'none';
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** Undefined: another user's, or gone. */
function openNames(pid: number): string[] | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return [];
      }
    });
  } catch {
    return undefined;
  }
}

/** What a process was started as is shown to everybody. */
function mayBePawl(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('pawl');
  } catch {
    return false;
  }
}
