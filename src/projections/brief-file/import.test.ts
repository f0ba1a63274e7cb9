import { expect, it } from 'vitest';
import { crashAt, documentIn, notesIn, textAt } from '../../../test/fixtures/briefs.ts';
import { letters } from '../../../test/fixtures/letters.ts';
import { root, run, type TestEnvironment } from '../../../test/fixtures/memory.ts';
import { keepOriginal } from './import.ts';

const path = 'ORCHESTRATION.yaml';
const text = `resumption:
  recovery_state: { next_step: Ask Bob first., updated_at: "2026-02-20T10:00:00Z" }
  files_to_read: [PLAN.md]
  quality_trajectory: { score_history: { QG-1: [0.9] }, total_iterations_used: 1 }
  compaction_events: { count: 3, events: [] }
`;

it('is imported once, whenever the first run is killed', async () => {
  let call = 1;
  for (; ; call += 23) {
    const world = letters({ layout: { brief: path }, units: ['ann'] });
    world.env.disk.putFile(`${root}/${path}`, text);
    const act = (env: TestEnvironment) => run(env, world.definition);
    const { isOver, later } = await crashAt(world.env, call, act);
    await run(later, world.definition);
    expect(documentIn(later), `call ${call}`).toMatchObject({
      files_to_read: expect.arrayContaining(['PLAN.md']),
      quality_trajectory: { score_history: { 'QG-1': [0.9] } },
      compaction_events: { count: 3 },
    });
    expect(notesIn(later), `call ${call}`).toEqual({ brief_authored: 1, brief_imported: 1 });
    expect(later.disk.list(`${root}/.pawl/backups`), `call ${call}`).toHaveLength(1);
    if (isOver) break;
  }
  expect(call).toBeGreaterThan(30);
}, 60_000);

it('is left alone where it cannot be kept as it was', async () => {
  const world = letters({ layout: { brief: path } });
  world.env.disk.putFile(`${root}/${path}`, text);
  world.env.disk.putFile(`${root}/.pawl/backups`, 'in the way');
  const answer = await run(world.env, world.definition);
  expect(answer.notices).toContainEqual({ code: 'brief-aside', path, why: 'no-backup' });
  expect(textAt(world.env, path)).toBe(text);
  expect(notesIn(world.env)).toEqual({});
  world.env.disk.remove(`${root}/.pawl/backups`);
  const later = await run(world.env, world.definition);
  expect(later.heading.run).toBe(answer.heading.run);
});

it('keeps the same bytes once', async () => {
  const { env } = letters();
  const bytes = new TextEncoder().encode(text);
  const place = await keepOriginal(env.disk, root, `docs/${path}`, bytes);
  expect(place).toMatch(/^\.pawl\/backups\/[0-9a-f]{12}-docs__ORCHESTRATION\.yaml$/);
  expect(await keepOriginal(env.disk, root, `docs/${path}`, bytes)).toBe(place);
  expect(env.disk.list(`${root}/.pawl/backups`)).toHaveLength(1);
});
