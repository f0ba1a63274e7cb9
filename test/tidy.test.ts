import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkArchitecture } from './tidy/architecture.ts';
import { checkCycles } from './tidy/cycles.ts';
import { checkExecutors } from './tidy/executors.ts';
import { checkFolderCycles } from './tidy/folder-cycles.ts';
import { checkReminders, checkTestModes } from './tidy/leftovers.ts';
import { checkExportedNames } from './tidy/names.ts';
import { checkProcessState } from './tidy/process-state.ts';
import { checkPurity } from './tidy/purity.ts';
import { checkRooms } from './tidy/rooms.ts';
import { checkAny, checkDefaultExports, checkLengths } from './tidy/shape.ts';
import { type Finding, formatFinding, parse, readTexts, type Source } from './tidy/source.ts';
import { checkWords } from './tidy/words.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

describe('the project', () => {
  const sources = parse(readTexts(root, ['src', 'test', 'scripts', 'bench', 'examples', 'bin']));

  it('is looked at as a whole', () => {
    const paths = sources.map((source) => source.path);
    expect(paths).toEqual(expect.arrayContaining(['src/base/hash.ts', 'test/tidy.test.ts', 'bin/pawl.js']));
  });

  it.each([
    ['lets a room import only what the table allows', checkRooms],
    ['keeps the pure rooms pure', checkPurity],
    ['takes nothing from its process but at the door', checkProcessState],
    ['keeps executors from the run that they work for', checkExecutors],
    ['has no import cycles', checkCycles],
    ['has no import cycles of folders', checkFolderCycles],
    ['has short files and functions', checkLengths],
    ['exports no name twice', checkExportedNames],
    ['speaks plain English in names and comments', checkWords],
    ['has no default exports', checkDefaultExports],
    ['has no `any`', checkAny],
    ['has no reminders left in the code', checkReminders],
    ['runs every test', checkTestModes],
  ])('%s', (_, check) => {
    expect(check(sources).map(formatFinding)).toEqual([]);
  });

  it('describes each folder in ARCHITECTURE.md', () => {
    const folders = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => relative(join(root, 'src'), join(entry.parentPath, entry.name)));
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    expect(checkArchitecture(text, folders).map(formatFinding)).toEqual([]);
  });
});

