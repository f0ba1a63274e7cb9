// Shows that a change keeps the behaviour: plays the same scenarios with the build of another commit and with this one.
//   node scripts/compare-output.mjs BASE [--allow FILE] [--only NAME] [--again] [--keep]
// FILE has lines `before => after` or `/pattern/ => after`, applied to what BASE says: for what is renamed on purpose.
// What BASE does is kept in the temporary folder of the system; --again plays it again. --keep leaves all files.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Player } from './compare-output/play.mjs';
import { scenarios } from './compare-output/scenarios.mjs';

/**
 * @typedef {import('./compare-output/play.mjs').Entry} Entry
 * @typedef {{ side: 'base' | 'own', title: string, mode: import('./compare-output/play.mjs').Mode, play: (player: Player) => Promise<Entry[]> }} Job
 */

const linesMax = 24;
const columnsMax = 240;
const atOnce = 2;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    allow: { type: 'string' },
    only: { type: 'string', multiple: true },
    keep: { type: 'boolean' },
    again: { type: 'boolean' },
  },
});
const [base] = positionals;
if (base === undefined) {
  console.error(
    'usage: node scripts/compare-output.mjs BASE [--allow FILE] [--only NAME] [--again] [--keep]',
  );
  process.exit(2);
}
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-compare-')));
process.on('exit', () => {
  if (options.keep) console.log(`kept: ${temp}`);
  else rmSync(temp, { recursive: true, force: true });
});
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

const began = performance.now();
// Names of one length, because text is wrapped at a width and paths are in it.
const trees = { base: join(temp, 'tree-1'), own: join(temp, 'tree-2') };
checkOut(base);
copyOwn();
const cache = openCache();
const jobs = listJobs();
await Promise.all([build(trees.own), ...(jobs.some(isUnknown) ? [build(trees.base)] : [])]);
const buildSeconds = secondsSince(began);
/** @type {Record<'base' | 'own', Map<string, Entry[]>>} */
const results = { base: new Map(), own: new Map() };
await Promise.all(Array.from({ length: atOnce }, work));
const found = compare();
console.log(
  `${found} difference${found === 1 ? '' : 's'} in ${countEntries()} records; ` +
    `${secondsSince(began)} s, of them ${buildSeconds} s to build`,
);
process.exitCode = found === 0 ? 0 : 1;

function checkOut(/** @type {string} */ commit) {
  mkdirSync(trees.base);
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', trees.base], { input: archive });
}

/** As it lies there, with what is not committed. */
function copyOwn() {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0');
  for (const path of paths.filter((name) => name !== '')) {
    // A file that is removed is still listed until that is committed.
    try {
      cpSync(join(root, path), join(trees.own, path));
    } catch {}
  }
}

