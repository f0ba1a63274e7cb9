import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { jsoncTexts } from '../../../test/fixtures/agents.ts';
import type { JsonValue } from '../../base/json.ts';
import { inserted, type JsonPath, parseSettings, removed, replaced, valueAt } from './json-text.ts';

const read = (text: string) => {
  const settings = parseSettings('settings.json', text);
  if (!settings.ok) throw new Error(JSON.stringify(settings.failure));
  return settings.value;
};
const insert = (text: string, path: JsonPath, value: JsonValue) => {
  const result = inserted(read(text), path, value);
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
};
const remove = (text: string, path: JsonPath) => removed(read(text), path);

describe('an entry that is put in', () => {
  it('comes after the others, in their style', () => {
    expect(insert('{\n    "a": 1\n}\n', ['b', 'c'], [2])).toBe(
      '{\n    "a": 1,\n    "b": {\n        "c": [\n            2\n        ]\n    }\n}\n',
    );
    expect(insert('{\r\n\t"a": 1\r\n}', ['b'], { c: 2 })).toBe(
      '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}',
    );
  });

  it('stays on the line of others that share one', () => {
    expect(insert('{"a": [1], "b": 2}', ['a', 0], { c: [] })).toBe('{"a": [1, { "c": [] }], "b": 2}');
  });

  it('leaves a remark with what it is about', () => {
    expect(insert('{\n  "a": 1 // one\n  // the end\n}', ['b'], 2)).toBe(
      '{\n  "a": 1, // one\n  "b": 2\n  // the end\n}',
    );
  });

  it('is followed by a comma where that is the custom', () => {
    expect(insert('{\n  "a": 1,\n}', ['b'], 2)).toBe('{\n  "a": 1,\n  "b": 2,\n}');
    expect(insert('{"a": [1,]}', ['a', 0], 2)).toBe('{"a": [1, 2,]}');
  });

  it.each([
    ['{}', '{\n  "a": 1\n}'],
    ['{ }\n', '{ \n  "a": 1\n}\n'],
    ['{\n}\n', '{\n  "a": 1\n}\n'],
    ['{\r\n}', '{\r\n  "a": 1\r\n}'],
    ['{\n  // nothing\n}\n', '{\n  // nothing\n  "a": 1\n}\n'],
    ['', '{\n  "a": 1\n}\n'],
    ['// nothing', '// nothing\n{\n  "a": 1\n}\n'],
    [' \n', ' \n{\n  "a": 1\n}\n'],
  ])('goes into %j, where there is none', (text, after) => {
    expect(insert(text, ['a'], 1)).toBe(after);
    expect(parse(after)).toEqual({ a: 1 });
  });

  it('goes to the last of two that have one name, which is the one that is read', () => {
    expect(insert('{"a": {}, "a": {"b": 1}}', ['a', 'c'], 2)).toBe('{"a": {}, "a": {"b": 1, "c": 2}}');
  });

  it('is refused where something else stands', () => {
    expect(inserted(read('{\n  "hooks": {\n    "Stop": "x"\n  }\n}'), ['hooks', 'Stop', 0], 1)).toEqual({
      ok: false,
      failure: {
        reason: 'settings-unexpected',
        key: 'hooks.Stop',
        expected: 'array',
        place: { path: 'settings.json', line: 3, column: 13 },
      },
    });
    expect(inserted(read('{"hooks": []}'), ['hooks', 'Stop', 0], 1)).toMatchObject({
      failure: { key: 'hooks', expected: 'object' },
    });
  });
});

