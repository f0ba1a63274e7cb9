import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimOf, fan, graph, heading, orchard, stage, task } from '../../../test/fixtures/graph.ts';
import { graphMermaid, mermaidMark } from './mermaid.ts';

const lines = (text: string) => text.split('\n').map((line) => line.trim());

/** Every line that a chart may hold, as strictly as we write them. */
const grammar = [
  /^%% [\w ,.:;'-]+$/,
  /^flowchart TD$/,
  /^acc(Title|Descr): [\p{L}\p{N}\p{M} ,._-]*$/u,
  /^classDef [a-zA-Z_]+ fill:#[0-9a-f]{6},stroke:#[0-9a-f]{6},color:#[0-9a-f]{6}(,stroke-width:3px|,stroke-dasharray:4 4)?$/,
  /^subgraph s\d+\["[^"<>]+"\]$/,
  /^direction TB$/,
  /^end$/,
  /^[ts]\d+e?\["[^"<>]+(<br\/>[^"<>]+)*"\]:::[a-zA-Z_]+$/,
  /^t\d+ (-->|-\.->) t\d+$/,
  /^s\d+ ==> s\d+$/,
];

function expectSound(chart: string): void {
  expect(lines(chart).filter((line) => !grammar.some((rule) => rule.test(line)))).toEqual([]);
  const labels = [...chart.matchAll(/\["(.*)"\]/g)].map(([, label = '']) => label);
  const bare = labels.map((label) => label.replaceAll('<br/>', ' ').replaceAll(/#\d+;/g, ''));
  expect(bare.filter((label) => telling.test(label))).toEqual([]);
}

/** What means something to mermaid, or cannot be seen. */
const telling = /["`[\](){}<>#;:&|\\.*~=+!?@/$%^'°¶\p{Cc}\p{Cf}]/u;

describe('a chart for mermaid', () => {
  it('has a subgraph for each stage, a node for each task and a line for each need', () => {
    const chart = lines(graphMermaid(orchard()));
    expect(chart[0]).toBe(mermaidMark);
    expect(chart).toEqual(
      expect.arrayContaining([
        'flowchart TD',
        'subgraph s1["plan"]',
        't1["orchard<br/>What we want and how<br/>✓ done"]:::done',
        't9["T008<br/>Map of the rows as a picture<br/>✗ failed<br/>3 attempts#58; src#47;map#46;test#46;ts#58; 2 of 14 fail"]:::failedRunnable',
        't6["T005<br/>Forecast of frost<br/>#126; in progress<br/>in doubt, last with executor-2"]:::in_progressRunnable',
        's3e["not listed yet"]:::note',
        't2 --> t3',
        't4 -.-> t6',
        's1 ==> s2',
        's2 ==> s3',
      ]),
    );
    expectSound(chart.join('\n'));
  });

  it('defines every class that it uses', () => {
    const chart = graphMermaid(orchard());
    const used = [...chart.matchAll(/:::(\w+)/g)].map(([, name]) => name);
    const defined = [...chart.matchAll(/classDef (\w+)/g)].map(([, name]) => name);
    expect(defined).toEqual(expect.arrayContaining([...new Set(used)]));
    expect(new Set(defined).size).toBe(defined.length);
  });

  it('takes no text for anything but text', () => {
    const texts = [
      '"] --> evil["',
      'end',
      '1. first\n- second',
      '`**bold**`',
      '#quot; #35;',
      'click t1 "javascript:alert(1)"',
      '<img src=x onerror=alert(1)>',
      '%%{init: {"securityLevel": "loose"}}%%',
      'www.example.org https://example.org a@b.c',
      'style x:#1;',
      '\u202eright to left\u0007',
      'ﬂ°°60¶ß',
      '---',
      '',
    ];
    const tasks = texts.map((text, at) =>
      task(text, 'failed', { title: text, reason: text, needs: at === 0 ? [] : [texts[at - 1] ?? ''] }),
    );
    const chart = graphMermaid(
      graph([stage(texts[0] ?? '', tasks)], { heading: { ...heading, pipeline: texts.join(' ') } }),
    );
    expectSound(chart);
    expect(chart).toContain('#34;#93; #45;#45;#62; evil#91;#34;');
    expect(chart).toContain('<br/>www#46;example#46;org ');
  });

  it('is sound for any text', () => {
    const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 10 }), anyText, (texts, name) => {
        const tasks = texts.map((text) =>
          task(text, 'in_progress', { title: text, claim: claimOf(text, text), needs: texts }),
        );
        const found = { ...heading, pipeline: name, run: name };
        expectSound(graphMermaid(graph([stage(name, tasks), stage(name, [])], { heading: found })));
      }),
    );
  });

  it('keeps words with dashes whole, and cuts long titles', () => {
    const chart = graphMermaid(
      graph([stage('one-two', [task('a_b', 'ready', { title: `${'long '.repeat(30)}` })])]),
    );
    expect(chart).toContain('["one-two"]');
    expect(chart).toContain(`["a_b<br/>${'long '.repeat(11)}long…<br/>`);
  });

  it('warns where viewers will refuse so many lines', () => {
    expect(graphMermaid(fan(200))).not.toContain('maxEdges');
    expect(lines(graphMermaid(fan(300)))[1]).toBe(
      '%% 600 lines: viewers draw so many only with a higher maxEdges. SVG has no such limit.',
    );
  });
});