/** With the packages of this clone: a real folder of links, because tools keep caches in it. */
async function build(/** @type {string} */ tree) {
  const modules = join(root, 'node_modules');
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(modules))
    if (name === '.bin' || !name.startsWith('.'))
      symlinkSync(join(modules, name), join(tree, 'node_modules', name));
  if (
    readFileSync(join(tree, 'package-lock.json'), 'utf8') !==
    readFileSync(join(root, 'package-lock.json'), 'utf8')
  )
    console.error(`${base} has another package-lock.json; it is built with the packages of this clone`);
  const child = spawn('npm', ['run', '--silent', 'build'], { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      output += piece;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the build of ${tree} failed\n${output}`);
}

/** The long ones first, and both sides of one in turn, so that no process is left alone at the end. */
function listJobs() {
  const chosen = scenarios.filter(({ name }) => options.only?.includes(name) ?? true);
  /** @type {Job[]} */
  const list = [];
  for (const mode of /** @type {const} */ (['both', 'text', 'json']))
    for (const side of /** @type {const} */ (['base', 'own'])) {
      for (const scenario of chosen.filter(({ modes = ['text', 'json'] }) => modes.includes(mode)))
        list.push({
          side,
          mode,
          title: `${scenario.name} (${mode})`,
          play: (player) => player.play(scenario),
        });
      if (mode !== 'both' && (options.only?.includes('words') ?? true))
        list.push({ side, mode, title: `words (${mode})`, play: (player) => player.playWords() });
    }
  return list;
}

/** What BASE does is kept, because the same commit is compared again and again; the key has all that it depends on. */
function openCache() {
  const hash = createHash('sha256').update(execFileSync('git', ['rev-parse', base ?? ''], { cwd: root }));
  const tools = join(root, 'scripts/compare-output');
  for (const name of readdirSync(tools).sort()) hash.update(readFileSync(join(tools, name)));
  const key = hash.update(`${process.version} ${trees.base.length}`).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), 'pawl-compare-cache', key);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function isUnknown(/** @type {Job} */ { side, title }) {
  return side === 'own' || options.again === true || !existsSync(join(cache, title));
}

async function work() {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const { side, title, mode, play } = job;
    const folder = join(temp, side === 'base' ? 'play-1' : 'play-2', title.replace(/ .*/, `-${mode}`));
    mkdirSync(folder, { recursive: true });
    // Both play with the examples of BASE, because a changed comment in them is a changed input.
    const entries = isUnknown(job)
      ? await play(new Player(trees[side], join(trees.base, 'examples'), folder, mode))
      : JSON.parse(readFileSync(join(cache, title), 'utf8'));
    if (side === 'base') writeFileSync(join(cache, title), JSON.stringify(entries));
    results[side].set(title, entries);
  }
}

/** Prints each difference, and gives their number. */
function compare() {
  const rules = readRules();
  let count = 0;
  for (const [title, own] of results.own) {
    const before = new Map(
      (results.base.get(title) ?? []).map((entry) => [rename(entry.title, rules), entry.text]),
    );
    const after = new Map(own.map((entry) => [entry.title, entry.text]));
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [a, b] = alike(before.get(name) ?? '', after.get(name) ?? '', rules);
      if (a === b && before.has(name) && after.has(name)) continue;
      count += 1;
      console.log(
        `\n=== ${title}: ${name}${before.has(name) ? '' : ' (new)'}${after.has(name) ? '' : ' (gone)'}`,
      );
      console.log(difference(a, b));
    }
  }
  return count;
}

/** Where a name got longer or shorter, columns moved with it. @param {string} a @param {string} b @param {[RegExp, string][]} rules */
function alike(a, b, rules) {
  const renamed = rename(a, rules);
  if (renamed === a) return [a, b];
  return [renamed, b].map((text) => text.replaceAll(/(?<=\S) {2,}/g, ' '));
}

/** @param {string} text @param {[RegExp, string][]} rules */
function rename(text, rules) {
  return rules.reduce((result, [pattern, to]) => result.replaceAll(pattern, to), text);
}

/** @returns {[RegExp, string][]} */
function readRules() {
  if (options.allow === undefined) return [];
  const lines = readFileSync(options.allow, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, from, to] = /^(?!#)(.+?) => (.*)$/.exec(line) ?? [];
    if (from === undefined || to === undefined) return [];
    const [, pattern] = /^\/(.+)\/$/.exec(from) ?? [];
    return [[new RegExp(pattern ?? from.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'gm'), to]];
  });
}

/** The changed lines with one around them; without the four lines of header that name the two files. */
function difference(/** @type {string} */ a, /** @type {string} */ b) {
  const [left, right] = [join(temp, 'left'), join(temp, 'right')];
  writeFileSync(left, `${a}\n`);
  writeFileSync(right, `${b}\n`);
  const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', '-U1', left, right];
  const lines = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    .stdout.trimEnd()
    .split('\n')
    .slice(4);
  const more = lines.length - linesMax;
  const shown = lines.slice(0, linesMax).map((line) => line.slice(0, columnsMax));
  return [...shown, ...(more > 0 ? [`… ${more} more lines`] : [])].join('\n');
}

function countEntries() {
  return [...results.own.values()].reduce((sum, entries) => sum + entries.length, 0);
}

function secondsSince(/** @type {number} */ start) {
  return Math.round((performance.now() - start) / 1000);
}