describe('an entry that is taken out', () => {
  it('takes with it what it leaves empty', () => {
    expect(remove('{\n  "a": 1,\n  "b": {\n    "c": [\n      2\n    ]\n  }\n}\n', ['b', 'c', 0])).toBe(
      '{\n  "a": 1\n}\n',
    );
    expect(remove('{"a": {"b": 1}}\n', ['a', 'b'])).toBe('{}\n');
  });

  it('leaves remarks, and what they are in', () => {
    expect(remove('{\n  "a": {\n    // keep\n    "b": 1\n  }\n}', ['a', 'b'])).toBe(
      '{\n  "a": {\n    // keep\n  }\n}',
    );
  });

  it.each([
    ['{"a": 1, "b": 2, "c": 3}', ['a'], '{"b": 2, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', ['b'], '{"a": 1, "c": 3}'],
    ['{"a": 1, "b": 2, "c": 3}', ['c'], '{"a": 1, "b": 2}'],
    ['{\n  "a": 1,\n  "b": 2, // two\n  "c": 3\n}', ['b'], '{\n  "a": 1, // two\n  "c": 3\n}'],
    ['{\n  "a": 1, // one\n  "b": 2\n}', ['b'], '{\n  "a": 1 // one\n}'],
    ['{\n  "a": 1,\n  "b": 2,\n}', ['b'], '{\n  "a": 1,\n}'],
    ['{"a": 1}', ['x', 'y'], '{"a": 1}'],
  ] as [string, JsonPath, string][])('leaves the others as they are: %j without %j', (text, path, after) => {
    expect(remove(text, path)).toBe(after);
  });
});

describe('a value that is replaced', () => {
  it('is all that changes', () => {
    const text = '{ "a": { "b": "x" /* y */ }, // z\n}';
    expect(replaced(read(text), ['a', 'b'], 'w')).toBe('{ "a": { "b": "w" /* y */ }, // z\n}');
    expect(replaced(read(text), ['a', 'c'], 'w')).toBe(text);
    expect(replaced(read('{\n  "a": [\n    1\n  ]\n}'), ['a'], [2])).toBe('{\n  "a": [\n    2\n  ]\n}');
  });
});

describe('settings that cannot be understood', () => {
  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'comma-expected', 3, 3],
    ['{"a": }', 'value-expected', 1, 7],
    ['{"a": 1', 'close-brace-expected', 1, 8],
    ['{"a": "x\n"}', 'unexpected-end-of-string', 1, 7],
    ['{"a": 1} 2', 'end-of-file-expected', 1, 10],
    ['\uFEFF{}', 'invalid-symbol', 1, 1],
  ])('are told with their place: %j', (text, problem, line, column) => {
    expect(parseSettings('s.json', text)).toEqual({
      ok: false,
      failure: { reason: 'settings-unreadable', problem, place: { path: 's.json', line, column } },
    });
  });

  it('may be too deep, or no object', () => {
    expect(parseSettings('s.json', '['.repeat(100_000))).toMatchObject({ failure: { problem: 'too-deep' } });
    expect(parseSettings('s.json', '[]')).toMatchObject({
      failure: { reason: 'settings-unexpected', key: '', expected: 'object' },
    });
  });
});

describe('the laws of editing', () => {
  const paths = fc.array(fc.constantFrom('hooks', 'Stop', 'new', 'mcpServers'), {
    minLength: 1,
    maxLength: 3,
  });

  it('an entry says what was meant, and everything else what it said before', () => {
    fc.assert(
      fc.property(jsoncTexts({ canBeEmpty: true }), paths, (text, path) => {
        const result = inserted(read(text), [...path, 'pawl-entry'], { x: [1] });
        if (!result.ok) return;
        const meant = structuredClone(parse(text)) as Loose;
        let inner = meant;
        for (const key of path) {
          inner[key] ??= {};
          inner = inner[key];
        }
        inner['pawl-entry'] = { x: [1] } as unknown as Loose;
        expect(parse(result.value)).toEqual(meant);
      }),
    );
  });

  it('an entry that is put in and taken out again has left no trace', () => {
    fc.assert(
      fc.property(
        jsoncTexts({ canBeEmpty: false }),
        paths,
        fc.boolean(),
        fc.constantFrom<JsonValue>(1, { x: { y: [] } }, ['z', {}]),
        (text, path, isItem, value) => {
          const settings = read(text);
          const list = valueAt(settings, path);
          const at = isItem ? (Array.isArray(list) ? list.length : 0) : 'pawl-entry';
          const result = inserted(settings, [...path, at], value);
          if (!result.ok) return;
          expect(remove(result.value, [...path, at])).toBe(text);
        },
      ),
      { numRuns: 1000 },
    );
  });

  interface Loose {
    [key: string]: Loose;
  }
});
