import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf, fan, forest, graph, heading, orchard, stage, task } from '../../../test/fixtures/graph.ts';
import { parseXml, type XmlElement } from '../../../test/support/xml.ts';
import type { GraphAnswer, TaskState } from '../../engine/observe/task-answers.ts';
import { graphSvg, svgMark } from './svg.ts';
import { taskStateOrder } from './task-words.ts';

const hostile = `"]]><script>alert('x')</script><image href="http://x.test/y.png"/>&lt;&amp;\u202e\u0000\ufffe\ud800 x\n\`#quot;`;

function boxesIn(elements: readonly XmlElement[]) {
  return elements.flatMap((element, at) => {
    const place = /^translate\((-?[\d.]+) (-?[\d.]+)\)$/.exec(element.attributes.get('transform') ?? '');
    if (place === null || !/^(card|chip) /.test(element.attributes.get('class') ?? '')) return [];
    // Its title comes first, and then its border.
    const border = elements[at + 2];
    const number = (name: string) => Number(border?.attributes.get(name));
    return [
      { left: Number(place[1]), top: Number(place[2]), width: number('width'), height: number('height') },
    ];
  });
}

function expectSound(svg: string, tasks: number): void {
  const elements = parseXml(svg);
  const [root] = elements;
  const [, , width = 0, height = 0] = (root?.attributes.get('viewBox') ?? '').split(' ').map(Number);
  expect(root?.name).toBe('svg');
  expect([root?.attributes.get('width'), root?.attributes.get('height')]).toEqual([
    String(width),
    String(height),
  ]);
  const boxes = boxesIn(elements);
  expect(boxes).toHaveLength(tasks);
  const isOutside = ({ left, top, ...box }: (typeof boxes)[number]) =>
    !(left >= 0 && top >= 0 && left + box.width <= width && top + box.height <= height);
  expect(boxes.filter(isOutside)).toEqual([]);
  expect(elements.filter(({ name }) => !harmless.has(name))).toEqual([]);
  const reaching = elements.flatMap(({ attributes }) =>
    [...attributes].filter(
      ([name, value]) => /^on/i.test(name) || (name.endsWith('href') && !value.startsWith('#pawl-')),
    ),
  );
  expect(reaching).toEqual([]);
}

const harmless = new Set(
  'svg title desc style defs marker clipPath g use rect path circle text tspan'.split(' '),
);

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant(hostile));

const anyAnswer = fc
  .array(
    fc.record({
      unit: anyText,
      title: fc.option(anyText, { nil: undefined }),
      state: fc.constantFrom<TaskState>(...taskStateOrder),
      reason: fc.option(anyText, { nil: undefined }),
      actor: fc.option(anyText, { nil: undefined }),
      role: fc.option(anyText, { nil: undefined }),
      inDoubt: fc.boolean(),
      runnable: fc.boolean(),
      needs: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
    }),
    { maxLength: 20 },
  )
  .chain((found) =>
    fc
      .record({ pipeline: anyText, name: anyText, phase: anyText })
      .map(({ pipeline, name, phase }): GraphAnswer => {
        const tasks = found.map(({ unit, state, actor, needs, ...more }) =>
          task(unit, state, {
            ...more,
            claim: actor === undefined ? undefined : claimOf(unit, actor, !more.inDoubt),
            // Circles too: what other tools wrote is shown as well.
            needs: needs.flatMap((need) => found[need]?.unit ?? []),
          }),
        );
        const stages = [stage(name, tasks, { phases: [phase] }), stage(name, [])];
        return graph(stages, { heading: { ...heading, pipeline, identity: { [name]: phase } } });
      }),
  );

