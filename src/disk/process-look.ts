import { existsSync, readFileSync } from 'node:fs';

/**
 * What can be seen of a process. A zombie is gone: it holds nothing and writes nothing, and only waits for a
 * parent that may never ask. `hidden`: it is there, or was a moment ago, but nothing more is visible.
 */
export type ProcessLook =
  | { readonly state: 'running'; readonly started: string }
  | { readonly state: 'gone' }
  | { readonly state: 'hidden' };

/** How this system tells about processes: /proc where there is one (Linux), else `ps` (macOS, BSD). */
export function processLook(
  readStat: (pid: number) => StatLine | undefined = systemReader(),
): (pid: number) => ProcessLook {
  return (pid) => {
    // 0 and negative numbers mean whole groups to the system, never one process.
    if (!Number.isInteger(pid) || pid <= 0 || pid > pidMax) return { state: 'hidden' };
    if (!exists(pid)) return { state: 'gone' };
    const line = readStat(pid);
    if (line === undefined) return { state: 'hidden' };
    return line.zombie ? { state: 'gone' } : { state: 'running', started: line.started };
  };
}

export interface StatLine {
  readonly zombie: boolean;
  readonly started: string;
}

/** The start in clock ticks since boot, from /proc. Undefined when it cannot be read. */
export function statFromProc(pid: number): StatLine | undefined {
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The start as a date to the second, from `ps`. Undefined when `ps` does not know it. */
export function statFromPs(pid: number): StatLine | undefined {
  const text = askPs(pid, ['-o', 'stat=', '-o', 'lstart=']);
  return text === undefined ? undefined : parsePs(text);
}

function askPs(pid: number, fields: readonly string[]): string | undefined {
  try {
    // Loaded on demand: where there is a /proc it is never needed.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('/bin/ps', [...fields, '-p', String(pid)], {
      encoding: 'latin1',
      timeout: 5_000,
      maxBuffer: 64 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      // The date is compared as text, so neither language nor time zone of the caller may get into it.
      env: { LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch {
    return undefined;
  }
}

export function parseProcStat(text: string): StatLine | undefined {
  // The second field is the command in brackets and may itself hold spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const started = fields[19];
  if (state === undefined || started === undefined || !/^\d+$/.test(started)) return undefined;
  return { zombie: state === 'Z' || state === 'X', started };
}

/** `Ss   Sat Nov 15 12:03:07 2025`; the day of a month below the tenth is padded with a space. */
export function parsePs(text: string): StatLine | undefined {
  const match = /^(\S+)\s+(\w{3}\s+\w{3}\s+\d{1,2}\s+\d\d:\d\d:\d\d\s+\d{4})\s*$/.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { zombie: match[1].startsWith('Z'), started: match[2].replaceAll(/\s+/g, ' ') };
}

/** The process that started this one, or the one that inherited it. Undefined when the system does not say. */
export function parentOf(pid: number): number | undefined {
  const parent = existsSync('/proc/self/stat') ? parentFromProc(pid) : parentFromPs(pid);
  return parent !== undefined && Number.isInteger(parent) && parent > 0 ? parent : undefined;
}

function parentFromProc(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

export function parentFromPs(pid: number): number | undefined {
  const text = askPs(pid, ['-o', 'ppid=']);
  return text === undefined ? undefined : Number(text.trim());
}

const pidMax = 0x7fffffff;

function systemReader(): (pid: number) => StatLine | undefined {
  // Asked once: that /proc has no entry for a pid must not start a program for every dead process.
  return existsSync('/proc/self/stat') ? statFromProc : statFromPs;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
