// How much code a call goes through: files loaded and used, functions run, and how deep the writes are that count.
//   node scripts/journeys.mjs [--stacks]    --stacks also prints the deepest stack of each journey
// Every source file is built into a file of its own, so that V8 counts sources and not bundles.
import { spawnSync } from 'node:child_process';
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
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * @typedef {{ kind: string, path: string, types: string[], frames: number, files: number, stack: string[] }} Write
 * @typedef {{ loaded: Set<string>, used: Set<string>, functions: Set<string>, writes: Write[] }} Walk
 * @typedef {{ functionName: string, ranges: { startOffset: number, count: number }[] }} Covered
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const temp = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-journeys-')));
process.on('exit', () => rmSync(temp, { recursive: true, force: true }));
const dist = join(temp, 'dist');
let count = 0;
/** @type {(string | number)[][]} */
const rows = [];

await build();
const book = copyExample('book');
const agents = copyExample('agents');
const event =
  (/** @type {string} */ end) =>
  (/** @type {Write} */ { types }) =>
    types.some((type) => type.endsWith(end));
row('`run examples/book`, first', walk(book, ['run']), event('_succeeded'));
row('`run`, nothing to do', walk(book, ['run']), event('_succeeded'));
walk(agents, ['run']);
walk(agents, ['approve', 'C1']);
row('`next`', walk(agents, ['next', '--actor', 'e1', '--json']), event('_started'));
mkdirSync(join(agents, 'work/src'), { recursive: true });
writeFileSync(join(agents, 'work/package.json'), '{ "type": "module" }\n');
writeFileSync(join(agents, 'work/src/index.js'), 'export {};\n');
row('`complete`', walk(agents, ['complete', 'T001', '--actor', 'e1', '--json']), event('_succeeded'));
row('model call', modelCall(), ({ path }) => path.endsWith('/answer.json'));
const session = { hook_event_name: 'SessionStart', session_id: 's1', cwd: book, source: 'startup' };
row('hook SessionStart', walk(book, ['hook', 'claude'], JSON.stringify(session)), event(''));
print();

/** The command as users get it, but with one file for each source. */
async function build() {
  const bundle = await rolldown({
    input: Object.fromEntries(
      ['cli/main', 'mcp/main', 'hooks/main'].map((name) => [name, join(root, `src/${name}.ts`)]),
    ),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: [/^node:/, /^(?:ai|@ai-sdk\/.*|@opentelemetry\/.*|sharp)$/],
    onLog: () => undefined,
  });
  await bundle.write({
    ...{ dir: dist, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' },
    ...{ preserveModules: true, preserveModulesRoot: join(root, 'src') },
  });
  for (const name of ['package.json', 'schema', 'docs', 'node_modules'])
    symlinkSync(join(root, name), join(temp, name));
  cpSync(join(root, 'bin'), join(temp, 'bin'), { recursive: true });
}

function copyExample(/** @type {string} */ name) {
  const made = new Set(['draft', 'state.json', '.pawl', '.agent-memory', 'work']);
  const from = join(root, 'examples', name);
  const filter = (/** @type {string} */ path) => !made.has(path.slice(from.length + 1));
  cpSync(from, join(temp, name), { recursive: true, filter });
  return join(temp, name);
}

/** What a run with one call of a model goes through beyond what the same run with a function does. */
function modelCall() {
  const plain = runOne('plain', 'run: { function: ./phases.mjs#draft }');
  const asking = runOne('asking', 'prompt: prompt.md\n    model: { use: writer }');
  /** @type {(key: 'loaded' | 'used' | 'functions') => Set<string>} */
  const beyond = (key) => new Set([...asking[key]].filter((name) => !plain[key].has(name)));
  return { ...asking, loaded: beyond('loaded'), used: beyond('used'), functions: beyond('functions') };
}

function runOne(/** @type {string} */ name, /** @type {string} */ phase) {
  const cwd = join(temp, name);
  mkdirSync(cwd);
  const code =
    "export const draft = () => ({ text: 'a' });\nexport async function* answer() {\n  yield 'a';\n}\n";
  writeFileSync(join(cwd, 'phases.mjs'), code);
  writeFileSync(join(cwd, 'prompt.md'), 'Write.\n');
  const models =
    'models: { use: { writer: mock/w }, providers: { mock: { function: ./phases.mjs#answer } } }';
  const phases = `phases:\n  draft:\n    ${phase}\n    outputs: { text: a.txt }\n`;
  writeFileSync(join(cwd, 'pawl.yaml'), `pawl: 1\npipeline: one\nunits: [a]\n${models}\n${phases}`);
  return walk(cwd, ['run']);
}

/** Calls the command under coverage. @returns {Walk} */
function walk(/** @type {string} */ cwd, /** @type {string[]} */ args, input = '') {
  count += 1;
  const [coverage, log] = [join(temp, `coverage-${count}`), join(temp, `writes-${count}`)];
  const env = {
    ...{ PATH: process.env.PATH, HOME: temp, XDG_STATE_HOME: join(temp, 'state'), BOOK_PAUSE_MS: '0' },
    ...{ NODE_OPTIONS: `--require=${join(root, 'scripts/journeys/stacks.cjs')}`, NODE_V8_COVERAGE: coverage },
    ...{ JOURNEY_WORKSPACE: `${cwd}/`, JOURNEY_LOG: log, JOURNEY_DIST: `${dist}/` },
  };
  const command = [join(temp, 'bin/pawl.js'), ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd, env, input, encoding: 'utf8' });
  // 3: a person has to decide.
  if (status !== 0 && status !== 3) throw new Error(`pawl ${args.join(' ')}: ${status}\n${stderr}`);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
  return { ...readCoverage(coverage), writes: lines.map((line) => JSON.parse(line)) };
}

