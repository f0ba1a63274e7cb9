import { describe, expect, it } from 'vitest';
import { type MemoryFile, memoryReader } from '../../../test/fixtures/memory-reader.ts';
import type { Problem, ProblemCode } from '../../model/failure.ts';
import { loadPipeline } from '../load.ts';
import { placeAtOffset } from './problems.ts';

/** A manifest with one thing wrong: `‸` stands where the problem is, in the manifest or in another file. */
interface Case {
  readonly manifest: string | Uint8Array | Error;
  readonly path: string;
  readonly facts?: Problem['facts'];
  readonly files?: Readonly<Record<string, MemoryFile>>;
  readonly outside?: readonly string[];
  /** Its line is not shown. */
  readonly hidden?: true;
  /** The problem is one of the whole file. */
  readonly nowhere?: true;
}

const top = 'pawl: 1\npipeline: p\n';
const units = 'units: [u]\n';
const head = `${top}${units}`;
const chain = `${top}units: { list: [u, v], order: chain }\nstate: { path: s.json, initial: i.json }\n`;
const run = 'run: { command: [x] }';
const one = `phases: { a: { ${run} } }\n`;

/** A phase `a` with more keys. */
const phase = (keys: string) => `${head}phases:\n  a: { ${run}, ${keys} }\n`;
/** Phases with a line each. */
const phases = (...lines: string[]) => `${head}phases:\n${lines.map((line) => `  ${line}\n`).join('')}`;

/** Told when a prompt is made or a run is started, not when a manifest is loaded: see their own tests. */
type ReportedLater = 'template-unknown-variable' | 'template-missing';

