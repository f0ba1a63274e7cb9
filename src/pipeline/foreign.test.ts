import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadText } from '../../test/fixtures/manifests.ts';
import type { JsonObject } from '../base/json.ts';
import type { Stage } from '../model/definition.ts';
import { foreignTranslator, resolveForeign, type Translation } from './foreign.ts';
import { foreignSchema } from './schema/parts.ts';

const section = `
unit: [task_id, taskId, task, task.id, data.task_id]
stage: [to_phase, phase, to]
events:
  task_claimed: { means: claimed }
  task_started: { means: started }
  task_implemented: { means: succeeded, phase: implement }
  task_verified: { means: succeeded, phase: verify }
  task_completed: { means: succeeded }
  task_failed: { means: failed }
  verification_broke: { means: failed, phase: verify }
  task_verification_failed: { means: sent-back, phase: verify }
  task_blocked: { means: blocked }
  task_unblocked: { means: unblocked }
  phase_transition: { means: stage-entered }
  run_completed: { means: run-completed }
  run_created: { means: nothing }
`;

const run = 'run: { command: [work] }';
const judge = `{ ${run}, outputs: { report: "{unit}.json" }, gate: { verdict: report.ok, pass: [yes], back_to: implement, iterations: 3 } }`;

/** A stage that plans, and one with two tasks and these phases. */
async function stagesWith(phases: string): Promise<readonly Stage[]> {
  const { pipeline } = await loadText(
    [
      'pawl: 1',
      'pipeline: p',
      'stages:',
      `  - { name: plan, units: [plan], phases: { draft: { ${run} } } }`,
      `  - { name: work, units: [t001, t002], phases: { ${phases} } }`,
      '',
    ].join('\n'),
  );
  return pipeline.stages;
}

const verified = `implement: { ${run} }, repair: { ${run}, when: gate-failed }, verify: ${judge}`;
const unverified = `implement: { ${run} }`;
const words = resolveForeign(foreignSchema.parse(parse(section)));

async function translate(name: string, fields: JsonObject, phases = verified): Promise<Translation> {
  return foreignTranslator(words, await stagesWith(phases))({ name, fields });
}

/** `t001/implement succeeded` */
async function reported(name: string, fields: JsonObject = { task_id: 't001' }, phases = verified) {
  const bodies = await translate(name, fields, phases);
  if (bodies === 'unknown') return bodies;
  return bodies.map((body) =>
    body.type === 'foreign_run_reported'
      ? (body.stage ?? 'completed')
      : `${body.unit}${body.phase === undefined ? '' : `/${body.phase}`} ${body.means}`,
  );
}

describe('the words of a manifest', () => {
  it.each([
    ['unit: []\nevents: {}', 'unit'],
    ['events: {}', 'unit'],
    ['unit: [id]\nevents: { TaskStarted: { means: started } }', 'events.TaskStarted'],
    ['unit: [id]\nevents: { started: { means: begun } }', 'events.started.means'],
    ['unit: [id]\nevents: { started: { means: started, phases: [a] } }', 'events.started'],
    ['unit: [id]\nevents: { started: { means: started, phase: "A/b" } }', 'events.started.phase'],
  ])('are refused: %j', (text, path) => {
    const { error } = foreignSchema.safeParse(parse(text));
    expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
  });

  it('have defaults for what every tool calls alike', () => {
    expect(resolveForeign({ unit: ['id'], events: { done: { means: 'succeeded' } } })).toEqual({
      unit: ['id'],
      stage: ['stage'],
      note: ['reason', 'message', 'note', 'error', 'error.message', 'summary'],
      events: [{ name: 'done', means: 'succeeded', phase: undefined }],
    });
  });
});

