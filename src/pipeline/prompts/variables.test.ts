import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../../test/fixtures/memory-reader.ts';
import { loadPipeline } from '../load.ts';
import { findUnknown, unknownVariables } from './variables.ts';

const manifest = `pawl: 1
pipeline: p
identity: { book: ember }
units:
  - { id: u, weather: sun }
  - { id: v, mood: calm }
phases:
  plan:
    run: { command: [x] }
    outputs: { card: "{unit}.json" }
  write:
    prompt: { system: system.md, phase: write.md, override: mine.md }
    run: { command: [x] }
    params: { words: 100 }
    inputs: { card: plan.card }
    outputs: { prose: "{unit}.md" }
`;

async function unknownIn(files: Readonly<Record<string, string>>, written = manifest) {
  const all = { 'pawl.yaml': written, 'system.md': '', 'write.md': '', ...files };
  const loaded = await loadPipeline(memoryReader(all), 'pawl.yaml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return unknownVariables(loaded.value).map(({ path, place, facts }) => ({
    path,
    at: `${place?.file}:${place?.line}:${place?.column}`,
    ...facts,
  }));
}

describe('a variable that no prompt has', () => {
  it('is told where it stands, with the one that was meant', async () => {
    const found = await unknownIn({
      'system.md': 'You write {{ pipline }}.\n',
      'write.md': 'Say\n  {{ unit.wether | upcase }} and {{ inputs.crad }}',
    });
    const path = 'phases.write.prompt';
    expect(found).toEqual([
      { path: `${path}.system`, at: 'system.md:1:14', found: 'pipline', suggestion: 'pipeline' },
      { path: `${path}.phase`, at: 'write.md:2:6', found: 'unit.wether', suggestion: 'unit.weather' },
      { path: `${path}.phase`, at: 'write.md:2:37', found: 'inputs.crad', suggestion: 'inputs.card' },
    ]);
  });

  it.each(['params.wrods', 'identity.bok', 'data.crad.title', 'feedbak', 'unit.zzz.deep'])(
    '%s is one',
    async (name) => {
      expect(await unknownIn({ 'write.md': `{{ ${name} }}` })).toMatchObject([{ found: name }]);
    },
  );

  it.each([
    [
      'all that there are',
      '{{ unit.id }}{{ data.card.any }}{{ params.words }}{{ identity.book }}{{ iteration }}',
    ],
    ['fields that only some units have', '{{ unit.mood }} {{ unit.weather }}'],
    [
      'what nobody can look into before',
      '{{ state.a.b }} {{ existing.x }} {{ feedback[0].note }} {{ unit[params.words] }}',
    ],
    ['what Liquid has of every value', '{{ inputs.size }} {{ unit.first }}'],
    ['what it asks for first', '{% if legacy %}{{ legacy.name }}{% endif %}'],
    ['what may be missing', '{{ unit.title | default: "none" }}'],
    [
      'names of its own',
      '{% assign mine = unit.id %}{{ mine }}{% for one in feedback %}{{ one.note }}{% endfor %}',
    ],
    ['names of what it includes', '{% include "part.md" %}{{ given }}'],
    ['a text in braces', '{% raw %}{{ nothing }}{% endraw %}{% comment %}{{ nothing }}{% endcomment %}'],
  ])('is none of these: %s', async (_, text) => {
    const part = '{% assign given = 1 %}{{ handed_over }}';
    expect(await unknownIn({ 'write.md': text, 'part.md': part })).toEqual([]);
  });

  it('is not looked for where the template is not used, nor in units that are not listed yet', async () => {
    expect(await unknownIn({ 'write.md': '{{ slip }}', 'mine.md': 'fine' })).toEqual([]);
    const later = `pawl: 1
pipeline: p
inputs: {}
stages:
  - name: list
    units: [all]
    phases: { graph: { run: { command: [x] }, outputs: { tasks: tasks.json } } }
  - name: do
    units: { artifact: graph.tasks }
    phases: { work: { prompt: write.md, run: { command: [x] }, outputs: { out: "{unit}.md" } } }
`;
    expect(await unknownIn({ 'write.md': '{{ unit.title }}' }, later)).toEqual([]);
    expect(await unknownIn({ 'write.md': '{{ units.title }}' }, later)).toMatchObject([
      { path: 'stages[1].phases.work.prompt', suggestion: 'unit' },
    ]);
  });
});

it('is found by its first name that is missing', () => {
  const known = { unit: { data: { title: 'A' }, list: [1] }, state: null };
  expect(findUnknown(['unit', 'data', 'titel'], known)).toEqual({ near: ['unit.data.title'] });
  expect(findUnknown(['nothing'], known)).toEqual({ near: [] });
  for (const names of [['unit', 'data', 'title', 'x'], ['unit', 'list', '7'], ['state', 'x'], []])
    expect(findUnknown(names, known)).toBeUndefined();
});
