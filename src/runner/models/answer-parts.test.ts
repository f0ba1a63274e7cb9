import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { AnswerPart, OutputSpec } from '../../model/definition.ts';
import { partsOf, schemaOf } from './answer-parts.ts';

const text: AnswerPart = { kind: 'text' };
const json = (key?: string): AnswerPart => ({ kind: 'json', key });

function output(name: string, from: AnswerPart | undefined, more: Partial<OutputSpec> = {}): OutputSpec {
  return {
    name,
    path: name,
    check: undefined,
    optional: false,
    onEdit: 'refuse',
    ...(from && { from }),
    ...more,
  };
}

/** The outputs as texts, or why there are none. */
function made(answer: string, ...outputs: OutputSpec[]): Record<string, string> | string {
  const parts = partsOf(answer, outputs);
  if (!parts.ok) return parts.failure.reason;
  return Object.fromEntries(
    Object.entries(parts.value).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}

const prose = output('prose', text);
const patch = output('patch', json());
const both = [prose, patch];
const block = (body: string) => `\`\`\`json\n${body}\n\`\`\``;

describe('a text', () => {
  it('is the answer without blanks around it, and ends with a line', () => {
    expect(made('  Hello.\n\nWorld \n', prose)).toEqual({ prose: 'Hello.\n\nWorld\n' });
    expect(made('Hello', output('prose', undefined))).toEqual({ prose: 'Hello\n' });
  });

  it('keeps blocks of JSON where nobody asks for them', () => {
    const answer = `So:\n${block('{}')}`;
    expect(made(answer, prose)).toEqual({ prose: `${answer}\n` });
  });

  it('may be taken by more than one output', () => {
    expect(made('Hi', prose, output('copy', text))).toEqual({ prose: 'Hi\n', copy: 'Hi\n' });
  });

  it('that is empty is none', () => {
    expect(made('', prose)).toBe('answer-empty');
    expect(made(' \n\t', prose)).toBe('answer-empty');
    expect(made('  ', output('prose', text, { optional: true }))).toBe('answer-empty');
  });
});

describe('JSON alone', () => {
  it.each([
    ['{"a":1}', '{\n  "a": 1\n}\n'],
    [' \n{"a":1}\n ', '{\n  "a": 1\n}\n'],
    [block('{"a":1}'), '{\n  "a": 1\n}\n'],
    ['```\n[1]\n```', '[\n  1\n]\n'],
    ['```json  \r\n[1]\r\n```', '[\n  1\n]\n'],
    ['null', 'null\n'],
    ['"é 🦊"', '"é 🦊"\n'],
    ['{"a":"```"}', '{\n  "a": "```"\n}\n'],
  ])('%j', (answer, expected) => {
    expect(made(answer, patch)).toEqual({ patch: expected });
  });

  it.each(['no', 'Here you are:\n{"a":1}', '{"a":1', `${block('{"a":1}')}\nDone.`, '{}{}'])(
    '%j is none',
    (answer) => {
      expect(made(answer, patch)).toBe('answer-unparsable');
    },
  );

  it('gives members by their keys, and only its own', () => {
    const outputs = [output('a', json('a')), output('b', json('b'), { optional: true })];
    expect(made('{"a":1,"b":[]}', ...outputs)).toEqual({ a: '1\n', b: '[]\n' });
    expect(made('{"a":null}', ...outputs)).toEqual({ a: 'null\n' });
    expect(made('{"b":1}', ...outputs)).toBe('answer-unparsable');
    expect(made('[1]', ...outputs)).toBe('answer-unparsable');
    expect(made('{"a":1}', output('x', json('toString')))).toBe('answer-unparsable');
    expect(made('{"a":1}', output('all', json()), output('a', json('a')))).toEqual({
      all: '{\n  "a": 1\n}\n',
      a: '1\n',
    });
  });

  it('says which output it lacks, and why', () => {
    expect(partsOf('{"b":1}', [output('a', json('a'))])).toEqual({
      ok: false,
      failure: { reason: 'answer-unparsable', message: 'no key a', facts: { output: 'a' } },
    });
    expect(partsOf('{', [patch])).toMatchObject({
      failure: { reason: 'answer-unparsable', message: expect.stringMatching(/JSON/) },
    });
  });
});

describe('a text with JSON', () => {
  it.each([
    ['behind it', `Prose.\n\n${block('{"a":1}')}`, 'Prose.\n'],
    ['before it', `${block('{"a":1}')}\n\nProse.`, 'Prose.\n'],
    ['in the middle', `One.\n${block('{"a":1}')}\nTwo.`, 'One.\n\nTwo.\n'],
    ['with other ends of lines', `Prose.\r\n\`\`\`json\r\n{"a":1}\r\n\`\`\`\r\n`, 'Prose.\n'],
    ['that is not closed', 'Prose.\n```json\n{"a":1}', 'Prose.\n'],
    [
      'after other blocks',
      `Prose.\n\`\`\`js\nlet a;\n\`\`\`\n${block('{"a":1}')}`,
      'Prose.\n```js\nlet a;\n```\n',
    ],
    [
      'as the last of several',
      `${block('{"b":2}')}\nProse.\n${block('{"a":1}')}`,
      `${block('{"b":2}')}\nProse.\n`,
    ],
  ])('%s', (_, answer, expected) => {
    expect(made(answer, ...both)).toEqual({ prose: expected, patch: '{\n  "a": 1\n}\n' });
  });

  it('without JSON is none, and says so', () => {
    for (const answer of ['Prose.', 'Prose.\nMore.', 'Title\n{}', '5', 'Prose.\n```js\n1\n```'])
      expect(partsOf(answer, both)).toEqual({
        ok: false,
        failure: { reason: 'answer-unparsable', message: 'no ```json block', facts: { output: 'patch' } },
      });
  });

  it('without JSON is all text where that may lack', () => {
    const optional = output('patch', json(), { optional: true });
    expect(made('Prose.', prose, optional)).toEqual({ prose: 'Prose.\n' });
    expect(made('Prose.\n\nMore.', prose, optional)).toEqual({ prose: 'Prose.\n\nMore.\n' });
  });

  it('without text is none, unless that may lack', () => {
    expect(made(block('{}'), ...both)).toBe('answer-empty');
    expect(made(block('{"a":1}'), output('prose', text, { optional: true }), patch)).toEqual({
      patch: '{\n  "a": 1\n}\n',
    });
  });

  it('with JSON that is none is not taken', () => {
    expect(made(`Prose.\n${block('{"a":}')}`, ...both)).toBe('answer-unparsable');
    expect(made(`Prose.\n${block('')}`, ...both)).toBe('answer-unparsable');
  });

  it('takes no other kind of block for JSON', () => {
    expect(made('Prose.\n```jsonl\n{"a":1}\n```', ...both)).toBe('answer-unparsable');
  });
});

describe('the schema that is asked for', () => {
  const schema = (more: JsonObject = {}): JsonObject => ({ type: 'object', ...more });
  const checked = (name: string, from: AnswerPart, more: Partial<OutputSpec> = {}): OutputSpec =>
    output(name, from, {
      check: { kind: 'json-schema', path: 's.json', schema: schema({ title: name }) },
      ...more,
    });

  it('is that of the one output', () => {
    expect(schemaOf([checked('a', json())])).toEqual(schema({ title: 'a' }));
  });

  it('is of an object with a member for each', () => {
    const outputs = [
      checked('a', json('x')),
      output('b', json('y')),
      checked('c', json('z'), { optional: true }),
    ];
    expect(schemaOf(outputs)).toEqual({
      type: 'object',
      properties: { x: schema({ title: 'a' }), y: {}, z: schema({ title: 'c' }) },
      required: ['x', 'y'],
      additionalProperties: false,
    });
  });

  it('is none where text is wanted as well, where nothing is said, and where both all and a part are', () => {
    expect(schemaOf([checked('a', json()), prose])).toBeUndefined();
    expect(schemaOf([output('a', json()), output('b', json('b'))])).toBeUndefined();
    expect(schemaOf([output('a', json(), { check: { kind: 'json' } })])).toBeUndefined();
    expect(schemaOf([checked('a', json()), checked('b', json('b'))])).toBeUndefined();
    expect(
      schemaOf([output('a', json(), { check: { kind: 'json-schema', path: 's', schema: true } })]),
    ).toBeUndefined();
    expect(schemaOf([])).toBeUndefined();
  });
});
