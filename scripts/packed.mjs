// The package as a stranger gets it: packed, installed into an empty folder, and used from there.
//   node scripts/packed.mjs [--node <path>]    the Node.js to use it with; this one when nothing is said
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const packagesMax = 25;
const installedBytesMax = 25_000_000;

/** The stand-ins of the examples are slow, so that people can watch. */
const withoutPauses = { AGENTS_PAUSE_MS: '0', BOOK_PAUSE_MS: '0', SPRITES_PAUSE_MS: '0' };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options } = parseArgs({ options: { node: { type: 'string' } } });
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-packed-')));
const user = join(temp, 'user');
const installed = join(user, 'node_modules/pawl');
/** @type {{ what: string, seconds: number, result: string }[]} */
const rows = [];

process.on('exit', () => rmSync(temp, { recursive: true, force: true }));
prepare();
// Without a package there is nothing to look at.
if (step('npm pack, npm install', install)) {
  step('what was installed', measureInstall);
  step('types: nodenext, bundler', compileTypes);
  for (const [name, story] of stories()) step(`init ${name}: run, again, verify`, () => tell(name, story));
  step('help, doctor, explain, completion', useCommands);
  step('mcp, hook', useAgentFaces);
  for (const file of ['embed.mjs', 'executor.mjs'])
    step(`library: ${file}`, () => call(libraryFolder(), 'node', [file]) && 'done');
}
printTable();

/** Two folders: one with the right `node` and nothing else, and one of a user who has nothing. */
function prepare() {
  mkdirSync(join(temp, 'bin'));
  symlinkSync(resolve(options.node ?? process.execPath), join(temp, 'bin/node'));
  mkdirSync(join(temp, 'home'));
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n');
}

function install() {
  call(root, process.execPath, [join(root, 'scripts/setup.mjs')]);
  const packed = call(root, 'npm', ['pack', '--json', '--pack-destination', temp], { isOwn: true });
  const [{ filename, entryCount, unpackedSize }] = JSON.parse(packed.stdout);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  call(user, 'npm', ['install', ...quiet, join(temp, filename)], { isOwn: true });
  return `${call(user, 'node', ['--version']).stdout.trim()}; ${entryCount} files, ${megabytes(unpackedSize)}`;
}

function measureInstall() {
  const modules = join(user, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const packages = Object.keys(lock.packages);
  const bytes = filesBelow(modules).reduce((sum, path) => sum + statSync(join(modules, path)).size, 0);
  const { peerDependenciesMeta } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const optional of Object.keys(peerDependenciesMeta))
    demand(!existsSync(join(modules, optional)), `${optional} is optional, and was installed`);
  const found = `${packages.length} packages, ${megabytes(bytes)}`;
  demand(packages.length <= packagesMax, `${found}: more than ${packagesMax} packages`);
  demand(bytes <= installedBytesMax, `${found}: more than ${megabytes(installedBytesMax)}`);
  return found;
}

/** Every declaration that a user's program reaches is checked, and not only believed. */
function compileTypes() {
  const folder = join(user, 'typed');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'script.ts'),
    `import { definePipeline, run, type Failure, type Result, type RunAnswer } from 'pawl';
const pipeline = definePipeline({
  pawl: 1, pipeline: 'p', units: ['a'],
  phases: { draft: { run: (task) => ({ text: task.unit.id }), outputs: { text: '{unit}.txt' } } },
});
export const answer: Result<RunAnswer, Failure> = await run({ pipeline });
`,
  );
  for (const [moduleResolution, module] of [
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ]) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2022'], noEmit: true, strict: true },
      ...{ skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['script.ts'] }));
    call(folder, process.execPath, [join(root, 'node_modules/typescript/bin/tsc')]);
  }
  return 'no errors';
}

/**
 * Each example, as its README tells it: a list of calls, a number for the exit code to expect of the next one.
 * @returns {[string, { manifests?: string[], calls: (string | number)[] }][]}
 */
function stories() {
  const approvals = ['C1', 'C2', 'C3'].flatMap((id) => [3, `pawl approve ${id} --note good --continue`]);
  return [
    ['minimal', { calls: ['pawl plan', 'pawl run', 'pawl status'] }],
    ['book', { calls: ['pawl run'] }],
    [
      'sprites',
      {
        manifests: ['blaze-idle.yaml', 'ember-walk.yaml'],
        calls: ['pawl run blaze-idle.yaml', 'pawl run ember-walk.yaml'],
      },
    ],
    [
      'agents',
      {
        calls: [3, 'pawl run', 'pawl show C1', 'pawl approve C1 --note good', 'node agents/team.mjs --kill'],
      },
    ],
    ['feature', { calls: [3, 'pawl run', 'pawl show C1', ...approvals, 'pawl approve C4 --continue'] }],
  ];
}

