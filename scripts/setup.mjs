// Makes a clone ready: dependencies, then the build. Costs a few milliseconds when both are as recorded.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const recordPath = join(root, 'node_modules/.pawl-setup');
const entries = ['index.js', 'cli/main.cjs', 'hooks/main.cjs', 'mcp/main.cjs'];

setUp();

function setUp() {
  if (!installIsDue() && !buildIsDue()) return;
  const release = takeLock(`pawl-setup-${hash(root).slice(0, 16)}`);
  try {
    // Asked again: whoever held the lock before may have done it.
    const isReady = (!installIsDue() || install()) && (!buildIsDue() || build());
    if (!isReady) process.exitCode = 1;
  } finally {
    release();
  }
}

function installIsDue() {
  const lock = read('package-lock.json');
  if (readRecord().lock === hash(lock)) return false;
  if (!isInstalled(lock)) return true;
  record({ lock: hash(lock) });
  return false;
}

/** Whether what npm says it installed is what the lock file asks for: an install by hand counts. */
function isInstalled(/** @type {string} */ lock) {
  const installedPath = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedPath)) return false;
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  return Object.entries(JSON.parse(lock).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    // Left out on purpose where the platform is another.
    if (found === undefined) return wanted.optional === true;
    return found.version === wanted.version && found.integrity === wanted.integrity;
  });
}

function install() {
  const lock = read('package-lock.json');
  say('npm ci');
  // Under `npm run` the very npm that runs us; its name alone may be a script that only a shell can start.
  const npm = process.env.npm_execpath ?? '';
  const isDone = npm.endsWith('npm-cli.js') ? run(process.execPath, [npm, 'ci']) : run('npm', ['ci']);
  if (isDone) record({ lock: hash(lock) });
  return isDone;
}

function buildIsDue() {
  const made = new Set(filesIn('dist'));
  return readRecord().build !== buildKey() || expectedOutputs().some((path) => !made.has(path));
}

/** What was built before stays until all of it is replaced. */
function build() {
  // Taken before the compiler reads: a file that changes meanwhile is then built once more, not once less.
  const key = buildKey();
  const began = Date.now();
  say('tsc, rolldown');
  const isBuilt =
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']) &&
    run(process.execPath, ['node_modules/rolldown/bin/cli.mjs', '-c', 'rolldown.config.mjs']);
  if (!isBuilt) return false;
  removeLeftovers(began);
  record({ build: key });
  return true;
}

/** A module that was renamed or removed must not live on in the package. */
function removeLeftovers(/** @type {number} */ began) {
  // Some file systems keep whole seconds.
  const isOld = (/** @type {string} */ path) => statSync(join(root, 'dist', path)).mtimeMs < began - 1000;
  for (const path of filesIn('dist').filter(isOld)) {
    say(`remove dist/${path}`);
    rmSync(join(root, 'dist', path));
    removeEmptyFolders(dirname(path));
  }
}

function removeEmptyFolders(/** @type {string} */ folder) {
  if (folder === '.' || readdirSync(join(root, 'dist', folder)).length > 0) return;
  rmdirSync(join(root, 'dist', folder));
  removeEmptyFolders(dirname(folder));
}

function sources() {
  return filesIn('src').filter(
    (path) => path.endsWith('.ts') && !/(?:\.test|(?:^|\/)fixtures)\.ts$/.test(path),
  );
}

function expectedOutputs() {
  return [...entries, ...sources().map((path) => path.replace(/\.ts$/, '.d.ts'))];
}

function buildKey() {
  const files = [
    'tsconfig.json',
    'tsconfig.build.json',
    'rolldown.config.mjs',
    'scripts/notices.mjs',
    'package-lock.json',
    ...sources().map((path) => `src/${path}`),
  ];
  return hash(files.map((path) => `${path} ${hash(read(path))}`).join('\n'));
}

/** Paths of files below a folder, `/`-separated and sorted; none when it is not there. */
function filesIn(/** @type {string} */ folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(join(root, folder).length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
}

/** @returns {{ lock?: string, build?: string }} */
function readRecord() {
  try {
    return JSON.parse(readFileSync(recordPath, 'utf8'));
  } catch {
    // Absent, or torn by a kill: then everything is done anew.
    return {};
  }
}

function record(/** @type {{ lock?: string, build?: string }} */ change) {
  mkdirSync(dirname(recordPath), { recursive: true });
  writeFileSync(recordPath, `${JSON.stringify({ ...readRecord(), ...change })}\n`);
}

/** Silent when all is well; the tool's own words when it is not. */
function run(/** @type {string} */ program, /** @type {string[]} */ args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return true;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  say(`failed: ${[program, ...args].join(' ')}`);
  return false;
}

function say(/** @type {string} */ text) {
  process.stderr.write(`setup: ${text}\n`);
}

function read(/** @type {string} */ path) {
  return readFileSync(join(root, path), 'utf8');
}

function hash(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex');
}
