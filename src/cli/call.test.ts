import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCall } from './call.ts';
import { commands, globalOptions } from './commands.ts';
import { parseCall } from './parse.ts';

const flags = [...globalOptions, ...commands.flatMap(({ options }) => options)].flatMap(({ flags }) =>
  flags.split(/[ ,]+/).filter((word) => word.startsWith('-')),
);
const word = fc.oneof(
  fc.constantFrom(...flags),
  fc.constantFrom('x', '', '-', '--', '-x', '--jso', '--actor=ann', 'next', 'T001/verify', '-1'),
);

describe('a plain call', () => {
  it('is what the parser makes of it', () => {
    const argv = fc.tuple(fc.constantFrom(...commands.map(({ name }) => name), 'nothing'), fc.array(word));
    fc.assert(
      fc.property(argv, ([command, words]) => {
        const plain = plainCall([command, ...words]);
        if (plain !== undefined) expect(parseCall([command, ...words])).toEqual({ ok: true, value: plain });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is what nearly everybody types', () => {
    const options = { color: true, input: true, actor: 'ann', role: 'verifier', json: true };
    expect(plainCall(['next', '--actor', 'ann', '--role', 'verifier', '--json'])).toEqual({
      command: 'next',
      arguments: [],
      options,
    });
    expect(plainCall(['next', '-C', 'there', '--actor', 'ann'])?.options).toMatchObject({ dir: 'there' });
    expect(plainCall(['complete', 'T001', '--actor', 'ann'])?.arguments).toEqual(['T001']);
  });

  it.each([
    ['an option that there is none of', ['next', '--actr', 'ann']],
    ['a value that is missing', ['next', '--actor']],
    ['a value that looks like an option', ['next', '--actor', '--json']],
    ['an argument too many', ['next', 'demo', 'T001']],
    ['an argument that is missing', ['complete', '--actor', 'ann']],
    ['no command', ['--json', 'next']],
    ['several values', ['complete', 'T001', '--output', 'a=b']],
    ['what is taken back', ['next', '--no-color']],
  ])('is not %s', (_, argv) => {
    expect(plainCall(argv)).toBeUndefined();
  });
});

it('every command without an argument of its own takes the path of a workspace', () => {
  const without = commands.filter((command) => command.arguments.length === 0).map(({ name }) => name);
  // These are about no workspace, or read it from what calls them.
  expect(without).toEqual(['statusline', 'schema']);
  const named = commands.filter((command) => command.arguments[0]?.name === '[run]').map(({ name }) => name);
  expect(named).toEqual(['inspect', 'graph', 'report']);
});
