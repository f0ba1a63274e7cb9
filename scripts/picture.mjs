// Makes docs/picture.svg from a real run of examples/book in a real terminal: run, killed in the middle, run again, why.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { framesOf } from './picture/frames.mjs';
import { svgOf } from './picture/svg.mjs';
import { Terminal } from './picture/terminal.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const command = join(root, 'bin/pawl.js');
const target = join(root, 'docs/picture.svg');
// As wide as the longest line of `pawl why`, and as high as the second run with it: the last frame tells the story.
const size = { columns: 100, rows: 29 };
const framesMax = 40;
const sizeBytesMax = 200_000;
const title =
  'pawl run is killed in the middle; the same command again goes on where it was; pawl why says what is kept';

await main();

async function main() {
  if (spawnSync('script', ['--version']).status !== 0)
    return fail('no `script` of util-linux, which gives a command a terminal; it comes with every Linux');
  const folder = mkdtempSync(join(tmpdir(), 'pawl-picture-'));
  try {
    const frames = framesOf(await record(folder), { framesMax, lastShownMs: 9000 });
    const svg = svgOf(frames, { ...size, title });
    const sizeBytes = Buffer.byteLength(svg);
    if (sizeBytes > sizeBytesMax) return fail(`${sizeBytes} bytes are more than ${sizeBytesMax}`);
    writeFileSync(target, svg);
    process.stdout.write(`docs/picture.svg: ${frames.length} frames, ${sizeBytes} bytes\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The story, in real time: the pauses are there to read what has come. */
async function record(/** @type {string} */ folder) {
  const { workspace, env, pidFile } = prepare(folder);
  const terminal = new Terminal({ ...size, cwd: workspace, env });
  try {
    await terminal.until(isAtPrompt);
    await terminal.pause(800);
    await terminal.enter('pawl run');
    await terminal.until(isInTheMiddle);
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
    await terminal.until((lines) => lines.includes('Killed') && isAtPrompt(lines));
    await terminal.pause(1500);
    await terminal.enter('pawl run  # again, after kill -9');
    await terminal.until((lines) => isAtPrompt(lines) && lines.some((line) => line.includes('cells proven')));
    await terminal.pause(2500);
    await terminal.enter('pawl why ch001_sc002/lint');
    await terminal.until((lines) => isAtPrompt(lines) && lines.includes('  outputs'));
    return terminal.screens;
  } finally {
    await terminal.close();
  }
}

/** A new workspace, and a `pawl` on the path that writes down its process id before it becomes the real command. */
function prepare(/** @type {string} */ folder) {
  const workspace = join(folder, 'book');
  const pidFile = join(folder, 'pid');
  const programs = join(folder, 'bin');
  mkdirSync(programs);
  writeFileSync(
    join(programs, 'pawl'),
    `#!/bin/sh\necho $$ > "${pidFile}"\nexec "${process.execPath}" "${command}" "$@"\n`,
    { mode: 0o755 },
  );
  // Nothing of whoever makes the picture: no colour setting, no shell history, no known workspaces.
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    HOME: folder,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PS1: '\\[\\e[34m\\]$\\[\\e[m\\] ',
    HISTFILE: '',
  };
  const { status, stderr } = spawnSync(process.execPath, [command, 'init', 'book', workspace], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pawl init book: ${stderr}`);
  return { workspace, env, pidFile };
}

function isAtPrompt(/** @type {readonly string[]} */ lines) {
  return lines.findLast((line) => line !== '') === '$';
}

function isInTheMiddle(/** @type {readonly string[]} */ lines) {
  const [, done, all] = /(\d+) of (\d+) cells done, \d+ running/.exec(lines.join('\n')) ?? [];
  return Number(done) / Number(all) >= 0.4;
}

function fail(/** @type {string} */ why) {
  process.stderr.write(`picture: ${why}\n`);
  process.exitCode = 1;
}
