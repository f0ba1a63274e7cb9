// Plays one scenario against one build, and records everything that a user or a program could see of it.
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventShape, formatJson, normalise } from './normalise.mjs';

/**
 * @typedef {{ call?: string, input?: unknown, kill?: string, node?: string, edit?: string, from?: string, to?: string,
 *   append?: string, write?: string, remove?: string, text?: string, later?: number }} Action
 * @typedef {{ name: string, example: string, steps: readonly (string | Action)[], modes?: readonly Mode[] }} Scenario
 * @typedef {'text' | 'json' | 'both'} Mode both: what only looks is asked twice, of the other calls every second one answers in JSON
 * @typedef {{ title: string, text: string }} Entry
 * @typedef {{ stdout: string, stderr: string, end: string }} Ended
 */

const here = dirname(fileURLToPath(import.meta.url));
const withoutJson = new Set(['hook', 'statusline', 'mcp', 'completion', '__complete']);
const readers =
  'status plan runs why logs history diff inspect graph verify prompt cost checkpoints show doctor';
const looks = new Set(readers.split(' '));
const timeoutMs = 120_000;
const firstTime = Date.UTC(2030, 0, 1);
const contentMax = 200_000;

export class Player {
  /** @type {Entry[]} */
  entries = [];
  #time = firstTime;
  #count = 0;

  /**
   * @param {string} tree the build @param {string} examples where the examples come from
   * @param {string} folder empty; for the workspace and a home @param {Mode} mode
   */
  constructor(tree, examples, folder, mode) {
    this.tree = tree;
    this.examples = examples;
    this.folder = folder;
    this.mode = mode;
    this.workspace = join(folder, 'work');
    this.bin = join(tree, 'bin/pawl.js');
    this.places = { [this.workspace]: '<workspace>', [folder]: '<home>', [tree]: '<pawl>' };
    mkdirSync(this.workspace, { recursive: true });
  }

  async play(/** @type {Scenario} */ { example, steps }) {
    if (example !== '') cpSync(join(this.examples, example), this.workspace, { recursive: true });
    mkdirSync(join(this.workspace, 'node_modules'), { recursive: true });
    symlinkSync(this.tree, join(this.workspace, 'node_modules/pawl'));
    for (const step of steps)
      for (const action of typeof step === 'string' ? step.split(' | ').map((call) => ({ call })) : [step])
        await this.#do(action);
    this.#recordFiles();
    return this.entries;
  }

