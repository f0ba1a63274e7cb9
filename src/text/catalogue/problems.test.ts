import { expect, test } from 'vitest';
import type { Problem, ProblemCode } from '../../model/failure.ts';
import { plainStyle } from '../style/style.ts';
import { invalidNext, invalidTitle, problemCount, problemLines, problemWords } from './problems.ts';

const facts: Record<ProblemCode, Problem['facts']> = {
  'file-too-large': { found: 'pawl.yaml', limit: 1024 * 1024 },
  'file-unreadable': { found: 'outline.yaml', cause: 'EACCES' },
  'literal-secret': { found: 'a GitHub token (ghp_…)' },
  'not-utf8': { found: 'pawl.yaml' },
  'manifest-empty': {},
  'yaml-syntax': { cause: 'BAD_INDENT', detail: 'Bad indentation at line 3, column 2:\n\n  x\n  ^\n' },
  'yaml-too-deep': { limit: 64 },
  'yaml-too-many-aliases': { limit: 100 },
  'yaml-custom-tag': { found: '!!js/function' },
  'yaml-duplicate-key': { found: 'phases' },
  'unknown-key': { found: 'neds', valid: ['needs', 'run'], suggestion: 'needs' },
  'missing-key': { expected: 'map' },
  'wrong-type': { expected: ['map', 'string'], found: 'list' },
  'not-one-of': { found: 'chian', valid: ['free', 'chain'], suggestion: 'chain' },
  'out-of-range': { found: 0, minimum: 1, maximum: 1024 },
  'bad-name': { found: 'Scene 1', suggestion: 'scene-1' },
  'reserved-name': { found: 'con' },
  'duplicate-unit': { found: 'ch001' },
  'no-units': {},
  'unit-source-missing': { found: 'outline.yaml' },
  'unit-source-not-a-list': { found: 'nothing', file: 'outline.yaml', valid: ['title', 'scenes'] },
  'unknown-unit-need': { found: 'ch01', suggestion: 'ch001' },
  'unit-cycle': { cycle: ['a', 'b', 'a'] },
  'no-phases': {},
  'duplicate-phase': { found: 'write' },
  'unknown-need': { found: 'paln', valid: ['plan'], suggestion: 'plan' },
  'need-cycle': { cycle: ['plan', 'write', 'plan'] },
  'unknown-input': { found: 'write.pose', valid: ['write.prose'] },
  'input-from-later-phase': { found: 'lint.report', phase: 'write' },
  'unknown-file': { found: 'outlin', valid: ['outline'], suggestion: 'outline' },
  'no-unit-file': { found: 'unit.file' },
  'duplicate-output': { found: 'draft/a.md', unit: 'a', other: 'b/write.prose' },
  'output-not-per-unit': { found: 'draft.md', units: 6 },
  'path-absolute': { found: '/etc/passwd' },
  'path-outside': { found: '../x' },
  'path-reserved': { found: '.git' },
  'path-control-character': { found: 'U+202E' },
  'path-through-link': { found: 'draft' },
  'pattern-unknown-field': { found: 'chaper', valid: ['unit', 'chapter'], suggestion: 'chapter', unit: 'a' },
  'template-missing': { found: 'templates/write.md', role: 'phase' },
  'template-too-large': { found: 'templates/write.md', limit: 1024 * 1024 },
  'template-syntax': { detail: 'tag "fi" not found' },
  'template-unknown-variable': { found: 'unti' },
  'template-includes-itself': { cycle: ['a.md', 'b.md', 'a.md'] },
  'shell-with-template': { found: '{unit}', program: 'sh' },
  'program-from-unit': { found: '{unit.tool}' },
  'env-forbidden': { found: 'NODE_OPTIONS' },
  'gate-unknown-output': { found: 'reprot', valid: ['report'], suggestion: 'report' },
  'gate-back-to-later': { found: 'commit', valid: ['write', 'lint'] },
  'gate-loops-overlap': { found: 'lint', other: 'review' },
  'gate-needs-key': { found: 'plateau', needs: 'score' },
  'when-outside-loop': { found: 'repair' },
  'ladder-outside-loop': {},
  'not-the-only-unit': { found: 'draw.picture', stage: 'frames', units: 8 },
  'state-missing': { found: 'read' },
  'state-needs-chain': { found: 'free', expected: 'chain' },
  'state-two-writers': { found: 'commit', other: 'merge' },
  'schema-invalid': { found: 'lint.schema.json', cause: 'not-a-schema' },
  'regex-invalid': { found: '(', detail: 'Unterminated group' },
  'version-unsupported': { found: 2, expected: 1 },
};

