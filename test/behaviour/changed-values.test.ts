import { expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { canPretend, linesAt80 } from '../support/terminal.ts';
import { edit, workspaceWith, write } from '../support/workspace.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const list = (weather: (id: string) => string) =>
  ids.map((id) => `- { id: ${id}, weather: ${weather(id)} }\n`).join('');

it('fields of listed units are shown with both values, grouped, by plan, run and diff', async () => {
  const work = workspaceWith(manifest('from: list', 'on_change: refuse'), {
    'units.yaml': list(() => 'snow'),
  });
  expect((await pawl(work, 'run')).code).toBe(0);
  write(
    work,
    'units.yaml',
    list((id) => (id === 'e' ? 'rain' : 'fog')),
  );
  const refused = await pawl(work, 'run');
  expect(refused.code).toBe(4);
  const title = 'weather of 5 units changed: "snow" → "fog" and "snow" → "rain"';
  expect(refused.stderr.split('\n').filter((line) => line.includes('weather'))).toEqual([`✗ ${title}`]);
  expect((await pawl(work, 'diff')).stdout).toContain(title);
  const { refusals } = await pawlJson<{ refusals: object[] }>(work, 'run');
  expect(refusals[0]).toMatchObject({ values: [{ path: 'weather', before: 'snow', after: 'fog' }] });

  edit(work, 'pawl.yaml', 'on_change: refuse', 'on_change: rerun');
  const plan = await pawl(work, 'plan');
  expect(plan.stdout).toContain('weather of 5 units: "snow" → "fog" and "snow" → "rain"');
  expect((await pawl(work, 'diff')).stdout).toContain(title);
});

it('fields of units that the run itself lists are shown, too', async () => {
  const work = workspaceWith(madeList, { 'units.json': JSON.stringify([{ id: 'a', weather: 'snow' }]) });
  expect((await pawl(work, 'run')).code).toBe(0);
  write(work, 'units.json', JSON.stringify([{ id: 'a', weather: 'fog' }]));
  expect((await pawl(work, 'run')).code).toBe(4);
  const { stdout } = await pawl(work, 'diff', 'a/one');
  expect(stdout).toContain('weather of a changed: "snow" → "fog"');
});

it.skipIf(!canPretend)(
  'one field of many units in the manifest is one line of at most 80 columns',
  async () => {
    const written = manifest(`list: [${ids.map((id) => `{ id: ${id}, weather: snow }`).join(', ')}]`, '');
    const work = workspaceWith(written, { 'units.yaml': '[]\n' });
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'pawl.yaml', written.replaceAll('snow', 'fog').replace('word: first', 'word: second'));
    const lines = await linesAt80(work, 'run --no-input');
    expect(lines.filter((line) => line.includes('weather'))).toEqual([
      '    weather of 5 units: "snow" → "fog"',
    ]);
    expect(lines.some((line) => line.includes('phases.one.params.word: "first" → "second"'))).toBe(true);
  },
);

it('a changed parameter that a policy re-runs is shown with both values', async () => {
  const work = workspaceWith(manifest('list: [{ id: a, weather: snow }]', ''), { 'units.yaml': '[]\n' });
  edit(work, 'pawl.yaml', 'word: first }', 'word: first }\n    on_change: rerun');
  expect((await pawl(work, 'run')).code).toBe(0);
  edit(work, 'pawl.yaml', 'word: first', 'word: second');
  expect((await pawl(work, 'plan')).stdout).toContain('phases.one.params.word: "first" → "second"');
});

function manifest(units: string, policy: string): string {
  return `
pawl: 1
pipeline: values
inputs: { list: units.yaml }
units: { ${[units, policy].filter((part) => part !== '').join(', ')} }
phases:
  one:
    run: { function: ./phases.mjs#step }
    params: { word: first }
    outputs: { text: "out/{unit}.txt" }
`;
}

const madeList = `
pawl: 1
pipeline: lists
inputs: { given: { path: units.json, on_change: rerun } }
stages:
  - name: first
    units: [maker]
    phases:
      list:
        inputs: { given: given }
        run: { command: [sh, -c, 'cp "$PAWL_INPUT_GIVEN" "$PAWL_OUTPUT_UNITS"'] }
        outputs: { units: made/units.json }
  - name: second
    units: { artifact: list.units, on_change: refuse }
    phases:
      one:
        run: { function: ./phases.mjs#step }
        outputs: { text: "out/{unit}.txt" }
`;
