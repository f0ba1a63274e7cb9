import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import { tempFolder } from './temp.ts';
import { type TestWorkspace, withEnv } from './workspace.ts';

/** What stands at the door and waits to be told what to do. */
export interface Visit {
  /** A cell, or whatever the visitor calls itself. */
  readonly name: string;
  readonly attempt: number;
  readonly pid: number;
  /** What else it says of itself. */
  readonly more: Readonly<Record<string, unknown>>;
  /** Lets it go on, or makes it fail. */
  answer(order: 'go' | 'fail'): void;
}

/**
 * A socket at which phases knock before they do their work, and wait. So a test knows exactly where a run is, and the
 * run stays there for as long as the test needs it to.
 */
export interface Door {
  /** The next visit under this name, whether it has come already or not. */
  visit(name: string): Promise<Visit>;
  /** Names of all who have knocked, answered or not. */
  readonly seen: readonly string[];
}

/** Opens a door for some cells of a workspace (`*` for all); the others never notice it. */
export async function openDoor(
  workspace: TestWorkspace,
  steps: readonly string[],
): Promise<{ door: Door; workspace: TestWorkspace }> {
  const path = join(tempFolder(), 'door');
  const waiting: Visit[] = [];
  const asked: { name: string; resolve(visit: Visit): void }[] = [];
  const seen: string[] = [];
  const server = createServer((socket) => {
    void readHello(socket).then((visit) => {
      if (visit === undefined) return;
      seen.push(visit.name);
      const index = asked.findIndex(({ name }) => name === visit.name);
      if (index < 0) waiting.push(visit);
      else asked.splice(index, 1)[0]?.resolve(visit);
    });
  });
  afterFile(() => server.close());
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const door: Door = {
    seen,
    visit: (name) =>
      new Promise((resolve) => {
        const index = waiting.findIndex((visit) => visit.name === name);
        const [visit] = index < 0 ? [] : waiting.splice(index, 1);
        if (visit === undefined) asked.push({ name, resolve });
        else resolve(visit);
      }),
  };
  return { door, workspace: withEnv(workspace, { TEST_DOOR: path, TEST_DOOR_CELLS: steps.join(',') }) };
}

function readHello(socket: Socket): Promise<Visit | undefined> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (!text.endsWith('\n')) return;
      const { name, attempt, pid, ...more } = JSON.parse(text);
      resolve({ name, attempt, pid, more, answer: (order) => void socket.end(`${order}\n`) });
    });
    socket.on('close', () => resolve(undefined));
  });
}