describe('the rules themselves', () => {
  it('tell what is taken from the process behind the door', () => {
    const texts = {
      'src/cli/a.ts': 'process.exit();\nexport const a = io.process.env;',
      'src/cli/process-io.ts': 'process.exit();',
      'src/cli/a.test.ts': 'process.exit();',
    };
    expect(checkProcessState(parse(texts)).map(({ path, line }) => `${path}:${line}`)).toEqual([
      'src/cli/a.ts:1',
    ]);
  });

  it('tell an import that the table does not allow', () => {
    const texts = {
      'src/model/a.ts': "import { b } from '../disk/b.ts';\nexport const a = b;",
      'src/text/a.ts':
        "import type { Plan } from '../planner/plan.ts';\nimport { plan } from '../planner/plan.ts';",
      'src/cli/a.ts':
        "import 'commander';\nexport { run } from '../engine/run.ts';\nexport type { D } from '../disk/d.ts';",
      'src/planner/a.ts':
        "type T = import('../runner/t.ts').T;\nconst late = () => import('../engine/run.ts');",
      'src/base/a.ts': "import { x } from '../../test/x.ts';",
      'src/attic/a.ts': 'export const a = 1;',
      'src/engine/a.ts': "import { FileJournal } from '../store/file/file-journal.ts';",
      'src/index.ts': "export { run } from './engine/run.ts';\nexport { fold } from './ledger/fold.ts';",
      'src/model/a.test.ts': "import { b } from '../disk/b.ts';",
    };
    expect(found(checkRooms, texts)).toEqual([
      'src/model/a.ts:1 model may not import disk: ../disk/b.ts',
      'src/text/a.ts:2 text may take only types from planner: ../planner/plan.ts',
      'src/cli/a.ts:3 cli may not import disk: ../disk/d.ts',
      'src/planner/a.ts:1 planner may not import runner: ../runner/t.ts',
      'src/planner/a.ts:2 planner may not import engine: ../engine/run.ts',
      'src/base/a.ts:1 base reaches out of src: ../../test/x.ts',
      'src/attic/a.ts:1 the room attic is not in the table of rooms',
      'src/engine/a.ts:1 only store knows where things are kept: ../store/file/file-journal.ts',
      'src/index.ts:2 index.ts may not import ledger: ./ledger/fold.ts',
    ]);
  });

  it('tell what makes a pure room impure', () => {
    const texts = {
      'src/planner/a.ts': [
        "import { readFileSync } from 'node:fs';",
        "import { systemClock } from '../base/clock.ts';",
        'export const now = (): Date => new Date();',
        'export const chance = () => Math.random();',
        'export const pid = (fact: { process: number }) => fact.process + process.pid;',
        "export const shown = { process: 1, Date: 'yes' };",
      ].join('\n'),
      'src/ledger/a.ts': 'export const pid = (process: { pid: number }) => process.pid;',
      'src/disk/a.ts': 'export const now = () => Date.now();',
      'src/planner/a.test.ts': "import { tmpdir } from 'node:os';",
    };
    expect(found(checkPurity, texts)).toEqual([
      'src/planner/a.ts:1 planner is pure: no node:fs',
      'src/planner/a.ts:2 planner is pure: no systemClock',
      'src/planner/a.ts:3 planner is pure: no Date',
      'src/planner/a.ts:3 planner is pure: no Date',
      'src/planner/a.ts:4 planner is pure: no Math.random',
      'src/planner/a.ts:5 planner is pure: no process',
    ]);
  });

  it('tell an executor that reaches the run, directly or through another file', () => {
    const texts = {
      'src/runner/executors/a.ts':
        "import '../shared.ts';\nimport type { Ledger } from '../../ledger/ledger.ts';",
      'src/runner/models/a.ts': "import { ok } from '../../base/result.ts';\nimport '../context.ts';",
      'src/runner/models/a.test.ts': "import '../context.ts';",
      'src/runner/shared.ts': "export const late = () => import('../store/file/journal/writer.ts');",
      'src/runner/worker.ts': "import './context.ts';\nimport './executors/a.ts';",
      'src/runner/context.ts': "import '../ledger/ledger.ts';",
    };
    expect(found(checkExecutors, texts)).toEqual([
      'src/runner/shared.ts:1 an executor reaches src/runner/executors/a.ts → src/runner/shared.ts → src/store/file/journal/writer.ts',
      'src/runner/executors/a.ts:2 an executor reaches src/runner/executors/a.ts → src/ledger/ledger.ts',
      'src/runner/models/a.ts:2 an executor reaches src/runner/models/a.ts → src/runner/context.ts',
    ]);
  });

  it('tell an import cycle once, and no diamond', () => {
    const texts = {
      'src/base/a.ts': "import './b.ts';\nimport './c.ts';",
      'src/base/b.ts': "import './d.ts';",
      'src/base/c.ts': "import './d.ts';",
      'src/base/d.ts': "\nimport type { A } from './b.ts';",
    };
    expect(found(checkCycles, texts)).toEqual([
      'src/base/d.ts:2 an import cycle: src/base/b.ts → src/base/d.ts → src/base/b.ts',
    ]);
  });

  it('tell a cycle of folders although no file is in one, and the known ones not', () => {
    const texts = {
      'src/engine/a/one.ts': "import '../b/one.ts';",
      'src/engine/b/one.ts': "import '../c.ts';",
      'src/engine/c.ts': "import './a/two.ts';",
      'src/engine/a/two.ts': '',
    };
    const expected = 'src/engine/c.ts:1 parts of src/engine import each other: a → b → c.ts → a';
    expect(checkFolderCycles(parse(texts), new Set()).map(formatFinding)).toEqual([expected]);
    expect(checkFolderCycles(parse(texts), new Set(['src/engine']))).toEqual([]);
  });

  it('tell a file or function that is too long, and no test', () => {
    const body = (lines: number) => 'void 0;\n'.repeat(lines);
    const texts = {
      'src/base/a.ts': `// a {\nexport function short() {\n${body(68)}}\nexport const long = () => {\n${body(69)}};\n`,
      'src/base/b.ts': body(400),
      'src/base/c.ts': body(401),
      'src/base/c.test.ts': body(401),
    };
    expect(found(checkLengths, texts)).toEqual([
      'src/base/a.ts:72 71 lines; a function has at most 70',
      'src/base/c.ts:401 401 lines; a file has at most 400',
    ]);
  });

  it('tell a name that two files export, and the known ones not', () => {
    const texts = {
      'src/base/a.ts': 'export interface Row {}\nexport function read() {}\nexport const [x] = [1];',
      'src/disk/b.ts':
        "const Row = 1;\nexport { Row };\nexport const read = 1;\nexport * from '../base/a.ts';",
      'src/disk/b.test.ts': 'export type Row = 1;',
    };
    expect(checkExportedNames(parse(texts), new Set()).map(formatFinding)).toEqual([
      'src/disk/b.ts:3 src/base/a.ts exports read, too',
    ]);
    expect(checkExportedNames(parse(texts), new Set(['read']))).toEqual([]);
  });

  it('tell old words in comments and names, and not in strings', () => {
    const texts = {
      'src/base/a.ts': [
        '/** Whoever holds it. */',
        "export const url = 'http://nobody'; // fine",
        'export const told = `// nobody ${url} // nobody`;',
        'const placeholder = /nobody/; // a cell',
        '/* A cell of a Markdown table. */',
      ].join('\n'),
    };
    expect(checkWords(parse(texts), new Set()).map(formatFinding)).toEqual([
      'src/base/a.ts:1 a comment says "Whoever"',
      'src/base/a.ts:4 a comment says "cell"',
      'src/base/a.ts:3 the name told says "told"',
    ]);
    expect(checkWords(parse(texts), new Set(['src/base']))).toEqual([]);
  });

  it('tell a default export in each spelling', () => {
    const texts = {
      'src/base/a.ts': 'export default function a() {}',
      'src/base/b.ts': 'const b = 1;\nexport default b;',
      'src/base/c.ts': 'const c = 1;\nexport { c as default };',
      'src/base/d.ts': "import d from './c.ts';\nswitch (d) {\n  default:\n}\nexport { d };",
    };
    expect(found(checkDefaultExports, texts)).toEqual([
      'src/base/a.ts:1 a default export',
      'src/base/b.ts:2 a default export',
      'src/base/c.ts:2 a default export',
    ]);
  });

  it('tell `any`, and not the word', () => {
    const texts = { 'src/base/a.ts': "// any\nconst any = 'any';\nexport const a = (b: any[]) => [any, b];" };
    expect(found(checkAny, texts)).toEqual(['src/base/a.ts:3 `any`']);
  });

  it('tell a leftover reminder', () => {
    const texts = { 'scripts/a.mjs': `let a;\n// ${'TO'}${'DO'}: mend\nlet mastodon; // ${'FIX'}${'ME'}\n` };
    expect(found(checkReminders, texts)).toEqual([
      `scripts/a.mjs:2 a leftover ${'TO'}${'DO'}`,
      `scripts/a.mjs:3 a leftover ${'FIX'}${'ME'}`,
    ]);
  });

  it('tell a test that is left alone or left out', () => {
    const modes = [
      'it.only',
      'describe.skip',
      'test.concurrent.only',
      'it.each([1]).skip',
      'it.skipIf(true)',
      'list.only',
    ];
    const texts = { 'test/a.test.ts': modes.map((mode) => `${mode}('x', () => {});`).join('\n') };
    expect(found(checkTestModes, texts)).toEqual([
      'test/a.test.ts:1 a leftover .only',
      'test/a.test.ts:2 a leftover .skip',
      'test/a.test.ts:3 a leftover .only',
      'test/a.test.ts:4 a leftover .skip',
    ]);
  });

  it('tell a room that ARCHITECTURE.md forgets, repeats or invents', () => {
    const text = [
      '# Rooms',
      '| layer | folder | what |',
      '|---|---|---|',
      '| 0 | `base` | all |',
      '| 1 | `src/disk/`, `attic` | `x` |',
      '| 2 | `base` | again |',
      '',
      '| 9 | `later` | another table |',
    ].join('\n');
    expect(checkArchitecture(text, ['base', 'disk', 'model']).map(formatFinding)).toEqual([
      'ARCHITECTURE.md:5 no folder src/attic',
      'ARCHITECTURE.md:6 base a second time',
      'ARCHITECTURE.md:2 model is missing',
    ]);
    expect(checkArchitecture('nothing', []).map(formatFinding)).toEqual([
      'ARCHITECTURE.md:1 no table with a column "folder"',
    ]);
  });
});

function found(check: (sources: readonly Source[]) => Finding[], texts: Record<string, string>): string[] {
  return check(parse(texts)).map(formatFinding);
}