  /** Help of every command and the meaning of every word, in one process. */
  async playWords() {
    const json = this.mode === 'json' ? ['--json'] : [];
    const help = (await this.#start([this.bin, '--help'])).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => ['help', name ?? '']);
    /** @type {{ kinds: { kind: string, reasons: string[] }[] }} */
    const { kinds } = JSON.parse((await this.#start([this.bin, 'explain', '--json'])).stdout);
    const words = new Set(kinds.flatMap(({ kind, reasons }) => [kind, ...reasons]));
    const calls = [
      ...(json.length > 0 ? [] : [...commands, ['help'], ['help', 'exit-codes'], ['--version']]),
      ...[[], ['--all'], ...[...words].map((word) => [word])].map((word) => ['explain', ...word, ...json]),
    ];
    const results = join(this.folder, 'results.json');
    await this.#start([join(here, 'many-calls.cjs'), this.bin, results], { input: JSON.stringify(calls) });
    for (const { args, code, ...output } of JSON.parse(readFileSync(results, 'utf8')))
      this.#record(`pawl ${args.join(' ')}`, { ...output, end: `exit code ${code}` });
    return this.entries;
  }

  async #do(/** @type {Action} */ step) {
    const path = (/** @type {string} */ name) => join(this.workspace, this.#fill(name));
    this.#time += (step.later ?? 1) * 60_000;
    if (step.append !== undefined) appendFileSync(path(step.append), step.text ?? '');
    if (step.remove !== undefined) rmSync(path(step.remove), { recursive: true });
    if (step.write !== undefined) {
      mkdirSync(dirname(path(step.write)), { recursive: true });
      writeFileSync(path(step.write), step.text ?? '');
    }
    if (step.edit !== undefined) {
      const text = readFileSync(path(step.edit), 'utf8');
      if (!text.includes(step.from ?? '')) throw new Error(`${step.edit} does not hold: ${step.from}`);
      writeFileSync(path(step.edit), text.replace(step.from ?? '', step.to ?? ''));
    }
    if (step.node !== undefined) this.#number(`node ${step.node}`, await this.#start(step.node.split(' ')));
    if (step.call !== undefined) await this.#call(step.call, step);
  }

  async #call(/** @type {string} */ line, /** @type {Action} */ { input, kill }) {
    const words = line.match(/"[^"]*"|\S+/g)?.map((word) => this.#fill(word.replaceAll('"', ''))) ?? [];
    const command = words.find((word) => !word.startsWith('-')) ?? '';
    const typed = typeof input === 'string' ? input : JSON.stringify(input ?? '');
    const more = { input: this.#fill(input === undefined ? '' : typed), ...(kill !== undefined && { kill }) };
    for (const args of this.#formsOf(command, words))
      this.#number(
        `pawl ${line}${args === words ? '' : ' --json'}`,
        await this.#start([this.bin, ...args], more),
      );
  }

  /** As text, as JSON, or both. @param {string} command @param {string[]} words */
  #formsOf(command, words) {
    const inJson = [...words, '--json'];
    if (this.mode === 'text' || withoutJson.has(command)) return [words];
    if (this.mode === 'json') return [inJson];
    if (looks.has(command)) return [words, inJson];
    return [this.#count % 2 === 0 ? words : inJson];
  }

  /** Names of runs, the newest first: `{run}`, `{run2}`. */
  #fill(/** @type {string} */ text) {
    const folders = ['.pawl/runs', '.agent-memory/runs'].map((name) => join(this.workspace, name));
    const folder = folders.find((name) => existsSync(name));
    const runs = folder === undefined ? [] : readdirSync(folder).sort().reverse();
    return text
      .replaceAll('{workspace}', this.workspace)
      .replaceAll('{run-folder}', `.pawl/runs/${runs[0]}`)
      .replaceAll(/\{run(\d?)\}/g, (_, number) => runs[Number(number || 1) - 1] ?? 'no-run');
  }

  /** @param {string[]} args @param {{ input?: string, kill?: string }} [more] @returns {Promise<Ended>} */
  #start(args, { input = '', kill } = {}) {
    const env = {
      ...{ PATH: process.env.PATH, LANG: 'C.UTF-8', TZ: 'UTC', NO_COLOR: '1', PAWL_BIN: this.bin },
      ...{ HOME: this.folder, XDG_STATE_HOME: join(this.folder, 'state'), TMPDIR: this.folder },
      ...{ AGENTS_PAUSE_MS: '0', BOOK_PAUSE_MS: '0', SPRITES_PAUSE_MS: '0' },
      ...{ NODE_OPTIONS: `--require=${join(here, 'steady.cjs')}`, COMPARE_NOW: String(this.#time) },
      ...(kill !== undefined && { COMPARE_KILL_AT: kill }),
    };
    const child = spawn(process.execPath, args, { cwd: this.workspace, env, timeout: timeoutMs });
    const ended = { stdout: '', stderr: '', end: '' };
    for (const name of /** @type {const} */ (['stdout', 'stderr']))
      child[name].setEncoding('utf8').on('data', (piece) => {
        ended[name] += piece;
      });
    child.stdin.on('error', () => undefined).end(input);
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        resolve({ ...ended, end: signal === null ? `exit code ${code}` : `ended by ${signal}` });
      });
    });
  }

  #number(/** @type {string} */ title, /** @type {Ended} */ ended) {
    this.#count += 1;
    this.#record(`${String(this.#count).padStart(2, '0')} ${title}`, ended);
  }

  #record(/** @type {string} */ title, /** @type {Ended} */ { stdout, stderr, end }) {
    const text = `${end}\n--- stdout\n${formatJson(stdout)}\n--- stderr\n${formatJson(stderr)}\n`;
    this.entries.push({ title, text: normalise(text, this.places) });
  }

  /** The names of all files, the text of those that people or programs read, and the shape of each journal. */
  #recordFiles() {
    const all = readdirSync(this.workspace, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.workspace.length + 1))
      .sort();
    this.entries.push({ title: 'files', text: all.map(nameOf).join('\n') });
    for (const path of all.filter((name) => !isInternal(name))) {
      const bytes = readFileSync(join(this.workspace, path));
      this.entries.push(isJournal(path) ? journalEntry(path, `${bytes}`) : this.#fileEntry(path, bytes));
    }
  }

  #fileEntry(/** @type {string} */ path, /** @type {Buffer} */ bytes) {
    const content = bytes.includes(0) ? `binary ${bytes.toString('base64')}` : formatJson(`${bytes}`);
    const text = normalise(content, this.places).slice(0, contentMax);
    return {
      title: `file ${path}`,
      text: isListOfHashes(path) ? text.replaceAll(/sha256:\w+/g, '<hash>') : text,
    };
  }
}

function isJournal(/** @type {string} */ path) {
  return /\/events\/[^/]+\/\d+\.jsonl$/.test(path);
}

function journalEntry(/** @type {string} */ path, /** @type {string} */ text) {
  const lines = text.split('\n').filter((line) => line !== '');
  return { title: `journal ${path}`, text: lines.map((line) => eventShape(parse(line))).join('\n') };
}

/** Packs, snapshots and locks: made for this machine, with its inodes and times in them. */
function isInternal(/** @type {string} */ path) {
  return /(?:^|\/)\.pawl\/(?:objects\/|turns\/|heads\/|files$)|\/(?:snapshot|reserve)$/.test(path);
}

/** What an archive holds: also files in which there are paths and processes. */
function isListOfHashes(/** @type {string} */ path) {
  return /\.pawl\/archive\/[^/]+\/manifest\.json$/.test(path);
}

/** Named by chance, or by the hash of what is in them. */
function nameOf(/** @type {string} */ path) {
  return path.replace(/[0-9a-f]{32,64}/g, '<hash>').replace(/(objects\/packs\/)[a-z0-9]+/, '$1<name>');
}

/** @returns {Record<string, unknown>} */
function parse(/** @type {string} */ line) {
  try {
    return JSON.parse(line);
  } catch {
    return { type: 'torn' };
  }
}