/** @type {(name: string, story: { manifests?: string[], calls: (string | number)[] }) => string} */
function tell(name, { manifests = ['pawl.yaml'], calls }) {
  const folder = join(user, `demo-${name}`);
  call(user, 'pawl', ['init', name, `demo-${name}`]);
  sameAsPackaged(name, folder);
  // A person decides at a terminal, and here is none: so a program is allowed to.
  if (name === 'feature') appendFileSync(join(folder, 'pawl.yaml'), 'channels: [terminal, script]\n');
  let expected = 0;
  for (const line of calls) {
    if (typeof line === 'number') {
      expected = line;
      continue;
    }
    const [program = '', ...args] = line.split(' ');
    call(folder, program, args, { expected });
    expected = 0;
  }
  for (const manifest of manifests) {
    const again = JSON.parse(call(folder, 'pawl', ['run', manifest, '--json']).stdout);
    demand(
      again.kind === 'unchanged' && again.heading.status === 'completed',
      `again: ${again.kind}, ${again.heading.status}`,
    );
    // As every README has it.
    call(folder, 'npx', ['--no-install', 'pawl', 'verify', manifest]);
  }
  return 'completed; nothing to do; verified';
}

/** What `init` writes is what lies in the package, but for where the schema is and for what npm leaves out. */
function sameAsPackaged(/** @type {string} */ name, /** @type {string} */ folder) {
  const packaged = join(installed, 'examples', name);
  const withoutSchema = (/** @type {string} */ path) =>
    readFileSync(path, 'latin1').replace(/^# yaml-language-server: .*\n/, '');
  const written = filesBelow(folder).filter((path) => path !== '.gitignore');
  const shipped = filesBelow(packaged).filter((path) => path !== 'example.json');
  demand(written.join() === shipped.join(), `init wrote ${written}, and the package has ${shipped}`);
  for (const path of written)
    demand(withoutSchema(join(folder, path)) === withoutSchema(join(packaged, path)), `${path} differs`);
}

function useCommands() {
  call(user, 'pawl', ['--help']);
  call(user, 'pawl', ['doctor', 'demo-minimal']);
  const { kinds } = JSON.parse(call(user, 'pawl', ['explain', '--json']).stdout);
  const reason = kinds[0].reasons[0];
  const { meanings } = JSON.parse(call(user, 'pawl', ['explain', reason, '--json']).stdout);
  demand(existsSync(join(installed, meanings[0].page)), `${meanings[0].page} is not in the package`);
  const script = join(temp, 'completion.bash');
  writeFileSync(script, call(user, 'pawl', ['completion', 'bash']).stdout);
  call(user, 'bash', ['-n', script]);
  return 'done';
}

function useAgentFaces() {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'packed', version: '1' },
  };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const served = call(join(user, 'demo-minimal'), 'pawl', ['mcp'], { input: `${hello}\n` }).stdout;
  demand(JSON.parse(served.split('\n')[0] ?? '').result.serverInfo.name === 'pawl', `mcp said ${served}`);
  const event = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup', session_id: 's' });
  call(join(user, 'demo-minimal'), 'pawl', ['hook', 'claude'], { input: event });
  return 'done';
}

function libraryFolder() {
  const folder = join(user, 'library');
  cpSync(join(installed, 'examples/library'), folder, { recursive: true });
  return folder;
}

/** Whether it went well: the rest is tried all the same. */
function step(/** @type {string} */ what, /** @type {() => string} */ work) {
  const start = performance.now();
  const done = (/** @type {string} */ result) =>
    rows.push({ what, seconds: (performance.now() - start) / 1000, result });
  try {
    done(work());
    return true;
  } catch (error) {
    done('FAILED');
    console.error(`${what}: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
    return false;
  }
}

/**
 * Ends well or throws with what was said. The user's own settings and state are left alone, but npm's are needed.
 * @param {string} folder @param {string} program @param {string[]} args
 * @param {{ expected?: number, input?: string, isOwn?: boolean }} [more]
 */
function call(folder, program, args, { expected = 0, input = '', isOwn = false } = {}) {
  const path = [join(temp, 'bin'), join(user, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const home = isOwn ? {} : { HOME: join(temp, 'home'), XDG_STATE_HOME: join(temp, 'state') };
  const env = { ...process.env, ...withoutPauses, PATH: path, ...home, NO_COLOR: '1' };
  const done = spawnSync(program, args, { cwd: folder, env, input, encoding: 'utf8' });
  if (done.error !== undefined) throw done.error;
  demand(
    done.status === expected,
    `${program} ${args.join(' ')}: exit code ${done.status}, not ${expected}\n${done.stdout}${done.stderr}`,
  );
  return done;
}

/** @type {(isSo: boolean, otherwise: string) => void} */
function demand(isSo, otherwise) {
  if (!isSo) throw new Error(otherwise);
}

/** Paths of files, relative and sorted. */
function filesBelow(/** @type {string} */ folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function megabytes(/** @type {number} */ bytes) {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function printTable() {
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { what, seconds, result } of rows)
    console.log(`${what.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${result}`);
}