describe('an event of another tool', () => {
  it.each([
    ['task_claimed', ['t001/implement claimed']],
    ['task_started', ['t001/implement started']],
    ['task_implemented', ['t001/implement succeeded']],
    ['task_verified', ['t001/implement succeeded', 't001/verify succeeded']],
    ['task_completed', ['t001/implement succeeded', 't001/verify succeeded']],
    ['task_failed', ['t001/implement failed']],
    ['verification_broke', ['t001/verify failed']],
    ['task_verification_failed', ['t001/implement sent-back', 't001/verify sent-back']],
    ['task_blocked', ['t001 blocked']],
    ['task_unblocked', ['t001 unblocked']],
    ['run_completed', ['completed']],
    ['run_created', []],
    ['task_reviewed', 'unknown'],
    ['constructor', 'unknown'],
  ])('called %s says what the manifest says', async (name, expected) => {
    expect(await reported(name)).toEqual(expected);
  });

  it.each([
    ['task_implemented', ['t001/implement succeeded']],
    ['task_verified', ['t001/implement succeeded']],
    ['task_completed', ['t001/implement succeeded']],
    ['verification_broke', ['t001/implement failed']],
    ['task_verification_failed', ['t001/implement sent-back']],
  ])('called %s is about the whole unit where no verifier is declared', async (name, expected) => {
    expect(await reported(name, { task_id: 't001' }, unverified)).toEqual(expected);
  });

  it('takes in what its phase needs, and nothing else', async () => {
    const phases = `implement: { ${run} }, polish: { ${run}, needs: [implement] }, verify: { ${run}, needs: [implement] }`;
    expect(await reported('task_verified', { task_id: 't001' }, phases)).toEqual([
      't001/implement succeeded',
      't001/verify succeeded',
    ]);
    expect(await reported('task_completed', { task_id: 't001' }, phases)).toHaveLength(3);
  });

  it('sends back as far as the gate does', async () => {
    const designed = `design: { ${run} }, ${verified}`;
    expect(await reported('task_verification_failed', { task_id: 't001' }, designed)).toEqual([
      't001/implement sent-back',
      't001/verify sent-back',
    ]);
    const ungated = `design: { ${run} }, implement: { ${run} }, verify: { ${run} }`;
    expect(await reported('task_verification_failed', { task_id: 't001' }, ungated)).toHaveLength(3);
  });

  it.each<[JsonObject, string[] | 'unknown']>([
    [{ task_id: 'T001' }, ['t001 blocked']],
    [{ task_id: ' t002 ' }, ['t002 blocked']],
    [{ taskId: 't002', id: 'event-7' }, ['t002 blocked']],
    [{ task_id: null, task: 't002' }, ['t002 blocked']],
    [{ task: { id: 't002', title: 'x' } }, ['t002 blocked']],
    [{ 'data.task_id': 't002', data: { task_id: 't001' } }, ['t002 blocked']],
    [{ data: { task_id: 't002' } }, ['t002 blocked']],
    [{ task_id: ['t001', 't002'] }, ['t001 blocked', 't002 blocked']],
    [{ task_id: 'plan' }, ['plan blocked']],
    [{ task_id: 7 }, ['7 blocked']],
    [{ task_id: 't999' }, ['t999 blocked']],
    [{ task_id: '../../etc' }, 'unknown'],
    [{ task_id: 'a/b' }, 'unknown'],
    [{ task_id: '__proto__' }, 'unknown'],
    [{ task_id: [] }, 'unknown'],
    [{ task_id: 1.5 }, 'unknown'],
    [{ other: 't001' }, 'unknown'],
    [{}, 'unknown'],
  ])('with %j is about %j', async (fields, expected) => {
    expect(await reported('task_blocked', fields)).toEqual(expected);
  });

  it('of a unit that nobody lists is about a phase of the stage whose units come of the run', async () => {
    const stages = await stagesWith(verified);
    const open = stages.map((stage, nth) =>
      nth === 1 ? { ...stage, units: [], source: { phase: 'draft', output: 'graph' }, isOpen: true } : stage,
    );
    const translated = foreignTranslator(words, open)({ name: 'task_started', fields: { task: 't001' } });
    expect(translated).toEqual([
      { type: 'foreign_work_reported', unit: 't001', means: 'started', phase: 'implement' },
    ]);
  });

  it.each<[JsonObject, string[] | 'unknown']>([
    [{ to_phase: 'work' }, ['work']],
    [{ phase: 'Work' }, ['work']],
    [{ to_phase: 0, phase: 1 }, ['plan']],
    [{ to_phase: '1' }, ['work']],
    [{ to_phase: 'Phase 1' }, ['work']],
    [{ to_phase: 'phase_0' }, ['plan']],
    [{ to_phase: 4 }, 'unknown'],
    [{ to_phase: -1 }, 'unknown'],
    [{ to_phase: 'execution' }, 'unknown'],
    [{ from_phase: 1 }, 'unknown'],
  ])('with %j enters the stage %j', async (fields, expected) => {
    expect(await reported('phase_transition', fields)).toEqual(expected);
  });

  it.each<[JsonObject, string | undefined]>([
    [{ reason: ' needs a key ', message: 'other' }, 'needs a key'],
    [{ reason: '', message: 'no network' }, 'no network'],
    [{ error: { message: 'exit 1' }, summary: 'other' }, 'exit 1'],
    [{ summary: 'x'.repeat(10_000) }, 'x'.repeat(500)],
    [{ reason: 7 }, undefined],
    [{}, undefined],
  ])('with %j has a note', async (fields, note) => {
    const [body] = await translate('task_blocked', { task_id: 't001', ...fields });
    expect(body).toEqual({
      type: 'foreign_work_reported',
      unit: 't001',
      means: 'blocked',
      ...(note !== undefined && { note }),
    });
  });

  it('of any shape never throws, and names units only by safe names', async () => {
    const translator = foreignTranslator(words, await stagesWith(verified));
    const names = words.events.map(({ name }) => name);
    const keys = fc.constantFrom('task_id', 'task', 'data', 'to_phase', 'reason', 'error', '__proto__');
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.dictionary(keys, fc.jsonValue()), (name, value) => {
        const translated = translator({ name, fields: value as JsonObject });
        if (translated === 'unknown') return;
        for (const body of translated)
          if (body.type === 'foreign_work_reported')
            expect(body.unit).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/);
      }),
    );
  });
});