const cases: Record<Exclude<ProblemCode, ReportedLater>, readonly Case[]> = {
  'file-too-large': [
    {
      manifest: new Uint8Array(100_000_000),
      path: '',
      nowhere: true,
      facts: { found: 'pawl.yaml', limit: 1024 * 1024 },
    },
    {
      manifest: `${top}inputs: { o: o.json }\nunits: { from: ‸o }\n${one}`,
      files: { 'o.json': new Uint8Array(65 * 1024 * 1024) },
      path: 'units.from',
    },
  ],
  'file-unreadable': [
    {
      manifest: Object.assign(new Error('no'), { code: 'EACCES' }),
      path: '',
      nowhere: true,
      facts: { found: 'pawl.yaml', cause: 'EACCES' },
    },
    {
      manifest: `${phase('inputs: { o: o }')}inputs: { o: ‸o.md }\n`,
      files: { 'o.md': new Error('EISDIR') },
      path: 'inputs.o',
    },
  ],
  'not-utf8': [
    { manifest: utf16(`${head}${one}`, true), path: '', nowhere: true },
    { manifest: utf16(`${head}${one}`, false), path: '', nowhere: true },
    { manifest: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), path: '', nowhere: true },
    {
      manifest: phase('prompt: ‸t.md'),
      files: { 't.md': new Uint8Array([0xff, 0xfe]) },
      path: 'phases.a.prompt',
    },
  ],
  'manifest-empty': [
    { manifest: '', path: '', nowhere: true },
    { manifest: '# nothing yet\n---\n', path: '', nowhere: true },
  ],
  'yaml-syntax': [
    // One tab is reported, and neither the others nor what they make of the rest.
    { manifest: `${top}units:\n  - u\n‸\t- v\n\t- w\n${one}`, path: '' },
    { manifest: `${top}phases:\n‸\ta:\n\t\trun: x\n`, path: '' },
    { manifest: `${top}units: [u‸`, path: '' },
    { manifest: `${head}${one}‸---\npawl: 1\n`, path: '', facts: { cause: 'MULTIPLE_DOCS' } },
    { manifest: `${head}phases: ‸*nobody\n`, path: 'phases', facts: { cause: 'BAD_ALIAS', found: 'nobody' } },
    {
      manifest: `${head}phases: &a { x: ‸*a }\n`,
      path: 'phases.x',
      facts: { cause: 'BAD_ALIAS', found: 'a' },
    },
    {
      manifest: `${top}inputs: { o: o.json }\nunits: { from: o }\n${one}`,
      files: { 'o.json': '[u,]‸x' },
      path: '',
    },
  ],
  'yaml-too-deep': [
    { manifest: `${top}units: ${'['.repeat(65)}‸[`, path: '', facts: { limit: 64 } },
    {
      manifest: `${top}inputs: { o: o.json }\nunits: { from: o }\n${one}`,
      files: { 'o.json': `‸${'['.repeat(70)}${']'.repeat(70)}` },
      path: '',
    },
  ],
  'yaml-too-many-aliases': [
    {
      manifest: `${top}x: &x 1\nunits: [${'*x, '.repeat(100)}‸*x]\n`,
      path: 'units[100]',
      facts: { limit: 100 },
    },
  ],
  'yaml-custom-tag': [
    { manifest: `${head}phases: !secret ‸{}\n`, path: 'phases', facts: { found: '!secret' } },
    {
      manifest: `${top}units: [!!binary ‸aGk=]\n`,
      path: 'units[0]',
      facts: { found: 'tag:yaml.org,2002:binary' },
    },
  ],
  'yaml-duplicate-key': [{ manifest: `${head}‸units: [v]\n`, path: 'units', facts: { found: 'units' } }],
  'unknown-key': [
    {
      manifest: phase('‸retires: 3'),
      path: 'phases.a.retires',
      facts: {
        found: 'retires',
        suggestion: 'retries',
        valid: [
          'needs',
          'when',
          'prompt',
          'run',
          'model',
          'reuse',
          'params',
          'inputs',
          'outputs',
          'state',
          'on_change',
          'code',
          'gate',
          'ladder',
          'limits',
          'budget',
          'retries',
          'timeout',
          'on_interrupt',
          'again',
          'checkpoint',
          'revises',
        ],
      },
    },
    { manifest: `${head}${one}‸colour: red\n`, path: 'colour' },
    {
      manifest: `${top}stages: [{ name: s, units: [u], phases: { a: { ${run} } } }]\n‸units: [u]\n`,
      path: 'units',
      facts: { found: 'units', other: 'stages' },
    },
    { manifest: phases('a: { run: { ‸inline: a } }'), path: 'phases.a.run.inline' },
  ],
  'missing-key': [
    { manifest: `‸pawl: 1\n${units}${one}`, path: 'pipeline', facts: { expected: 'string' } },
    { manifest: `${head.replace('pawl', '‸pawl')}`, path: 'phases', facts: { expected: 'phases' } },
    { manifest: phases('‸a: {}'), path: 'phases.a.run' },
    {
      manifest: phases('a: { ‸run: {} }'),
      path: 'phases.a.run',
      facts: { valid: ['function', 'command', 'task'] },
    },
    {
      manifest: `${top}inputs: { o: o.yaml }\nunits: { from: o.list }\n${one}`,
      files: { 'o.yaml': 'list:\n  - ‸title: x\n' },
      path: 'list[0]',
      facts: { expected: 'id' },
    },
  ],
  'wrong-type': [
    {
      manifest: phase('needs: ‸b'),
      path: 'phases.a.needs',
      facts: { expected: 'list', found: 'string' },
    },
    { manifest: phase('timeout: ‸soon'), path: 'phases.a.timeout' },
    { manifest: phase('outputs: { o: ‸7 }'), path: 'phases.a.outputs.o' },
    { manifest: phases('a: { run: { function: ‸phases.js } }'), path: 'phases.a.run.function' },
    { manifest: phases('a: { run: { command: ‸ls -l } }'), path: 'phases.a.run.command' },
    { manifest: `${head}phases: { ? ‸[a] : b }\n`, path: 'phases' },
    { manifest: phase('params: { x: ‸.nan }'), path: 'phases.a.params.x' },
    { manifest: '‸just text\n', path: '', facts: { expected: 'map', found: 'string' } },
    { manifest: `${phase('inputs: { x: [‸o] }')}inputs: { o: o.md }\n`, path: 'phases.a.inputs.x[0]' },
  ],
  'not-one-of': [
    {
      manifest: phase('on_interrupt: ‸rerum'),
      path: 'phases.a.on_interrupt',
      facts: { found: 'rerum', valid: ['rerun', 'continue', 'ask'], suggestion: 'rerun' },
    },
    { manifest: phase('outputs: { o: { path: o.md, check: ‸jsn } }'), path: 'phases.a.outputs.o.check' },
    {
      manifest: phase(
        'outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: ‸b, iterations: 2 }',
      ),
      path: 'phases.a.gate.back_to',
      facts: { found: 'b', valid: ['a'], suggestion: 'a' },
    },
  ],
  'out-of-range': [
    { manifest: phase('retries: ‸0'), path: 'phases.a.retries', facts: { found: 0, minimum: 1 } },
    { manifest: phase('timeout: ‸0'), path: 'phases.a.timeout' },
    { manifest: phase('timeout: ‸999h'), path: 'phases.a.timeout' },
    { manifest: `${top}units: { count: ‸1000000000 }\n${one}`, path: 'units.count' },
    { manifest: `${head}${one}pace: { concurrency: ‸0 }\n`, path: 'pace.concurrency' },
  ],
  'bad-name': [
    {
      manifest: phases(`‸Write: { ${run} }`),
      path: 'phases.Write',
      facts: { found: 'Write', expected: 'name' },
    },
    { manifest: phases(`‸1: { ${run} }`), path: 'phases.1', facts: { found: '1', expected: 'letters' } },
    {
      manifest: `${top}units: [a, ‸Scene 1]\n${one}`,
      path: 'units[1]',
      facts: { found: 'Scene 1', suggestion: 'scene-1' },
    },
    { manifest: `pawl: 1\npipeline: ‸My Book\n${units}${one}`, path: 'pipeline' },
  ],
  'reserved-name': [
    { manifest: phases(`‸con: { ${run} }`), path: 'phases.con', facts: { found: 'con' } },
    { manifest: `${top}units: [‸nul]\n${one}`, path: 'units[0]', facts: { found: 'nul' } },
    { manifest: phase('outputs: { ‸state: s.json }'), path: 'phases.a.outputs.state' },
    { manifest: phase('params: { ‸__proto__: 1 }'), path: 'phases.a.params' },
  ],
  'duplicate-unit': [
    { manifest: `${top}units: [u, v, ‸u]\n${one}`, path: 'units[2]', facts: { found: 'u' } },
    {
      manifest:
        `${top}stages:\n  - { name: s, units: [u], phases: { a: { ${run} } } }\n` +
        `  - { name: t, units: [‸u], phases: { b: { ${run} } } }\n`,
      path: 'stages[1].units[0]',
    },
    {
      manifest: `${top}inputs: { o: o.yaml }\nunits: { from: o.list, id: "s{n}" }\n${one}`,
      files: { 'o.yaml': 'list:\n  - n: 1\n  - ‸n: 1\n' },
      path: 'list[1]',
      facts: { found: 's1' },
    },
  ],
  'no-units': [
    { manifest: `${top}units: ‸[]\n${one}`, path: 'units' },
    { manifest: `${top}units: ‸{ count: 0 }\n${one}`, path: 'units' },
    { manifest: `${top}units: { glob: ‸"*.txt" }\n${one}`, path: 'units.glob', facts: { pattern: '*.txt' } },
  ],
  'unit-source-missing': [
    {
      manifest: `${top}inputs: { o: o.yaml }\nunits: { from: ‸o.list }\n${one}`,
      path: 'units.from',
      facts: { found: 'o.yaml' },
    },
  ],
  'unit-source-not-a-list': [
    {
      manifest: `${top}inputs: { o: o.yaml }\nunits: { from: ‸o.scenes }\n${one}`,
      files: { 'o.yaml': 'scene: []\n' },
      path: 'units.from',
      facts: { found: 'nothing', file: 'o.yaml', valid: ['scene'] },
    },
  ],
  'unknown-unit-need': [
    {
      manifest: `${top}units: [{ id: abc, needs: [‸abd] }, { id: abe }]\n${one}`,
      path: 'units[0].needs[0]',
      facts: { found: 'abd', suggestion: 'abc' },
    },
  ],
  'unit-cycle': [
    {
      manifest: `${top}units: [‸{ id: u, needs: [v] }, { id: v, needs: [u] }]\n${one}`,
      path: 'units[0]',
      facts: { cycle: ['u', 'v', 'u'] },
    },
    {
      manifest: `${top}units: { list: [{ id: u, needs: [‸v] }, v], order: chain }\n${one}`,
      path: 'units.list[0].needs[0]',
    },
  ],
  'no-phases': [{ manifest: `${head}phases: ‸{}\n`, path: 'phases' }],
  'duplicate-phase': [
    {
      manifest:
        `${top}stages:\n  - { name: s, units: [u], phases: { a: { ${run} } } }\n` +
        `  - { name: t, units: [v], phases: { ‸a: { ${run} } } }\n`,
      path: 'stages[1].phases.a',
      facts: { found: 'a' },
    },
    {
      manifest:
        `${top}stages:\n  - { name: s, units: [u], phases: { a: { ${run} } } }\n` +
        `  - { name: ‸s, units: [v], phases: { b: { ${run} } } }\n`,
      path: 'stages[1].name',
      facts: { found: 's', kind: 'stage' },
    },
  ],
  'unknown-need': [
    {
      manifest: phases(`plan: { ${run} }`, `write: { ${run}, needs: [‸plam] }`),
      path: 'phases.write.needs[0]',
      facts: { found: 'plam', valid: ['plan', 'write'], suggestion: 'plan' },
    },
    {
      manifest: phases(`a: { ${run}, needs: [‸b] }`, `b: { ${run}, needs: [] }`),
      path: 'phases.a.needs[0]',
      facts: { found: 'b', 'listed-later': 'b' },
    },
  ],
  'need-cycle': [
    {
      manifest: phases(`a: { ${run}, needs: ‸[c] }`, `b: { ${run} }`, `c: { ${run} }`),
      path: 'phases.a.needs',
      facts: { cycle: ['a', 'c', 'b', 'a'] },
    },
    { manifest: phase('needs: ‸[a]'), path: 'phases.a.needs', facts: { cycle: ['a', 'a'] } },
  ],
  'unknown-input': [
    {
      manifest: phases(
        `plan: { ${run}, outputs: { card: card.json } }`,
        `write: { ${run}, inputs: { card: ‸plan.crad } }`,
      ),
      path: 'phases.write.inputs.card',
      facts: { found: 'plan.crad', valid: ['plan.card'], suggestion: 'plan.card' },
    },
  ],
  'input-from-later-phase': [
    {
      manifest: phases(`a: { ${run}, inputs: { x: ‸b.o } }`, `b: { ${run}, outputs: { o: o.md } }`),
      path: 'phases.a.inputs.x',
      facts: { found: 'b.o', phase: 'a' },
    },
  ],
  'unknown-file': [
    {
      manifest: `${phase('inputs: { o: ‸outlin }')}inputs: { outline: o.yaml }\n`,
      path: 'phases.a.inputs.o',
      facts: { found: 'outlin', valid: ['outline'], suggestion: 'outline' },
    },
    { manifest: `${top}units: { from: ‸outline.scenes }\n${one}`, path: 'units.from' },
  ],
  'no-unit-file': [
    {
      manifest: phase('inputs: { file: ‸unit.file }'),
      path: 'phases.a.inputs.file',
      facts: { found: 'unit.file' },
    },
  ],
  'duplicate-output': [
    {
      manifest: `${top}units: [u, v]\nphases:\n  a: { ${run}, outputs: { o: "{unit}.md" } }\n  b: { ${run}, outputs: { o: ‸"{unit}.MD" } }\n`,
      path: 'phases.b.outputs.o',
      facts: { found: 'u.MD', unit: 'u', other: 'u/a.o' },
    },
    {
      manifest: phases(
        `a: { ${run}, outputs: { o: "out/{unit}" } }`,
        `b: { ${run}, outputs: { o: ‸"out/{unit}/b.md" } }`,
      ),
      path: 'phases.b.outputs.o',
      facts: { found: 'out/u/b.md', unit: 'u', other: 'u/a.o' },
    },
    {
      manifest: phases(`a: { ${run}, outputs: { o: "out/{unit}/b.md", p: ‸"out/{unit}" } }`),
      path: 'phases.a.outputs.p',
    },
    {
      manifest: `${phase('outputs: { o: ‸o.yaml }')}inputs: { outline: o.yaml }\n`,
      path: 'phases.a.outputs.o',
      facts: { found: 'o.yaml', unit: 'u', other: 'inputs.outline' },
    },
    { manifest: phase('outputs: { o: ‸pawl.yaml }'), path: 'phases.a.outputs.o' },
    {
      manifest: `${top}units: { glob: "*.txt" }\nphases: { a: { ${run}, outputs: { o: ‸"{path}" } } }\n`,
      files: { 'x.txt': '' },
      path: 'phases.a.outputs.o',
      facts: { found: 'x.txt', unit: 'x', other: 'x.txt' },
    },
    {
      manifest: `${top}units: [{ id: v, n: 1 }, { id: w, n: 1 }]\nphases: { a: { ${run}, outputs: { o: ‸"{n}.md" } } }\n`,
      path: 'phases.a.outputs.o',
      facts: { found: '1.md', unit: 'w', other: 'v/a.o' },
    },
    { manifest: `${head}${one}state: { path: ‸s.json, initial: S.json }\n`, path: 'state.path' },
    {
      manifest: `${phase('outputs: { o: "l/{unit}.json" }')}layout: { ledger: ‸"l/{unit}.json" }\n`,
      path: 'layout.ledger',
    },
  ],
  'output-not-per-unit': [
    {
      manifest: `${top}units: [u, v]\nphases: { a: { ${run}, outputs: { o: ‸o.md } } }\n`,
      path: 'phases.a.outputs.o',
      facts: { found: 'o.md', units: 2 },
    },
  ],
  'path-absolute': [
    { manifest: phase('outputs: { o: ‸/etc/passwd }'), path: 'phases.a.outputs.o' },
    { manifest: phase('outputs: { o: ‸"C:/x" }'), path: 'phases.a.outputs.o' },
  ],
  'path-outside': [
    {
      manifest: phase('outputs: { o: { path: ‸a/../../x.md } }'),
      path: 'phases.a.outputs.o.path',
      facts: { found: 'a/../../x.md' },
    },
    { manifest: phase('prompt: ‸../t.md'), path: 'phases.a.prompt' },
    {
      manifest: `${top}units: [{ id: u, to: ../x }]\nphases: { a: { ${run}, outputs: { o: ‸"out/{to}.md" } } }\n`,
      path: 'phases.a.outputs.o',
      facts: { found: 'out/../x.md', unit: 'u' },
    },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': 'a\n ‸{% include "../x" %}' },
      path: 'phases.a.prompt',
    },
  ],
  'path-reserved': [
    { manifest: phase('outputs: { o: ‸.pawl/x }'), path: 'phases.a.outputs.o', facts: { found: '.pawl' } },
    { manifest: phase('outputs: { o: ‸a/.Git/x }'), path: 'phases.a.outputs.o', facts: { found: '.Git' } },
    { manifest: phase('outputs: { o: ‸a/NUL.txt }'), path: 'phases.a.outputs.o' },
  ],
  'path-control-character': [
    { manifest: phase('outputs: { o: ‸"a\\nb" }'), path: 'phases.a.outputs.o', facts: { found: 'U+000A' } },
    {
      manifest: phase(String.raw`outputs: { o: ‸a\b }`),
      path: 'phases.a.outputs.o',
      facts: { found: 'U+005C' },
    },
    { manifest: phase('outputs: { o: ‸"a\\u202eb" }'), path: 'phases.a.outputs.o' },
  ],
  'path-through-link': [
    {
      manifest: phase('outputs: { o: ‸"out/{unit}.md" }'),
      outside: ['out'],
      path: 'phases.a.outputs.o',
      facts: { found: 'out' },
    },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': '‸{% include "x/y.md" %}' },
      outside: ['x'],
      path: 'phases.a.prompt',
    },
  ],
  'pattern-unknown-field': [
    {
      manifest: `${top}units: [{ id: u, chapter: 1 }]\nphases: { a: { ${run}, outputs: { o: ‸"{chaptr}.md" } } }\n`,
      path: 'phases.a.outputs.o',
      facts: {
        found: 'chaptr',
        unit: 'u',
        valid: ['unit', 'attempt', 'id', 'chapter'],
        suggestion: 'chapter',
      },
    },
    { manifest: phase('outputs: { o: ‸"{unit" }'), path: 'phases.a.outputs.o', facts: { found: '{unit' } },
    { manifest: `${top}units: { count: 2, id: ‸"u{idx}" }\n${one}`, path: 'units.id' },
    {
      manifest: phases('a: { run: { command: [x, ‸"{output.o}"] }, outputs: { p: p.md } }'),
      path: 'phases.a.run.command[1]',
      facts: { found: '{output.o}', valid: ['{unit}', '{output.p}'], suggestion: '{output.p}' },
    },
    {
      manifest: phase('outputs: { o: { path: o.md, check: { command: [x, ‸"{unit}"] } } }'),
      path: 'phases.a.outputs.o.check.command[1]',
    },
  ],
  'template-too-large': [
    {
      manifest: phase('prompt: { phase: ‸t.md }'),
      files: { 't.md': new Uint8Array(1024 * 1024 + 1) },
      path: 'phases.a.prompt.phase',
      facts: { found: 't.md', limit: 1024 * 1024 },
    },
  ],
  'template-syntax': [
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': 'one\n  ‸{% if x %}\n' },
      path: 'phases.a.prompt',
      facts: { detail: 'tag {% if x %} not closed' },
    },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': '‸{{ "now" | date: "%Y" }}' },
      path: 'phases.a.prompt',
    },
    { manifest: phase('prompt: t.md'), files: { 't.md': 'x ‸{{ list | sample }}' }, path: 'phases.a.prompt' },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': '{% if x %}‸{% include name %}{% endif %}' },
      path: 'phases.a.prompt',
      facts: { cause: 'include-not-literal' },
    },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': '{% include "i.md" %}', 'i.md': '\n‸{{ x' },
      path: 'phases.a.prompt',
    },
  ],
  'template-includes-itself': [
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': '\n‸{% include "t.md" %}' },
      path: 'phases.a.prompt',
      facts: { cycle: ['t.md', 't.md'] },
    },
    {
      manifest: phase('prompt: t.md'),
      files: { 't.md': 'a ‸{% render "b.md" %}', 'b.md': '{% layout "t.md" %}' },
      path: 'phases.a.prompt',
      facts: { cycle: ['t.md', 'b.md', 't.md'] },
    },
  ],
  'shell-with-template': [
    {
      manifest: phases('a: { run: { command: [sh, -c, ‸"echo {unit}"] } }'),
      path: 'phases.a.run.command[2]',
      facts: { found: '{unit}', program: 'sh' },
    },
    {
      manifest: phases('a: { run: { command: [/usr/bin/env, bash, -ec, ‸"echo {unit}"] } }'),
      path: 'phases.a.run.command[3]',
    },
    {
      manifest: phases('a: { run: { command: [node, -e, ‸"f(`{unit}`)"] } }'),
      path: 'phases.a.run.command[2]',
    },
  ],
  'program-from-unit': [
    {
      manifest: `${top}units: [{ id: u, tool: t }]\nphases: { a: { run: { command: [env, X=1, ‸'{unit.tool}', y] } } }\n`,
      path: 'phases.a.run.command[2]',
      facts: { found: '{unit.tool}' },
    },
  ],
  'literal-secret': [
    {
      manifest: phases(`a: { run: { command: [x, ‸'--key=ghp_${'a1B2'.repeat(9)}'] } }`),
      path: 'phases.a.run.command[1]',
      facts: { found: 'a GitHub token (ghp_…)' },
      hidden: true,
    },
  ],
  'env-forbidden': [
    {
      manifest: phases('a: { run: { command: [x], env: { LANG: C, ‸NODE_OPTIONS: -r evil } } }'),
      path: 'phases.a.run.env.NODE_OPTIONS',
      facts: { found: 'NODE_OPTIONS' },
    },
    {
      manifest: phases('a: { run: { command: [x], env: { ‸LD_PRELOAD: x } } }'),
      path: 'phases.a.run.env.LD_PRELOAD',
    },
  ],
  'gate-unknown-output': [
    {
      manifest: phase(
        'outputs: { report: r.json }, gate: { verdict: ‸reprot.s, pass: [ok], back_to: a, iterations: 2 }',
      ),
      path: 'phases.a.gate.verdict',
      facts: { found: 'reprot', valid: ['report'], suggestion: 'report' },
    },
  ],
  'gate-back-to-later': [
    {
      manifest: phases(
        `a: { ${run}, outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: ‸b, iterations: 2 } }`,
        `b: { ${run} }`,
      ),
      path: 'phases.a.gate.back_to',
      facts: { found: 'b', valid: ['a'] },
    },
  ],
  'gate-loops-overlap': [
    {
      manifest: phases(
        `a: { ${run} }`,
        `b: { ${run}, outputs: { r: b.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 2 } }`,
        `c: { ${run}, outputs: { r: c.json }, gate: { verdict: r.s, pass: [ok], back_to: ‸b, iterations: 2 } }`,
      ),
      path: 'phases.c.gate.back_to',
      facts: { found: 'c', other: 'b' },
    },
  ],
  'gate-needs-key': [
    {
      manifest: phase('outputs: { r: r.json }, gate: { ‸bar: 80, back_to: a, iterations: 2 }'),
      path: 'phases.a.gate.bar',
      facts: { found: 'bar', needs: 'score' },
    },
    {
      manifest: phase(
        'outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 2, ‸keep: best }',
      ),
      path: 'phases.a.gate.keep',
      facts: { found: 'keep', needs: 'score' },
    },
  ],
  'when-outside-loop': [
    { manifest: phase('when: ‸gate-failed'), path: 'phases.a.when', facts: { found: 'a' } },
    {
      manifest: phase(
        'when: ‸gate-failed, outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 2 }',
      ),
      path: 'phases.a.when',
    },
  ],
  'ladder-outside-loop': [
    { manifest: phase('ladder: ‸[{ params: { seed: 2 } }]'), path: 'phases.a.ladder', facts: {} },
  ],
  'not-the-only-unit': [
    {
      manifest: `${top}stages:\n  - { name: s, units: [u, v], phases: { a: { ${run}, outputs: { o: "{unit}.txt" } } } }\n  - { name: t, units: [w], phases: { b: { ${run}, inputs: { i: ‸a.o } } } }\n`,
      path: 'stages[1].phases.b.inputs.i',
      facts: { found: 'a.o', stage: 's', units: 2 },
    },
  ],
  'state-missing': [{ manifest: phase('state: ‸read'), path: 'phases.a.state', facts: { found: 'read' } }],
  'state-needs-chain': [
    {
      manifest: `${top}units: ‸[u, v]\nstate: { path: s.json, initial: i.json }\nphases: { a: { ${run}, state: write } }\n`,
      path: 'units',
    },
  ],
  'state-two-writers': [
    {
      manifest: `${chain}phases: { a: { ${run}, state: write }, b: { ${run}, state: ‸write } }\n`,
      path: 'phases.b.state',
      facts: { found: 'b', other: 'a' },
    },
  ],
  'schema-invalid': [
    {
      manifest: phase('outputs: { o: { path: o.json, check: { json-schema: ‸s.json } } }'),
      path: 'phases.a.outputs.o.check.json-schema',
      facts: { found: 's.json', cause: 'missing' },
    },
    {
      manifest: phase('outputs: { o: { path: o.json, check: { json-schema: ‸s.json } } }'),
      files: { 's.json': '7' },
      path: 'phases.a.outputs.o.check.json-schema',
    },
    {
      manifest: phase('outputs: { o: { path: o.json, check: { json-schema: s.json } } }'),
      files: { 's.json': '{ "type": ‸' },
      path: 'phases.a.outputs.o.check.json-schema',
    },
  ],
  'regex-invalid': [
    {
      manifest: phase('outputs: { o: { path: o.md, check: { regex: ‸"(" } } }'),
      path: 'phases.a.outputs.o.check.regex',
    },
  ],
  'version-unsupported': [
    {
      manifest: `pawl: ‸2\nunheard: of\n`,
      path: 'pawl',
      facts: { found: 2, expected: 1 },
    },
  ],
};

