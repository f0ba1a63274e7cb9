import { describe, expect, it } from 'vitest';
import { relativeSpecifiers } from './imports.ts';

const found = (text: string, jsx = false) => relativeSpecifiers(text, { jsx });

describe('the relative specifiers of a module', () => {
  it.each([
    ["import './a.mjs';", ['./a.mjs']],
    ['import a from "./a.mjs"', ['./a.mjs']],
    ["import a, { b as c } from '../lib/a.mjs';", ['../lib/a.mjs']],
    ["import * as all from './all.js'", ['./all.js']],
    ["import data from './a.json' with { type: 'json' };", ['./a.json']],
    [
      "import type { A } from './types.ts';\nlet a: A<B<C>> = 1 as any;\nimport './b.ts'",
      ['./types.ts', './b.ts'],
    ],
    ["export { a } from './a.mjs'; export * from '..'", ['./a.mjs', '..']],
    ["const a = await import('./a.mjs');", ['./a.mjs']],
    ['import(`./a.mjs`, { with: {} })', ['./a.mjs']],
    ["const a = require('./a.cjs'), b = require ( /* why */ './b' );", ['./a.cjs', './b']],
    ["import a = require('./a.cjs');", ['./a.cjs']],
    ["import './a.js?version=1'; import '.'", ['./a.js', '.']],
    ["#!/usr/bin/env node\nimport './a.mjs'", ['./a.mjs']],
    ["import './a.mjs'; import './a.mjs'", ['./a.mjs']],
    [`const text = \`\${await import('./a.mjs')}\``, ['./a.mjs']],
    ["let a = b / c; import('./a.mjs'); a = /'/.test(b)", ['./a.mjs']],
  ])('%s', (text, specifiers) => {
    expect(found(text)).toEqual(specifiers);
  });

  it.each([
    ['a package', "import a from 'a'; import b from '#b'; import 'node:fs'; import '/c.mjs'"],
    ['a comment', "// import './a.mjs'\n/* import './b.mjs' */"],
    ['a text', '"import \'./a.mjs\'"; `import "./b.mjs"`'],
    ['what is put together', `import('./' + name); import(\`./\${name}\`); require('./a' + b)`],
    ['a member', "a.require('./a'); Array.from('./b'); a.import('./c'); this.from './d'"],
    ['another function', "load('./a.mjs'); required('./b')"],
    ['a regular expression', "a = /import '.\\/a'/; b = /require('.\\/b')/"],
    ['nothing', ''],
  ])('are none in %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });

  it('are found beside JSX, whose text may hold quotes', () => {
    expect(found("import a from './a'; const b = <p>don't</p>; import('./c')", true)).toEqual(['./a', './c']);
  });

  it('are looked for in any text without an error', () => {
    for (const text of [
      "import './a",
      "import '",
      '`${',
      'import(',
      "/* './a'",
      "'./a' `${ '/./b'",
      ')]}./a"./"',
    ])
      expect(found(text)).toEqual([]);
  });
});