describe('the picture of a graph', () => {
  it('is sound for whatever tasks are called and wherever they stand', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        expectSound(graphSvg(answer), answer.tasks.total);
      }),
    );
  });

  it.each([
    ['nothing', graph([])],
    ['a dozen in every state', orchard()],
    ['a wide one', fan(500)],
    ['10,000', forest(10_000, 60)],
  ])('is sound for %s', (_, answer) => {
    expectSound(graphSvg(answer), answer.tasks.total);
  });

  it('begins with what tells it from other files', () => {
    expect(graphSvg(orchard()).startsWith(`${svgMark}\n<svg xmlns="http://www.w3.org/2000/svg"`)).toBe(true);
  });

  it('says each state in words, with a mark of its own', () => {
    const svg = graphSvg(orchard());
    for (const words of [
      'done',
      'implemented',
      'in progress',
      'claimed',
      'ready',
      'failed',
      'blocked',
      'pending',
    ])
      expect(svg).toMatch(new RegExp(`<text class="ink strong small"[^>]*>${words}</text>`));
    for (const state of taskStateOrder) expect(svg).toContain(`<use href="#pawl-${state}"`);
  });

  it('says who has a task, who had it, and why one is stuck', () => {
    const svg = graphSvg(orchard());
    expect(svg).toContain('>executor-1</text>');
    expect(svg).toContain('>in doubt, last with executor-2</text>');
    expect(svg).toContain('>nobody has the key of the mess');
    expect(svg).toContain('nobody has the key of the message service</title>');
  });

  it('has a title, the counts for those who cannot see it, and a legend', () => {
    const svg = graphSvg(orchard());
    expect(svg).toContain('role="img" aria-labelledby="pawl-title pawl-counts"');
    expect(svg).toContain('<title id="pawl-title">orchard: tasks of run 20261115-1203-orchard-x7k2</title>');
    expect(svg).toMatch(/<desc id="pawl-counts">13 tasks: .*3 done.*1 in doubt<\/desc>/);
    expect(svg).toMatch(/<text [^>]*>4 can be started now<\/text>/);
    expect(svg).toContain('3 of 13 done');
  });

  it('names the stages, and those whose tasks nobody knows yet', () => {
    const svg = graphSvg(orchard());
    expect(svg).toContain('constitution → prd → plan → graph');
    expect(svg).toContain('2 of 12 done');
    expect(svg).toContain('class="band open"');
    expect(svg).toContain('its tasks are not listed yet');
    expect(graphSvg(graph([stage('empty', [])]))).toContain('>no tasks</text>');
  });

  it('is light and dark', () => {
    expect(graphSvg(orchard())).toContain('@media (prefers-color-scheme: dark)');
  });

  it('has small boxes above 400 tasks, with what else there is to say for whoever points at them', () => {
    expect(graphSvg(forest(400, 8))).toContain('class="cards"');
    const svg = graphSvg(forest(401, 8));
    expect(svg).toContain('class="chips"');
    expect(svg).not.toContain('>Task number 7 of the plan</text>');
    expect(svg).toContain('<title>T0007 Task number 7 of the plan\ndone\n');
  });

  it('leaves out what nobody looks for when there are too many, and says so', () => {
    const { stages } = forest(10_050, 1);
    const last = task('the-last', 'failed');
    const answer = graph([stage('tasks', [...(stages[0]?.tasks ?? []), last])]);
    const svg = graphSvg(answer);
    expectSound(svg, 10_000);
    expect(svg).toContain('<title>the-last\nfailed</title>');
    expect(svg).toContain('51 more tasks not drawn');
  });

  it('warns of damage', () => {
    const damage = {
      code: 'garbage-line',
      weight: 'loud',
      file: 'a.jsonl',
      line: 3,
    } as const;
    expect(graphSvg({ ...orchard(), findings: [damage] })).toContain('the journal is damaged: 1 finding');
  });
});

describe('the check of XML in this test', () => {
  it.each([
    '<a><b></a></b>',
    '<a>',
    '<a/><b/>',
    '<a x="1" x="2"/>',
    '<a x="<"/>',
    '<a>&nbsp;</a>',
    '<a>& b</a>',
    '<a>\u0001</a>',
    '<a>\ufffe</a>',
    'x<a/>',
    '',
  ])('refuses %j', (text) => {
    expect(() => parseXml(text)).toThrow();
  });

  it('takes what is right', () => {
    expect(parseXml('<!-- x -->\n<a x="1"><b/>&lt;😀</a>').map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