describe.each(Object.entries(cases))('%s', (code, variants) => {
  it.each(variants.map((variant, nth) => [nth + 1, variant] as const))('case %i', async (_, variant) => {
    const { files, place } = prepare(variant);
    const result = await loadPipeline(memoryReader(files, variant.outside), 'pawl.yaml');
    const failure = result.ok ? undefined : result.failure;
    if (failure?.reason !== 'manifest-invalid')
      throw new Error(`expected ${code}: ${JSON.stringify(failure)}`);
    const [problem, ...others] = failure.problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, path: variant.path });
    expect(problem?.place).toEqual(variant.hidden && place ? { ...place, source: '' } : place);
    if (variant.facts !== undefined) expect(problem?.facts).toEqual(variant.facts);
  });
});

describe('a list of problems', () => {
  it('names everything that is wrong at once, from top to bottom', async () => {
    const manifest = [
      'pawl: 1',
      'pipeline: p',
      'units: [u, U, u]',
      'colour: red',
      'phases:',
      '  plan: { run: { command: [x] }, timeout: soon, outputs: { card: /card.json } }',
      '  write: { run: { command: [sh, -c, "{unit}"] }, needs: [plam], inputs: { c: plan.crad }, state: read }',
      'pace: { concurrency: 0 }',
    ].join('\n');
    const result = await loadPipeline(memoryReader({ 'pawl.yaml': manifest }), 'pawl.yaml');
    const problems =
      !result.ok && result.failure.reason === 'manifest-invalid' ? result.failure.problems : [];
    const lines = problems.map(({ code, path, place }) => `${place?.line}:${place?.column} ${code} ${path}`);
    expect(lines).toEqual([
      '3:12 duplicate-unit units[1]',
      '3:15 duplicate-unit units[2]',
      '4:1 unknown-key colour',
      '6:43 wrong-type phases.plan.timeout',
      '6:66 path-absolute phases.plan.outputs.card',
      '6:66 output-not-per-unit phases.plan.outputs.card',
      '7:37 shell-with-template phases.write.run.command[2]',
      '7:58 unknown-need phases.write.needs[0]',
      '7:78 unknown-input phases.write.inputs.c',
      '7:98 state-missing phases.write.state',
      '8:22 out-of-range pace.concurrency',
    ]);
    expect(problems[3]?.place?.source).toBe(manifest.split('\n')[5]);
  });

  it('says nothing of fields while there is no unit to have them', async () => {
    const codes = async (manifest: string) => {
      const result = await loadPipeline(memoryReader({ 'pawl.yaml': manifest }), 'pawl.yaml');
      if (result.ok) return [];
      return result.failure.reason === 'manifest-invalid'
        ? result.failure.problems.map(({ code }) => code)
        : [];
    };
    const use = '{ run: { command: [x, "{unit.path}", "{unit.chapter}"] } }';
    expect(await codes(`${top}units: { glob: "*.txt" }\nphases: { a: ${use} }\n`)).toEqual(['no-units']);
    const listed = `{ name: one, units: [u], phases: { list: { ${run}, outputs: { o: o.json } } } }`;
    const later = `{ name: two, units: { artifact: list.o }, phases: { a: ${use} } }`;
    expect(await codes(`${top}stages: [${listed}, ${later}]\n`)).toEqual([]);
  });

  it('ends somewhere', async () => {
    const bad = Array.from({ length: 5000 }, (_, at) => `"!${at}"`).join(', ');
    const manifest = `${top}units: [${bad}]\n${one}`;
    const result = await loadPipeline(memoryReader({ 'pawl.yaml': manifest }), 'pawl.yaml');
    expect(result.ok).toBe(false);
    const failure = result.ok ? undefined : result.failure;
    expect(failure?.reason === 'manifest-invalid' && failure.problems.length).toBe(200);
  });

  it('says nothing but that there is no manifest', async () => {
    expect(await loadPipeline(memoryReader({}), 'pawl.yaml')).toEqual({
      ok: false,
      failure: { reason: 'manifest-not-found', path: 'pawl.yaml', near: [] },
    });
  });
});