/** Of our own files. The first function of a file is the module itself, which runs when it is loaded. */
function readCoverage(/** @type {string} */ folder) {
  const start = `${pathToFileURL(dist).href}/`;
  const walked = { loaded: new Set(), used: new Set(), functions: new Set() };
  for (const name of readdirSync(folder)) {
    /** @type {{ result: { url: string, functions: Covered[] }[] }} */
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const { url, functions } of result) {
      const path = url.slice(start.length);
      if (!url.startsWith(start) || !existsSync(join(root, 'src', path.replace(/\.cjs$/, '.ts')))) continue;
      walked.loaded.add(path);
      for (const { functionName, ranges } of functions.slice(1)) {
        if ((ranges[0]?.count ?? 0) === 0) continue;
        walked.used.add(path);
        walked.functions.add(`${path} ${functionName} ${ranges[0]?.startOffset}`);
      }
    }
  }
  return walked;
}

/** @param {string} name @param {Walk} walked @param {(write: Write) => boolean} counts which write acknowledges it */
function row(name, { loaded, used, functions, writes }, counts) {
  const decisive = findDeepest(writes.filter(counts));
  const deepest = findDeepest(writes);
  const renames = writes.filter(({ kind }) => kind === 'rename').length;
  const files = `${loaded.size} / ${used.size}`;
  rows.push([name, files, functions.size, depth(decisive), depth(deepest), writes.length - renames, renames]);
  if (!process.argv.includes('--stacks')) return;
  for (const write of [decisive, deepest])
    if (write !== undefined) console.log(`${name}: ${write.path}\n${write.stack.join('\n')}\n`);
}

function findDeepest(/** @type {Write[]} */ writes) {
  return [...writes].sort((a, b) => b.frames - a.frames)[0];
}

function depth(/** @type {Write | undefined} */ write) {
  return write === undefined ? '–' : `${write.frames} frames in ${write.files} files`;
}

function print() {
  const counted = [
    'files loaded / used',
    'functions run',
    'decisive write',
    'deepest write',
    'writes',
    'renames',
  ];
  const head = ['journey', ...counted];
  for (const cells of [head, head.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`);
}
