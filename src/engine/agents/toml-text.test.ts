import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseToml, tomlStrings, withoutTable, withTable } from './toml-text.ts';

const name = ['mcp_servers', 'pawl'];
const read = (text: string) => {
  const statements = parseToml('config.toml', text);
  if (!statements.ok) throw new Error(JSON.stringify(statements.failure));
  return statements.value;
};
const named = (text: string) =>
  read(text).flatMap(({ kind, name }) => (kind === 'remark' ? [] : [name.join('.')]));
const insert = (text: string) => withTable(text, name, { command: 'pawl', args: ['mcp'] });
const remove = (text: string) => withoutTable(text, read(text), name);

const settings = `# mine
model = "o9"
notify = ["say",
  "done # not a remark", # a remark ]
]
text = """
[not.a.table]
"""
quoted = '''
[nor.this] ' '''

[features]
hooks = true # yes

[mcp_servers."other one"]
command = 'npx'
env = { A = "b", C = "d" }
[[projects]]
"a.b".c = 1
`;

describe('what a TOML file speaks of', () => {
  it('is found, whatever its strings look like', () => {
    expect(named(settings)).toEqual([
      'model',
      'notify',
      'text',
      'quoted',
      'features',
      'features.hooks',
      'mcp_servers.other one',
      'mcp_servers.other one.command',
      'mcp_servers.other one.env',
      'projects',
      'projects.a.b.c',
    ]);
  });

  it('has strings, alone or in a list', () => {
    const text = 'a = "x\\"y"\nb = [ "1", \'2\', # "3"\n "4" ]\nc = 5\n';
    expect(read(text).map((statement) => tomlStrings(text, statement))).toEqual([
      ['x"y'],
      ['1', '2', '4'],
      [],
    ]);
  });

  it.each([
    ['a = 1\nb', 'key-expected', 2, 1],
    ['a = "x\n', 'unexpected-end-of-string', 1, 5],
    ['a = [1,\n2\n', 'close-bracket-expected', 3, 1],
    ['a = """x', 'unexpected-end-of-string', 1, 5],
    ['a = 1]\n', 'value-expected', 1, 6],
    ['[table\n', 'key-expected', 1, 1],
  ])('is told with its place where it cannot be understood: %j', (text, problem, line, column) => {
    expect(parseToml('c.toml', text)).toEqual({
      ok: false,
      failure: { reason: 'settings-unreadable', problem, place: { path: 'c.toml', line, column } },
    });
  });
});

describe('a table that is put in', () => {
  it('stands at the end, and says whose it is', () => {
    expect(insert(settings)).toBe(`${settings}
# pawl: begin. \`pawl agents uninstall codex\` takes this out.
[mcp_servers.pawl]
command = "pawl"
args = ["mcp"]
# pawl: end
`);
    expect(named(insert(''))).toEqual([
      'mcp_servers.pawl',
      'mcp_servers.pawl.command',
      'mcp_servers.pawl.args',
    ]);
  });

  it.each([
    settings,
    settings.replaceAll('\n', '\r\n'),
    settings.trimEnd(),
    '',
    '\n',
    ' ',
    '\n\n\n',
    '# x',
    'a = 1',
  ])('goes without a trace: %j', (text) => {
    expect(remove(insert(text))).toBe(text);
  });

  it('goes without a trace from among what came after it', () => {
    expect(remove(`${insert(settings)}\n[later]\na = 1\n`)).toBe(`${settings}\n[later]\na = 1\n`);
  });

  it('goes without a trace from any text', () => {
    const line = fc.constantFrom(
      'a = 1',
      '# remark',
      '',
      '[t]',
      'b = [\n1\n]',
      'c = """\n[x]\n"""',
      '[[u.v]]',
      '  ',
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, eol, isEnded) => {
        const text = lines.join('\n').replaceAll('\n', eol) + (isEnded ? eol : '');
        expect(remove(insert(text))).toBe(text);
      }),
    );
  });
});

describe('a table that somebody else has written', () => {
  it('goes with those below it, and leaves the remarks of the next', () => {
    const text =
      '[mcp_servers.pawl]\ncommand = "pawl"\n\n[mcp_servers.pawl.env]\nA = "b"\n\n# about this\n[other]\nx = 1\n';
    expect(remove(text)).toBe('\n# about this\n[other]\nx = 1\n');
  });

  it('keeps what stands between our remarks and is not ours', () => {
    const text = insert('a = 1\n').replace('# pawl: end', '[other]\nx = 1\n# pawl: end');
    expect(named(remove(text))).toEqual(['a', 'other', 'other.x']);
  });

  it('is left where there is none', () => {
    expect(remove(settings)).toBe(settings);
  });
});
