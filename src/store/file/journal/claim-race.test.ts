import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claim, readAll, succeeded, testHost } from '../../../../test/fixtures/journal.ts';
import { nodeDisk } from '../../../disk/node-disk.ts';

const racers = 8;
const rounds = 12;

/** A real process: claims the folder that it reads from its input, prints the result, and holds the lock until it is ended. */
const program = (built: string) => `
import { createInterface } from 'node:readline';
import { systemClock } from ${url(built, 'base/clock.js')};
import { systemIds } from ${url(built, 'base/ids.js')};
import { systemHost } from ${url(built, 'disk/host.js')};
import { nodeDisk } from ${url(built, 'disk/node-disk.js')};
import { claimJournal } from ${url(built, 'store/file/journal/claim.js')};
const event = ${JSON.stringify(succeeded('winner'))};
const host = systemHost();
console.log('ready');
for await (const eventsFolder of createInterface({ input: process.stdin })) {
  const result = await claimJournal({
    disk: nodeDisk, host, clock: systemClock, ids: systemIds,
    eventsFolder, actor: 'runner', run: 'race', durable: true,
  });
  if (result.ok) await result.value.writer.append([event]);
  console.log(result.ok ? 'won' : result.failure.reason + ' ' + result.failure.holder.pid);
}
`;

function url(built: string, file: string): string {
  return JSON.stringify(pathToFileURL(join(built, file)).href);
}

describe('processes that claim at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-race-'));
  const children: ChildProcess[] = [];
  const answers: AsyncIterator<string>[] = [];
  const answersOf = () => Promise.all(answers.map(async (lines) => (await lines.next()).value as string));

  beforeAll(async () => {
    const built = join(folder, 'built');
    build(built);
    const script = join(folder, 'racer.mjs');
    writeFileSync(script, program(built));
    for (let index = 0; index < racers; index++) {
      const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
      children.push(child);
      answers.push(createInterface({ input: child.stdout })[Symbol.asyncIterator]());
    }
    expect(await answersOf()).toEqual(Array(racers).fill('ready'));
  });

  afterAll(async () => {
    await Promise.all(
      children.map((child) => {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.stdin?.end();
        return ended;
      }),
    );
    rmSync(folder, { recursive: true });
  });

  async function race(eventsFolder: string): Promise<void> {
    for (const child of children) child.stdin?.write(`${eventsFolder}\n`);
    const results = await answersOf();
    const winners = children.filter((_, index) => results[index] === 'won');
    expect(winners, results.join(', ')).toHaveLength(1);
    // A process that lost names the one that won.
    const held = `run-held ${winners[0]?.pid}`;
    expect(results.filter((result) => result === held)).toHaveLength(racers - 1);
  }

  test('for a fresh run: one has it, and the others are told which', async () => {
    for (let round = 0; round < rounds; round++) {
      const eventsFolder = join(folder, `fresh${round}`);
      await race(eventsFolder);
      expect(readAll(nodeDisk, eventsFolder)).toMatchObject({
        codes: [],
        events: [{ unit: 'winner', seq: 1 }],
      });
    }
  });

  test('for a run whose holder is dead: one has it, and nothing is lost', async () => {
    const host = { ...testHost(1), self: deadProcess() };
    for (let round = 0; round < rounds; round++) {
      const eventsFolder = join(folder, `dead${round}`);
      const { writer } = await claim(nodeDisk, { eventsFolder, host });
      await writer.append([succeeded('before')]);
      await race(eventsFolder);
      const { events, codes } = readAll(nodeDisk, eventsFolder);
      expect(codes).toEqual([]);
      expect(events).toMatchObject([
        { unit: 'before', epoch: 1 },
        { unit: 'winner', epoch: 2, seq: 2 },
      ]);
    }
  });
});

/** The name of a process of this machine that is surely gone. */
function deadProcess() {
  const script = `import(${JSON.stringify('node:os')}).then((os) => console.log(os.hostname()))`;
  const { pid, stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { pid, started: 'long ago', boot: '', host: stdout.trim() };
}

/** Children run without a loader, so what they need is compiled for them, from the sources of now. */
function build(to: string): void {
  const root = process.cwd();
  mkdirSync(to, { recursive: true });
  const config = {
    extends: join(root, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: join(root, 'src'),
      outDir: to,
      declaration: false,
      emitDeclarationOnly: false,
      typeRoots: [join(root, 'node_modules/@types')],
    },
    files: [join(root, 'src/store/file/journal/claim.ts'), join(root, 'src/disk/node-disk.ts')],
    include: [],
  };
  writeFileSync(join(to, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(to, 'package.json'), '{"type":"module"}');
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', to], {
    encoding: 'utf8',
  });
  expect(existsSync(join(to, 'store/file/journal/claim.js')), stdout).toBe(true);
}
