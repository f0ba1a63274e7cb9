import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { hashJson } from '../../base/hash.ts';
import type { Phase } from '../../model/definition.ts';
import { loadPipeline } from '../load.ts';
import type { TemplateVariables } from '../loaded.ts';
import { createRenderer } from './render.ts';

const manifest = `pawl: 1
pipeline: p
units: [u]
phases:
  a: { run: { command: [x] }, prompt: { system: t/system.md, phase: t/a.md, override: mine/a.md } }
`;

async function prepare(files: Record<string, string>) {
  const present = { 'pawl.yaml': manifest, 't/system.md': 'S', 't/a.md': 'A', ...files };
  const loaded = await loadPipeline(memoryReader(present), 'pawl.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  const renderer = createRenderer(loaded.value);
  const phase = loaded.value.pipeline.stages[0]?.phases[0] as Phase;
  return (variables: TemplateVariables = {}) => renderer.render(phase, variables);
}

/** The text that `t/a.md` becomes. */
async function text(template: string, variables: TemplateVariables = {}, files: Record<string, string> = {}) {
  const result = (await prepare({ 't/a.md': template, ...files }))(variables);
  return result.ok ? result.value.text : result.failure;
}

describe('a prompt', () => {
  it('is made of system and phase template, and hashed as a whole', async () => {
    const render = await prepare({ 't/system.md': 'You: {{ who }}', 't/a.md': 'Do {{ unit.title }}\n' });
    const variables = { who: 'w', unit: { title: 'x & <y>' } };
    expect(render(variables)).toEqual({
      ok: true,
      value: {
        system: 'You: w',
        text: 'Do x & <y>\n',
        hash: hashJson({ system: 'You: w', text: 'Do x & <y>\n' }),
      },
    });
    expect(render(variables)).toEqual(render(variables));
  });

  it('takes the override where there is one', async () => {
    expect((await prepare({ 'mine/a.md': 'MINE' }))()).toMatchObject({ value: { text: 'MINE' } });
    expect((await prepare({}))()).toMatchObject({ value: { text: 'A' } });
  });

  it('has no system part when the phase has none', async () => {
    const files = { 'pawl.yaml': manifest.replace('system: t/system.md, ', '') };
    expect((await prepare(files))()).toEqual({
      ok: true,
      value: { system: undefined, text: 'A', hash: hashJson({ text: 'A' }) },
    });
  });
});

describe('includes', () => {
  it('are found from the top, then beside the template that asks', async () => {
    const files = {
      'x.md': 'top {{ v }}',
      't/x.md': 'beside',
      't/y.md': 'y {% include "z/z.md" %}',
      't/z/z.md': 'zz',
    };
    expect(
      await text('{% include "x.md" %}|{% include "y.md" %}|{% include "./x.md" %}', { v: 1 }, files),
    ).toBe('top 1|y zz|top 1');
  });

  it('can be rendered apart and serve as a layout', async () => {
    const files = { 'l.md': '<{% block main %}{% endblock %}>', 'r.md': '{{ n }}' };
    const template = '{% layout "l.md" %}{% block main %}{% render "r.md", n: 3 %}{% endblock %}';
    expect(await text(template, {}, files)).toBe('<3>');
  });

  it('that went missing are told by name', async () => {
    expect(await text('\n{% include "gone.md" %}')).toMatchObject({
      code: 'template-missing',
      path: 't/a.md',
      line: 2,
      column: 1,
      name: 'gone.md',
    });
  });
});

describe('a template that asks for too much', () => {
  it('is told which variable there is none of', async () => {
    expect(await text('one\n two {{ unit.titel }}', { unit: { title: 'x' } })).toEqual({
      code: 'template-unknown-variable',
      path: 't/a.md',
      line: 2,
      column: 9,
      name: 'unit.titel',
      suggestion: 'unit.title',
      detail: 'undefined variable: unit.titel',
    });
    const inside = await text('{% include "i.md" %}', {}, { 'i.md': '\n\n{{ nobody }}' });
    expect(inside).toMatchObject({
      code: 'template-unknown-variable',
      path: 'i.md',
      line: 3,
      column: 4,
      name: 'nobody',
    });
  });

  it('may ask whether something is there', async () => {
    expect(await text('{% if a.b %}yes{% else %}no{% endif %} {{ c | default: "d" }}', { a: {} })).toBe(
      'no d',
    );
  });

  it('does not reach what objects inherit', async () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(await text(`{{ unit.${name} }}`, { unit: {} })).toMatchObject({
        code: 'template-unknown-variable',
      });
    }
  });

  it('is stopped', async () => {
    const failure = await text('{% for i in (1..1000000000) %}x{% endfor %}');
    expect(failure).toMatchObject({ code: 'template-too-large', path: 't/a.md', line: 1, column: 1 });
  });

  it('is told that a filter could not work', async () => {
    const failure = await text('x\n {{ "%" | url_decode }}');
    expect(failure).toMatchObject({ code: 'template-failed', path: 't/a.md', line: 2, column: 2 });
  });
});
