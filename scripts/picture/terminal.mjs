import { spawn } from 'node:child_process';
import headless from '@xterm/headless';
import { wordsOf } from './words.mjs';

/**
 * @typedef {{ atMs: number, rows: readonly (readonly import('./words.mjs').Word[])[] }} Screen
 * What the terminal showed from this moment on.
 */

const waitMsMax = 60_000;
const keyMs = 120;

/** A shell in a pseudo terminal, from its first prompt until it is closed; keeps each screen that it showed. */
export class Terminal {
  /** @type {Screen[]} */
  screens = [];
  #shell;
  #ended;
  #emulator;
  #beganMs = performance.now();
  /** @type {Set<() => void>} */
  #watchers = new Set();

  constructor(
    /** @type {{ columns: number, rows: number, cwd: string, env: Record<string, string> }} */ options,
  ) {
    const { columns, rows, cwd, env } = options;
    this.#emulator = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
    // A terminal that nobody looks at has no size.
    const line = `stty cols ${columns} rows ${rows}; exec bash --noprofile --norc -i`;
    this.#shell = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = new Promise((resolve) => this.#shell.once('close', resolve));
    this.#shell.stdout.on('data', (bytes) => this.#emulator.write(bytes, () => this.#take()));
  }

  /** Types a command word by word, as fast as a good typist. */
  async enter(/** @type {string} */ command) {
    for (const word of command.split(/(?<= )(?=\S)/)) {
      this.#shell.stdin.write(word);
      await this.pause(keyMs);
    }
    this.#shell.stdin.write('\r');
  }

  pause(/** @type {number} */ ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Waits until the lines on the screen are as wanted; fails with the screen when they never are. */
  until(/** @type {(lines: string[]) => boolean} */ isWanted) {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!isWanted(this.#lines())) return;
        clearTimeout(timer);
        this.#watchers.delete(look);
        resolve(undefined);
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(look);
        reject(new Error(`waited ${waitMsMax} ms in vain before this screen:\n${this.#lines().join('\n')}`));
      }, waitMsMax);
      this.#watchers.add(look);
      look();
    });
  }

  async close() {
    // `script` heeds nothing less; its end hangs up the terminal, and with it goes all that runs there.
    this.#shell.kill('SIGKILL');
    await this.#ended;
    this.#emulator.dispose();
  }

  #take() {
    // Half a frame of the live view was never to be seen.
    if (this.#emulator.modes.synchronizedOutputMode) return;
    const rows = this.#bufferLines().map((line) => wordsOf(line));
    this.screens.push({ atMs: performance.now() - this.#beganMs, rows });
    for (const look of this.#watchers) look();
  }

  #lines() {
    return this.#bufferLines().map((line) => line.translateToString(true).trimEnd());
  }

  #bufferLines() {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.#emulator.rows }, (_, row) => {
      const line = active.getLine(active.baseY + row);
      if (line === undefined) throw new Error(`no row ${row} on the screen`);
      return line;
    });
  }
}