test('a list of units that a phase made: who made it, what was done before, and the ways on', () => {
  const problem = {
    code: 'duplicate-unit',
    path: 'tasks[1]',
    place: undefined,
    facts: { found: 'a' },
  } as const;
  const lists = [{ unit: 'plan', phase: 'graph', path: 'out/graph.json' }];
  const trouble = { reason: 'manifest-invalid', file: 'pawl.yaml', problems: [problem], lists } as const;
  expect(invalidTitle(trouble)).toBe(
    '1 problem in the list of units that plan/graph made; nothing was started',
  );
  expect(invalidTitle({ ...trouble, ran: { succeeded: 2, failed: 1 } })).toBe(
    '1 problem in the list of units that plan/graph made; before that 2 attempts succeeded, 1 failed, and nothing more was started',
  );
  expect(invalidNext(trouble, undefined)).toEqual([
    'out/graph.json was made by plan/graph: fix what it is made from, then: pawl run --rerun-from graph',
    'or fix out/graph.json by hand, then: pawl adopt out/graph.json',
  ]);
});

test('every problem of a manifest has its words', () => {
  const words = Object.entries(facts).map(([code, known]) => {
    return `${code}: ${problemWords({ code: code as ProblemCode, path: '', place: undefined, facts: known })}`;
  });
  expect(words.join('\n')).toMatchInlineSnapshot(`
    "file-too-large: pawl.yaml is too large; at most 1 MB
    file-unreadable: outline.yaml cannot be read (EACCES)
    literal-secret: holds what looks like a GitHub token (ghp_…); keep it in a variable of the environment and name that here, as in env: { TOKEN: $TOKEN }
    not-utf8: pawl.yaml is not a UTF-8 text
    manifest-empty: the file is empty; it needs pawl: 1, pipeline, units and phases, as in the example that pawl init minimal FOLDER writes
    yaml-syntax: not YAML: Bad indentation
    yaml-too-deep: nested deeper than 64 levels
    yaml-too-many-aliases: more than 100 aliases, or aliases of aliases
    yaml-custom-tag: the tag !!js/function is not allowed; write plain YAML
    yaml-duplicate-key: the key phases stands here twice
    unknown-key: unknown key neds; did you mean needs?
    missing-key: missing; expected map
    wrong-type: found list; expected map or string
    not-one-of: "chian" is not possible here; did you mean chain?
    out-of-range: 0 is out of range; at least 1 and at most 1024
    bad-name: "Scene 1" cannot be a name; use a-z, 0-9, ".", "_" and "-", beginning with a letter or digit, 64 at most; did you mean scene-1?
    reserved-name: the name con is reserved; choose another one
    duplicate-unit: there are two units called ch001
    no-units: there are no units; list at least one
    unit-source-missing: there is no file outline.yaml to take the units from
    unit-source-not-a-list: there is nothing at that place of outline.yaml; a list of units is expected; possible: title, scenes
    unknown-unit-need: no unit of this stage is called ch01; did you mean ch001?
    unit-cycle: these units need each other in a circle: a > b > a
    no-phases: there are no phases; list at least one
    duplicate-phase: there are two phases called write
    unknown-need: no phase is called paln; did you mean plan?
    need-cycle: these phases need each other in a circle: plan > write > plan
    unknown-input: no phase makes write.pose; possible: write.prose
    input-from-later-phase: lint.report is made after write, and no gate leads back from there
    unknown-file: no declared file is called outlin; did you mean outline?
    no-unit-file: unit.file needs units with a file: units: { glob: … }, or units: { …, file: FIELD }
    duplicate-output: draft/a.md (unit a) is taken by b/write.prose; every file has one writer
    output-not-per-unit: draft.md is the same for all 6 units; put {unit} into it
    path-absolute: /etc/passwd is absolute; write it relative to the workspace
    path-outside: ../x leads out of the workspace
    path-reserved: .git is reserved and cannot be part of a path
    path-control-character: the path holds U+202E; use plain letters and "/"
    path-through-link: draft leads out of the workspace through a symbolic link
    pattern-unknown-field: there is no field chaper (unit a); did you mean chapter?
    template-missing: there is no template templates/write.md
    template-too-large: the template templates/write.md is too large; at most 1 MB
    template-syntax: not a template: tag "fi" not found
    template-unknown-variable: there is no variable unti
    template-includes-itself: these templates include each other in a circle: a.md > b.md > a.md
    shell-with-template: {unit} would become part of a program text of sh; pass it as an argument of its own
    program-from-unit: the program would be what {unit.tool} says; name the program here, and pass the value as an argument
    env-forbidden: the variable NODE_OPTIONS may not be set: it changes what a program loads
    gate-unknown-output: this phase has no output reprot for the gate to read; did you mean report?
    gate-back-to-later: commit is listed after the gate; a gate goes back to its own phase or one before; possible: write, lint
    gate-loops-overlap: the loops of the gates lint and review share phases
    gate-needs-key: plateau does nothing without score; add score
    when-outside-loop: no gate goes back to repair or before, so it would never run
    ladder-outside-loop: no gate goes back to this phase or before, so it has no later rounds
    not-the-only-unit: stage frames has 8 units; take "of: every", or "of: previous" within a stage
    state-missing: this phase uses a state, and the manifest declares none; add a "state" at the top
    state-needs-chain: units that share a state must follow one another; add "order: chain"
    state-two-writers: merge writes the state already; only one phase can
    schema-invalid: lint.schema.json is not a JSON Schema (not-a-schema)
    regex-invalid: "(" is not a regular expression (Unterminated group)
    version-unsupported: version 2 of the format is not known; this pawl reads version 1"
  `);
});

