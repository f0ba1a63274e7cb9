import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process runs. A zombie runs nothing any more, and only waits to be counted. */
export function isAlive(pid: number): boolean {
  return lookAt(pid)?.running === true;
}

/** The processes of a group that still run. */
export function groupOf(group: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const seen = lookAt(pid);
    return seen?.running === true && seen.group === group;
  });
}

function lookAt(pid: number): { running: boolean; group: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets, and may hold anything.
    const [state = '', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { running: !/^[ZX]/.test(state), group: Number(group) };
  } catch {
    return undefined;
  }
}
