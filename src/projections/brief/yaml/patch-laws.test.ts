import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { patchSection, readSection } from './section.ts';
import { hasWanted, merge } from './wanted.ts';

describe('patchSection on any file', () => {
  it('writes what is wanted, keeps the rest to the byte, and does it once', () => {
    fc.assert(
      fc.property(choices, (numbers) => {
        const file = makeFile(numbers);
        const { text, wanted } = file;
        expect(readSection(text, 'r')).toEqual({ ok: true, value: file.present });

        const patched = patchSection(text, 'r', wanted);
        if (!patched.ok && file.mayRefuse) return;
        if (!patched.ok) throw new Error(JSON.stringify([patched.failure, text, wanted]));
        const result = patched.value;

        expect(result.startsWith(file.before)).toBe(true);
        expect(result.slice(file.before.length).endsWith(file.after)).toBe(true);
        expect(patchSection(result, 'r', wanted)).toEqual(patched);
        const data = parse(result, { logLevel: 'silent' }) as JsonObject;
        expect(hasWanted(data.r, wanted)).toBe(true);
        if (file.isReferredTo) return;
        expect({ ...data, r: null }).toEqual({ ...file.data, r: null });
        expect(data.r).toEqual(merge(file.present, wanted));
        for (const { key, lines } of file.members) {
          const inner = wanted[key];
          if (inner === undefined || hasWanted(file.present?.[key], inner)) expect(result).toContain(lines);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('changes one scalar and not a byte besides', () => {
    fc.assert(
      fc.property(choices, fc.nat(), (numbers, which) => {
        const { text, present, isReferredTo, refers } = makeFile(numbers);
        const paths = present === undefined ? [] : scalarPaths(present);
        const path = paths[which % paths.length];
        if (present === undefined || path === undefined || isReferredTo || refers) return;
        const wanted = wantedAt(present, path, 424242) as JsonObject;
        const patched = patchSection(text, 'r', wanted);
        if (!patched.ok) throw new Error(JSON.stringify(patched.failure));
        // Every comment is there, each on its line.
        expect(patched.value.match(/# c\d+.*/g)).toEqual(text.match(/# c\d+.*/g));
        const [head, tail] = patched.value.split('424242');
        if (head === undefined || tail === undefined) throw new Error('changed once');
        const both = JSON.stringify([text, patched.value]);
        expect(text.startsWith(head.replace(/:?\s*$/, '')), both).toBe(true);
        // The comment of a block scalar stands before its lines.
        const isBlockScalar = /^[|>]/.test(text.slice(head.length));
        const rest = isBlockScalar ? tail.slice(tail.indexOf('\n')) : tail.trimStart();
        expect(text.endsWith(rest), both).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('never throws, and never returns what does not read as wanted, whatever the text is', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'r',
        ':',
        ': ',
        '- ',
        '? ',
        '\n',
        '\n  ',
        '\n    ',
        '{',
        '}',
        '[',
        ']',
        ',',
        '#',
        ' # c',
        '&x ',
      ],
      ...[
        '*x',
        '|',
        '>-',
        '!t ',
        '"',
        "'",
        '---',
        '\n...\n',
        '\t',
        '\r\n',
        '1',
        '<<',
        'r:\n  a: ',
        '\ufeff',
        '%',
      ],
    );
    const wanted = fc.dictionary(fc.constantFrom('a', 'r', 'b'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), wanted, (pieces, anything) => {
        const value = JSON.parse(JSON.stringify(anything)) as JsonObject;
        const text = pieces.join('');
        const patched = patchSection(text, 'r', value);
        if (!patched.ok) return;
        const read = readSection(patched.value, 'r');
        expect(read.ok && hasWanted(read.value, value)).toBe(true);
        expect(patchSection(patched.value, 'r', value)).toEqual(patched);
      }),
      { numRuns: 1500 },
    );
  });

  it('leaves a file alone that is cut anywhere, or brings it to what is wanted', () => {
    const whole = 'x: &x {a: [1, "b"]}\nr:\n  a: |\n    text\n  b: *x # c\n  "c": [1,\n    2]\nz: \'end\'\n';
    for (let length = 0; length <= whole.length; length++) {
      const text = whole.slice(0, length);
      const patched = patchSection(text, 'r', { a: 'new', d: [1] });
      if (!patched.ok) {
        expect(readSection(text, 'r')).toEqual(patched);
      } else {
        expect(patched.value.startsWith(text.slice(0, Math.min(length, whole.indexOf('r:'))))).toBe(true);
        expect(parse(patched.value)).toMatchObject({ r: { a: 'new', d: [1] } });
      }
    }
  });
});

/** What a made file holds, and what shall become of it. */
interface MadeFile {
  readonly text: string;
  readonly data: JsonObject;
  readonly present: JsonObject | undefined;
  readonly wanted: JsonObject;
  /** The text up to the section and from its end. */
  readonly before: string;
  readonly after: string;
  /** The lines of each member of a section in block style. */
  readonly members: readonly { readonly key: string; readonly lines: string }[];
  /** Whether something stands for a part of the section. */
  readonly isReferredTo: boolean;
  /** Whether a part of the section stands for something. */
  readonly refers: boolean;
  /** Who refers to a part of the section may stand in the way of its replacement; what has a tag cannot be copied. */
  readonly mayRefuse: boolean;
}

/** Each number decides one question of the maker; where they end, the answer is the simplest. */
const choices = fc.array(fc.nat({ max: 9999 }), { maxLength: 500, size: 'max' });

interface Maker {
  readonly pick: (count: number) => number;
  readonly newline: string;
  readonly anchors: { readonly name: string; readonly value: JsonValue; readonly isInSection: boolean }[];
  names: number;
  comments: number;
  isInSection: boolean;
  isReferredTo: boolean;
  refers: boolean;
  hasTags: boolean;
}

/** A text, and what it says. */
interface Made {
  readonly text: string;
  readonly value: JsonValue;
}

function makeFile(numbers: readonly number[]): MadeFile {
  let at = 0;
  const pick = (count: number) => (numbers[at++] ?? 0) % count;
  const maker: Maker = {
    pick,
    newline: pick(4) === 1 ? '\r\n' : '\n',
    anchors: [],
    names: 0,
    comments: 0,
    isInSection: false,
    isReferredTo: false,
    refers: false,
    hasTags: false,
  };
  const made = pick(8) === 1 ? makeFlowFile(maker) : makeBlockFile(maker);
  const { isReferredTo, refers, hasTags } = maker;
  return { ...made, isReferredTo, refers, mayRefuse: isReferredTo || (refers && hasTags) };
}

type MadeText = Omit<MadeFile, 'isReferredTo' | 'refers' | 'mayRefuse'>;

function makeBlockFile(maker: Maker): MadeText {
  const { pick, newline } = maker;
  const indent = pick(6) === 1 ? 2 : 0;
  let before = indent === 0 && pick(6) === 1 ? '\ufeff' : '';
  if (pick(5) === 1) before += `${pick(2) === 1 ? `%YAML 1.2${newline}` : ''}---${comment(maker)}${newline}`;
  const data: Record<string, JsonValue> = {};
  const addOthers = (prefix: string): string => {
    let text = '';
    for (let count = pick(4); count > 0; count--) {
      const made = makeMember(maker, indent, 0, `${prefix}${count}`);
      data[`${prefix}${count}`] = made.value;
      text += made.text;
    }
    return text;
  };
  before += addOthers('p');
  const section = makeSection(maker, indent);
  if (section.value !== undefined) data.r = section.value;
  let after = addOthers('q') + (pick(4) === 1 ? `# end${newline}` : '');
  if (pick(5) === 1) after += `...${newline}`;
  else if (pick(4) === 1 && after !== '') after = after.slice(0, -newline.length);

  const present = isJsonObject(section.value) ? section.value : undefined;
  const wanted = makeWanted(maker, present ?? {});
  const common = { data, present, wanted, members: section.members };
  const text = before + section.text + after;
  if (section.value !== undefined) return { ...common, text, before, after };
  const end = after.endsWith(`...${newline}`) ? text.length - 3 - newline.length : text.length;
  return { ...common, text, before: text.slice(0, end), after: text.slice(end) };
}

function makeFlowFile(maker: Maker): MadeText {
  const { pick } = maker;
  const first = makeFlow(maker, 1);
  maker.isInSection = true;
  const section = pick(2) === 1 ? makeFlowMap(maker, 1) : undefined;
  maker.isInSection = false;
  const last = makeFlow(maker, 1);
  const quote = ['', '"', "'"][pick(3)];
  const before = `${quote}p${quote}: ${first.text}`;
  const after = `, q: ${last.text}`;
  const own = section === undefined ? '' : `, r: ${section.text}`;
  const present = section?.value as JsonObject | undefined;
  const data: Record<string, JsonValue> = { p: first.value, q: last.value };
  if (present !== undefined) data.r = present;
  const wanted = makeWanted(maker, present ?? {});
  return {
    ...{ data, present, wanted, members: [] },
    text: `{${before}${own}${after} }${maker.newline}`,
    before: `{${before}${section === undefined ? after : ', r: {'}`,
    after: `${section === undefined ? '' : after} }${maker.newline}`,
  };
}

interface MadeSection {
  readonly text: string;
  /** Undefined where there is none. */
  readonly value: JsonValue | undefined;
  readonly members: { key: string; lines: string }[];
}

function makeSection(maker: Maker, indent: number): MadeSection {
  const { pick, newline } = maker;
  const pad = ' '.repeat(indent);
  const key = ['r', '"r"', "'r'", 'r '][pick(4)];
  const members: MadeSection['members'] = [];
  maker.isInSection = true;
  const made = ((): { text: string; value: JsonValue | undefined } => {
    switch (pick(8)) {
      case 1:
        return { text: '', value: undefined };
      case 2:
        return { text: `${pad}${key}:${comment(maker)}${newline}`, value: null };
      case 3: {
        const flow = makeFlowMap(maker, indent + 1);
        return { text: `${pad}${key}: ${flow.text}${comment(maker)}${newline}`, value: flow.value };
      }
      default: {
        const props = makeProps(maker, true);
        const head = `${pad}${key}:${props.text}${comment(maker)}${newline}`;
        const map = makeBlockMap(maker, indent + 1 + pick(4), 1, members);
        props.define(map.value);
        return { text: head + map.text, value: map.value };
      }
    }
  })();
  maker.isInSection = false;
  return { ...made, members };
}

/** Lines, each with its line break; the first is indented. */
function makeBlockMap(
  maker: Maker,
  indent: number,
  depth: number,
  members: MadeSection['members'] = [],
): Made {
  const object: Record<string, JsonValue> = {};
  let text = '';
  const first = maker.pick(keys.length);
  for (let count = 1 + maker.pick(4); count > 0; count--) {
    const key = keys[(first + count) % keys.length] ?? '';
    const made = makeMember(maker, indent, depth, key);
    members.push({ key, lines: made.text });
    object[key] = made.value;
    text += made.text;
  }
  return { text, value: object };
}

const keys = ['a', 'b', 'c', 'two words', '1', 'on', 'key'];

function makeMember(maker: Maker, indent: number, depth: number, key: string): Made {
  const { pick, newline } = maker;
  const pad = ' '.repeat(indent);
  let text = '';
  if (pick(8) === 1) text += newline;
  if (pick(6) === 1) text += `${' '.repeat(pick(indent + 1))}${comment(maker, true)}${newline}`;
  const name = [JSON.stringify(key), `'${key}'`, key, key][pick(4)];
  text += pick(12) === 1 ? `${pad}? ${name}${newline}${pad}:` : `${pad}${name}${pick(8) === 1 ? ' ' : ''}:`;
  const value = makeValue(maker, indent, depth, 'map');
  return { text: text + value.text, value: value.value };
}

/** What comes behind a colon in block style, with the line break at its end. */
function makeValue(maker: Maker, indent: number, depth: number, holder: 'map' | 'list'): Made {
  const { pick, newline } = maker;
  const kind = pick(depth > 3 ? 6 : 12);
  if (kind === 5) {
    const alias = makeAlias(maker);
    if (alias !== undefined) return { text: ` ${alias.text}${comment(maker)}${newline}`, value: alias.value };
  }
  const props = makeProps(maker, kind > 5 && kind < 11);
  if (kind === 4) {
    props.define(null);
    return { text: `${props.text}${comment(maker)}${newline}`, value: null };
  }
  const made = ((): Made => {
    const head = `${comment(maker)}${newline}`;
    switch (kind) {
      case 6:
      case 7: {
        const map = makeBlockMap(maker, indent + 1 + pick(4), depth + 1);
        return { text: head + map.text, value: map.value };
      }
      case 8:
      case 9: {
        const list = makeBlockList(maker, indent + pick(3) + (holder === 'list' ? 1 : 0), depth + 1);
        return { text: head + list.text, value: list.value };
      }
      case 10: {
        const flow = makeFlow(maker, indent + 1, true);
        return { text: ` ${flow.text}${comment(maker)}${newline}`, value: flow.value };
      }
      default:
        return makeBlockScalar(maker, indent);
    }
  })();
  props.define(made.value);
  return { text: props.text + made.text, value: made.value };
}

function makeBlockList(maker: Maker, indent: number, depth: number): Made {
  const { pick } = maker;
  const list: JsonValue[] = [];
  let text = '';
  for (let count = 1 + pick(3); count > 0; count--) {
    if (pick(8) === 1) text += `${' '.repeat(pick(indent + 1))}${comment(maker, true)}${maker.newline}`;
    text += `${' '.repeat(indent)}-`;
    // A map may begin on the line of the dash.
    const made =
      pick(3) === 1 ? makeCompactMap(maker, indent, depth) : makeValue(maker, indent, depth, 'list');
    text += made.text;
    list.push(made.value);
  }
  return { text, value: list };
}

function makeCompactMap(maker: Maker, indent: number, depth: number): Made {
  const space = ' '.repeat(1 + maker.pick(3));
  const map = makeBlockMap(maker, indent + 1 + space.length, depth + 1);
  // Only where nothing stands above its first key.
  if (!/^ *["'\w]/.test(map.text)) return { text: maker.newline + map.text, value: map.value };
  return { text: space + map.text.trimStart(), value: map.value };
}

function makeBlockScalar(maker: Maker, indent: number): Made {
  const { pick, newline } = maker;
  const value = makeScalarValue(maker);
  const pad = ' '.repeat(indent + 1 + pick(3));
  if (typeof value === 'string' && /^\w[^\n]*(?:\n\w[^\n]*)*\n?$/.test(value) && pick(2) === 1) {
    const [header, body] = value.endsWith('\n') ? ['|', value.slice(0, -1)] : ['|-', value];
    const lines = body.split('\n').map((line) => pad + line + newline);
    return { text: ` ${header}${comment(maker)}${newline}${lines.join('')}`, value };
  }
  if (typeof value === 'string' && /^[a-z]+(?: [a-z]+)+$/.test(value) && pick(2) === 1) {
    const lines = value.split(' ').join(newline + pad);
    return { text: ` ${lines}${comment(maker)}${newline}`, value };
  }
  const lead = pick(8) === 1 ? newline + pad : ' ';
  return { text: `${lead}${writeScalar(maker, value)}${comment(maker)}${newline}`, value };
}

function makeFlow(maker: Maker, indent: number, isCollection = false): Made {
  const kind = maker.pick(isCollection ? 2 : 5);
  if (kind === 0 && isCollection) return makeFlowMap(maker, indent);
  if (kind === 1) return makeFlowList(maker, indent);
  if (kind === 2) return makeFlowMap(maker, indent);
  if (kind === 3) {
    const alias = makeAlias(maker);
    // Behind a space: a comma or a colon would belong to its name.
    if (alias !== undefined) return { text: `${alias.text} `, value: alias.value };
  }
  const value = makeScalarValue(maker);
  return { text: writeScalar(maker, value), value };
}

function makeFlowMap(maker: Maker, indent: number): Made {
  const { pick } = maker;
  const object: Record<string, JsonValue> = {};
  const first = pick(keys.length);
  const items: string[] = [];
  for (let count = pick(4); count > 0; count--) {
    const key = keys[(first + count) % keys.length] ?? '';
    const [name, colon] = [
      [JSON.stringify(key), ':'],
      [`'${key}'`, ' :  '],
      [key, ': '],
    ][pick(3)] ?? [key, ': '];
    if (pick(10) === 1) {
      items.push(pick(2) === 1 ? key : `${key}: `);
      object[key] = null;
    } else {
      const made = makeFlow(maker, indent);
      items.push(`${name}${colon}${made.text}`);
      object[key] = made.value;
    }
  }
  return { text: joinFlow(maker, '{', items, '}', indent), value: object };
}

function makeFlowList(maker: Maker, indent: number): Made {
  const made = Array.from({ length: maker.pick(4) }, () => makeFlow(maker, indent));
  const items = made.map(({ text }) => text);
  return { text: joinFlow(maker, '[', items, ']', indent), value: made.map(({ value }) => value) };
}

function joinFlow(
  maker: Maker,
  open: string,
  items: readonly string[],
  close: string,
  indent: number,
): string {
  const { pick, newline } = maker;
  const tail = pick(4) === 1 && items.length > 0 ? ',' : '';
  if (pick(3) !== 1) return `${open}${items.join(pick(2) === 1 ? ' , ' : ', ')}${tail}${close}`;
  const pad = newline + ' '.repeat(indent + pick(3));
  const lines = items.map((item, at) => {
    return `${pad}${item}${at < items.length - 1 ? ',' : tail}${comment(maker)}`;
  });
  return `${open}${comment(maker)}${lines.join('')}${pad}${close}`;
}

function makeAlias(maker: Maker): Made | undefined {
  const anchor = maker.anchors[maker.pick(maker.anchors.length || 1)];
  if (anchor === undefined) return undefined;
  maker.isReferredTo ||= anchor.isInSection;
  maker.refers ||= maker.isInSection;
  return { text: `*${anchor.name}`, value: anchor.value };
}

function makeProps(maker: Maker, mayTag: boolean): { text: string; define(value: JsonValue): void } {
  const { pick } = maker;
  const name = pick(6) === 1 ? `x${++maker.names}` : undefined;
  const tag = mayTag && pick(10) === 1 ? ' !t' : '';
  const anchor = name === undefined ? '' : ` &${name}`;
  maker.hasTags ||= tag !== '';
  const { isInSection } = maker;
  return {
    text: pick(2) === 1 ? tag + anchor : anchor + tag,
    define: (value) => {
      if (name !== undefined) maker.anchors.push({ name, value, isInSection });
    },
  };
}

function comment(maker: Maker, isSure = false): string {
  if (!isSure && maker.pick(5) !== 1) return maker.pick(8) === 1 ? '  ' : '';
  return `${isSure ? '' : [' ', '\t', '   '][maker.pick(3)]}# c${++maker.comments}${['', ': x', ' }]"', " '#"][maker.pick(4)]}`;
}

const scalars: readonly JsonValue[] = [
  ...[
    'old',
    'two words',
    'three plain words',
    'CP-1',
    '',
    'a: b',
    ' # x',
    "it's",
    '"',
    '\\',
    'yes',
    '1',
    '~',
  ],
  ...[
    'line\n',
    'line one\nline: two # no comment\n',
    'line one\nline two',
    '\n',
    ' x ',
    '- x',
    '{',
    'ä€😀',
    '*x',
  ],
  ...[null, true, false, 0, 1, -2.5, 1e21, '2026-02-20T10:00:00Z', '\u2028', '\t', 'null', '0x10', '\u0000'],
];

function makeScalarValue({ pick }: Maker): JsonValue {
  return scalars[pick(scalars.length)] ?? null;
}

function writeScalar({ pick }: Maker, value: JsonValue): string {
  if (value === null) return ['null', '~', 'Null'][pick(3)] ?? '';
  if (typeof value !== 'string') return String(value);
  if (
    /^(?:[a-zA-Z][\w-]*(?: [a-zA-Z]\w*)*|2026[-0-9T:Z]+)$/.test(value) &&
    value !== 'null' &&
    pick(3) === 1
  ) {
    return value;
  }
  if (/^[ -~]*$/.test(value) && pick(2) === 1) return `'${value.replaceAll("'", "''")}'`;
  return JSON.stringify(value);
}

function makeWanted(maker: Maker, present: JsonObject): JsonObject {
  const { pick } = maker;
  const wanted: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(present)) {
    const decision = pick(4);
    if (decision !== 1) wanted[key] = decision === 0 ? value : change(maker, value);
  }
  for (let count = pick(3); count > 0; count--) wanted[`new${pick(5)}`] = makeJson(maker, 0);
  return wanted;
}

function change(maker: Maker, value: JsonValue): JsonValue {
  const { pick } = maker;
  if (isJsonObject(value) && pick(6) !== 1) return makeWanted(maker, value);
  if (Array.isArray(value)) {
    switch (pick(6)) {
      case 0:
        return [...value, makeJson(maker, 1)];
      case 4:
        return [makeJson(maker, 1), ...value];
      case 5:
        return value.toReversed();
      case 1:
        return value.map((item) => (pick(2) === 1 ? change(maker, item) : item));
      case 2:
        return value.slice(1);
    }
  }
  return makeJson(maker, 0);
}

function makeJson(maker: Maker, depth: number): JsonValue {
  const { pick } = maker;
  const kind = pick(depth > 2 ? 3 : 6);
  if (kind === 3) return Array.from({ length: pick(4) }, () => makeJson(maker, depth + 1));
  if (kind < 4) return makeScalarValue(maker);
  return Object.fromEntries(
    Array.from({ length: pick(4) }, () => [keys[pick(keys.length)], makeJson(maker, depth + 1)]),
  );
}

type Path = readonly (string | number)[];

/** Of the scalars that are reached through maps only, and so can be changed by themselves. */
function scalarPaths(value: JsonValue, path: Path = []): Path[] {
  if (Array.isArray(value)) return [];
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) => scalarPaths(member, [...path, key]));
}

function wantedAt(value: JsonValue, [key, ...rest]: Path, wanted: JsonValue): JsonValue {
  if (key === undefined) return wanted;
  return { [key]: wantedAt((value as JsonObject)[key] ?? null, rest, wanted) };
}
