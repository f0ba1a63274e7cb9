import fc from 'fast-check';

/** A JSON value, its style, and remarks, all drawn by chance: what people's settings may look like. For tests. */
export function jsoncTexts(options: { readonly canBeEmpty: boolean }): fc.Arbitrary<string> {
  return fc
    .record({
      value: members(options.canBeEmpty),
      seed: fc.array(fc.nat(1000), { minLength: 30, maxLength: 60 }),
      eol: fc.constantFrom('\n', '\r\n'),
      unit: fc.constantFrom('  ', '    ', '\t'),
      layout: fc.constantFrom('lines', 'one line', 'mixed'),
      remarks: fc.boolean(),
      extraCommas: fc.boolean(),
    })
    .map((draw) => new Writer(draw).document(draw.value));
}

const keys = fc.constantFrom(
  'hooks',
  'mcpServers',
  'model',
  'Stop',
  'SessionStart',
  'env',
  'a b',
  'ä"\\',
  'statusLine',
);

function members(canBeEmpty: boolean): fc.Arbitrary<Drawn> {
  const minLength = canBeEmpty ? 0 : 1;
  const { object } = fc.letrec<{ value: Drawn; object: Drawn; array: Drawn }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<Drawn>(1, 'text', true, null, '// no remark', 'a,b', '{'),
      tie('array'),
      tie('object'),
    ),
    array: fc.array(tie('value'), { minLength, maxLength: 3 }),
    object: fc
      .uniqueArray(fc.tuple(keys, tie('value')), { minLength, maxLength: 4, selector: ([key]) => key })
      .map((entries): Drawn => new Map(entries)),
  }));
  return object;
}

type Drawn = null | boolean | number | string | readonly Drawn[] | ReadonlyMap<string, Drawn>;

interface Draw {
  readonly seed: readonly number[];
  readonly eol: string;
  readonly unit: string;
  readonly layout: string;
  readonly remarks: boolean;
  readonly extraCommas: boolean;
}

/** Has a lifetime: it uses up the drawn numbers one by one. */
class Writer {
  readonly #draw: Draw;
  #at = 0;

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  document(value: Drawn): string {
    const { eol, remarks } = this.#draw;
    const head = remarks && this.#next() % 2 === 0 ? `// settings${eol}` : '';
    return `${head}${this.#value(value, '')}${this.#next() % 2 === 0 ? eol : ''}`;
  }

  #value(value: Drawn, indent: string): string {
    if (value instanceof Map)
      return this.#list(
        [...value].map(
          ([key, member]) =>
            (inner) =>
              `${JSON.stringify(key)}: ${this.#value(member, inner)}`,
        ),
        ['{', '}'],
        indent,
      );
    if (Array.isArray(value))
      return this.#list(
        value.map((item) => (inner: string) => this.#value(item as Drawn, inner)),
        ['[', ']'],
        indent,
      );
    return JSON.stringify(value);
  }

  #list(
    items: readonly ((inner: string) => string)[],
    [open, close]: readonly [string, string],
    indent: string,
  ): string {
    const { eol, unit, layout } = this.#draw;
    const isLines = layout === 'lines' || (layout === 'mixed' && this.#next() % 2 === 0);
    const inner = isLines ? `${indent}${unit}` : indent;
    if (items.length === 0)
      return `${open}${['', ' ', isLines ? `${eol}${indent}` : ''][this.#next() % 3]}${close}`;
    const written = items.map((item, at) => {
      const comma = at < items.length - 1 || (this.#draw.extraCommas && this.#next() % 2 === 0) ? ',' : '';
      return isLines
        ? `${eol}${this.#above(inner)}${inner}${item(inner)}${comma}${this.#behind()}`
        : `${at === 0 ? '' : ' '}${item(inner)}${comma}`;
    });
    return `${open}${written.join('')}${isLines ? `${eol}${indent}` : ''}${close}`;
  }

  #above(indent: string): string {
    return this.#draw.remarks && this.#next() % 4 === 0 ? `${indent}// about { it${this.#draw.eol}` : '';
  }

  #behind(): string {
    if (!this.#draw.remarks) return '';
    return ['', ' // mine, "quoted"', ' /* } */', '  '][this.#next() % 4] ?? '';
  }

  #next(): number {
    const { seed } = this.#draw;
    return seed[this.#at++ % seed.length] ?? 0;
  }
}
