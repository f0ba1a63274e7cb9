import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { brokenPlace } from './broken-module.ts';

// What Node throws here is not what it throws of itself, for the tests are loaded by something else: errors are made by hand.

const slip = 'export const one = 1;\n\texport const two = ;\n';
const files = {
  'slip.mjs': slip,
  'odd name/ü#1.mjs': slip,
  'above.mjs': `import { readFileSync } from 'node:fs';\nimport './fine.mjs';\nimport "./below/middle.mjs";\n`,
  'fine.mjs': 'export const fine = 1;\n',
  'below/middle.mjs': `export { one } from './deep.mjs';\nimport '../above.mjs';\n`,
  'below/deep.mjs': slip,
  'old.cjs': 'module.exports = { a: ; };\n',
};

it.each([
  ['slip.mjs', { path: 'slip.mjs', line: 2, column: 21 }],
  ['odd name/ü#1.mjs', { path: 'odd name/ü#1.mjs', line: 2, column: 21 }],
  ['old.cjs', { path: 'old.cjs', line: 1, column: 23 }],
  // Not in the module itself, but in what it imports.
  ['above.mjs', { path: 'below/deep.mjs', line: 2, column: 21 }],
  // Whatever it was, it was none of these.
  ['fine.mjs', undefined],
  ['gone.mjs', undefined],
])('the syntax of %s breaks at %j', async (module, place) => {
  expect(await brokenPlace(new SyntaxError("Unexpected token ';'"), tempFolder(files), module)).toEqual(
    place,
  );
});

it('where Node tells the place, that is it', async () => {
  const root = tempFolder(files);
  const error = new SyntaxError('no export named none');
  error.stack = `file://${root}/odd%20name/here.mjs:2\nimport { none } from './fine.mjs';\n         ^^^^\nSyntaxError: no`;
  expect(await brokenPlace(error, root, 'fine.mjs')).toEqual({
    path: 'odd name/here.mjs',
    line: 2,
    column: 10,
  });
});

it('an error of another kind has its place in its own stack', async () => {
  expect(
    await brokenPlace(new TypeError("Unexpected token ';'"), tempFolder(files), 'slip.mjs'),
  ).toBeUndefined();
});

it('the file is named as the workspace has it, also where that is reached through a link', async () => {
  const linked = join(tempFolder(), 'linked');
  symlinkSync(tempFolder(files), linked);
  expect(await brokenPlace(new SyntaxError("Unexpected token ';'"), linked, 'slip.mjs')).toMatchObject({
    path: 'slip.mjs',
    line: 2,
  });
});
