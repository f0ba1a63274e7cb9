import { expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import { demand, root, run, nextProcess } from '../../../test/fixtures/memory.ts';
import { documentIn, editText, expectTrue, journalIn, notesIn, stateIn, leave, textAt } from '../../../test/fixtures/briefs.ts';
import { showBrief } from '../../engine/brief/show.ts';
import { recordDecision } from '../../engine/brief/decide.ts';

it('basic', async () => {
  const world = letters();
  await run(world.env, world.definition);
  console.log(textAt(world.env, stateIn(world.env).path));
  await expectTrue(world.env, world.target);
  console.log('sleeping', world.env.clock.sleeping);
});
it('decision by hand, taken in by showBrief', async () => {
  const world = letters();
  await run(world.env, world.definition);
  world.env.clock.advance(1000);
  editText(world.env, stateIn(world.env).path, /decision_log: *\[\]/, 'decision_log:\n    - { decision: by hand }');
  demand(await showBrief(world.env, world.target));
  console.log(notesIn(world.env), world.env.clock.sleeping);
  await expectTrue(world.env, world.target);
});
it('visitor inside a phase', async () => {
  const world = letters();
  world.work.draft = async ({ unit }) => {
    demand(await recordDecision(nextProcess(world.env) && { ...world.env }, { ...world.target, decision: `of ${unit.id}` }));
    world.env.clock.advance(1000);
    return { text: 'x' };
  };
  await run(world.env, world.definition);
  console.log(notesIn(world.env), world.env.clock.sleeping);
  console.log(journalIn(world.env).filter((e) => e.type.startsWith('brief') || e.type.startsWith('dec')));
  await expectTrue(world.env, world.target);
});