describe('placeAt', () => {
  it('counts lines and columns from one, over CRLF and empty lines', () => {
    const text = '\nab\r\n\r\ncd';
    expect(placeAtOffset('f', text, 0)).toEqual({ file: 'f', line: 1, column: 1, source: '' });
    expect(placeAtOffset('f', text, 2)).toEqual({ file: 'f', line: 2, column: 2, source: 'ab' });
    expect(placeAtOffset('f', text, 8)).toEqual({ file: 'f', line: 4, column: 2, source: 'cd' });
    expect(placeAtOffset('f', text, 99)).toEqual({ file: 'f', line: 4, column: 3, source: 'cd' });
    expect(placeAtOffset('f', 'x'.repeat(10_001), 9)).toEqual({ file: 'f', line: 1, column: 10, source: '' });
    expect(placeAtOffset('f', '', 0)).toEqual({ file: 'f', line: 1, column: 1, source: '' });
  });
});

/** Takes the mark out of the file that holds it, and says where it stood. */
function prepare({ manifest, files = {}, nowhere }: Case) {
  const prepared: Record<string, MemoryFile> = { 'pawl.yaml': manifest, ...files };
  if (nowhere) return { files: prepared, place: undefined };
  for (const [file, text] of Object.entries(prepared)) {
    if (typeof text !== 'string' || !text.includes('‸')) continue;
    const before = text.slice(0, text.indexOf('‸'));
    const plain = text.replace('‸', '');
    const line = before.split('\n').length;
    prepared[file] = plain;
    const place = {
      file,
      line,
      column: before.length - before.lastIndexOf('\n'),
      source: plain.split('\n')[line - 1],
    };
    return { files: prepared, place };
  }
  throw new Error('a case without a mark');
}

function utf16(text: string, withMark: boolean): Uint8Array {
  const units = [...(withMark ? '\ufeff' : ''), ...text].map((character) => character.charCodeAt(0));
  return new Uint8Array(Uint16Array.from(units).buffer);
}