test('a value with braces that nobody quoted is told how to be written', () => {
  const words = (code: ProblemCode, source: string, known: Problem['facts']) => {
    const place = {
      file: 'pawl.yaml',
      line: 1,
      column: source.indexOf('‸') + 1,
      source: source.replace('‸', ''),
    };
    return problemWords({ code, path: '', place, facts: known });
  };
  const token = { cause: 'UNEXPECTED_TOKEN', detail: 'Unexpected scalar at node end' };
  const map = { found: 'map', expected: 'string' };
  const hint = '; quote values that hold { }';
  expect(words('yaml-syntax', 'o: {unit}‸.txt', token)).toBe(
    `not YAML: Unexpected scalar at node end${hint}`,
  );
  expect(words('yaml-syntax', '{ o: out/‸{unit}.txt }', token)).toContain(hint);
  expect(words('yaml-syntax', 'o: "a" ‸b', token)).not.toContain(hint);
  expect(words('wrong-type', 'command: [cat, ‸{unit.path}]', map)).toBe(`found map; expected string${hint}`);
  expect(words('wrong-type', '  ‸a: 1', map)).toBe('found map; expected string');
});

test('the same problem can have another cause', () => {
  const words = (code: ProblemCode, known: Problem['facts']) =>
    problemWords({ code, path: '', place: undefined, facts: known });
  expect(
    [
      words('file-unreadable', { found: 'outline.yaml', cause: 'ENOENT' }),
      words('yaml-syntax', { cause: 'MULTIPLE_DOCS' }),
      words('yaml-syntax', { cause: 'TAB_AS_INDENT', detail: 'Tabs are not allowed as indentation' }),
      words('yaml-syntax', { cause: 'BAD_ALIAS', found: 'base' }),
      words('yaml-syntax', { cause: 'JSON' }),
      words('no-units', { pattern: 'source/*.txt' }),
      words('missing-key', { valid: ['function', 'command'] }),
      words('bad-name', { found: '7', expected: 'letters' }),
      words('unknown-key', { found: 'units', other: 'stages' }),
      words('unknown-need', { found: 'lint', 'listed-later': 'lint' }),
      words('template-syntax', { cause: 'include-not-literal' }),
      words('schema-invalid', { found: 'a.json', cause: 'missing' }),
      words('not-one-of', { found: 'x', valid: ['free', 'chain'] }),
      words('duplicate-phase', { found: 'main', kind: 'stage' }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "there is no file outline.yaml
    a second document begins here; a manifest is one
    a tab cannot indent YAML; indent with spaces, here and in all other lines
    nothing is anchored as base before this place
    not JSON
    no file matches source/*.txt, so there are no units
    one of function or command is needed here
    "7" cannot be a name: a number would lose its place; begin it with a letter
    the key units cannot stand beside stages
    lint is listed after this phase; a phase can only need phases listed before it
    an include must name its file in quotes, so that changes of it can be seen
    there is no schema a.json
    "x" is not possible here; possible: free, chain
    there are two stages called main"
  `);
});

test('place, keys, source line and caret', () => {
  const problem: Problem = {
    code: 'unknown-need',
    path: 'phases.write.needs[0]',
    place: { file: 'pawl.yaml', line: 12, column: 13, source: '    needs: [paln]' },
    facts: { found: 'paln', valid: ['plan'], suggestion: 'plan' },
  };
  expect(problemLines('pawl.yaml', [problem], plainStyle)).toEqual([
    '✗ pawl.yaml:12:13: phases.write.needs[0]: no phase is called paln; did you mean plan?',
    '    12 |     needs: [paln]',
    '       |             ^',
  ]);
  expect(problemCount('pawl.yaml', [problem, problem])).toBe('2 problems in pawl.yaml');
});

test('a problem of the whole file has no line', () => {
  const problem: Problem = { code: 'not-utf8', path: '', place: undefined, facts: { found: 'pawl.yaml' } };
  expect(problemLines('pawl.yaml', [problem], plainStyle)).toEqual([
    '✗ pawl.yaml: pawl.yaml is not a UTF-8 text',
  ]);
});

test('the caret stays under its place in long, tabbed and nasty lines', () => {
  const caretUnder = (source: string, column: number) => {
    const place = { file: 'f', line: 1, column, source };
    const [, line = '', caret = ''] = problemLines(
      'f',
      [{ code: 'no-units', path: '', place, facts: {} }],
      plainStyle,
    );
    return line.charAt(caret.indexOf('^'));
  };
  expect(caretUnder(`\tx: @`, 5)).toBe('@');
  expect(caretUnder(`${'a'.repeat(200)}@${'b'.repeat(200)}`, 201)).toBe('@');
  expect(caretUnder('a\u202eb: @', 6)).toBe('@');
});
