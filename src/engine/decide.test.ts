import { describe, expect, it } from 'vitest';
import { letters } from '../../test/fixtures/letters.ts';
import { demand, eventsOf, failureOf, nextProcess, run } from '../../test/fixtures/memory.ts';
import { decideGate } from './decide.ts';
import { showStatus } from './status.ts';

const word = { by: 'ann', note: 'good enough' };

async function asking() {
  const world = letters({ units: ['ann'] });
  world.work.read = ({ iteration }) => ({ report: { status: 'fail', iteration } });
  const answer = await run(world.env, world.definition);
  return { ...world, answer };
}

describe('a gate that asks', () => {
  it('makes the run wait for a person', async () => {
    const { answer, env, target } = await asking();
    expect(answer.heading.status).toBe('waiting_human');
    expect(answer.stops).toEqual([
      {
        unit: 'ann',
        phase: 'read',
        why: { code: 'gate-asks', verdict: 'fail', iterations: 2, report: expect.stringMatching(/^sha256:/) },
      },
    ]);
    const status = demand(await showStatus(env, target));
    expect(status.heading.status).toBe('waiting_human');
    expect(status.counts).toMatchObject({ waiting_human: 1, succeeded: 2, pending: 1 });
  });

  it('that is approved goes on, in another process too', async () => {
    const { env, definition, target, ran } = await asking();
    const answer = demand(
      await decideGate(env, { ...target, cell: 'ann/read', decision: 'accepted', ...word }),
    );
    expect(answer).toMatchObject({ unit: 'ann', phase: 'read', decision: 'accepted' });
    const before = ran.length;
    const after = await run(nextProcess(env), definition);
    expect(ran.slice(before)).toEqual(['ann/seal']);
    expect(after.heading.status).toBe('completed');
    expect(after.notices).toEqual([
      { code: 'gate-accepted', unit: 'ann', phase: 'read', verdict: 'fail', by: 'person' },
    ]);
  });

  it('that is rejected stops', async () => {
    const { env, definition, target } = await asking();
    demand(
      await decideGate(env, {
        ...target,
        cell: 'ann/read',
        decision: 'rejected',
        by: 'ann',
        note: 'too cold',
      }),
    );
    const after = await run(env, definition);
    expect(after.heading.status).toBe('stopped');
    expect(after.ran).toEqual({ succeeded: 0, failed: 0 });
    expect(after.stops).toEqual([
      { unit: 'ann', phase: 'read', why: { code: 'gate-rejected', verdict: 'fail', note: 'too cold' } },
    ]);
  });

  it('is decided once: nothing is left to decide', async () => {
    const { env, target } = await asking();
    const request = { ...target, cell: 'ann/read', decision: 'accepted' as const, ...word };
    demand(await decideGate(env, request));
    expect(failureOf(await decideGate(env, request))).toEqual({
      reason: 'nothing-to-decide',
      cell: 'ann/read',
    });
  });

  it('has the word bound to the report: another report is asked about again', async () => {
    const { env, definition, target, work } = await asking();
    demand(await decideGate(env, { ...target, cell: 'ann/read', decision: 'accepted', ...word }));
    work.read = () => ({ report: { status: 'fail', worse: true } });
    const after = await run(env, definition, { rerunFrom: 'read' });
    expect(after.heading.status).toBe('waiting_human');
    const asked = after.stops[0]?.why;
    const decided = eventsOf(env).find(({ type }) => type === 'gate_decided');
    expect(decided).toMatchObject({ by: 'ann', note: 'good enough' });
    expect(asked).not.toMatchObject({ report: decided?.type === 'gate_decided' ? decided.report : '' });
  });

  it.each([
    ['ann/draft', { reason: 'nothing-to-decide', cell: 'ann/draft' }],
    [
      'ann/raed',
      { reason: 'usage', problem: { code: 'unknown-cell', name: 'ann/raed', near: ['ann/read'] } },
    ],
    ['ann', { reason: 'usage', problem: { code: 'unknown-cell' } }],
  ])('is not %s', async (cell, failure) => {
    const { env, target } = await asking();
    expect(
      failureOf(await decideGate(env, { ...target, cell, decision: 'accepted', ...word })),
    ).toMatchObject(failure);
  });

  it('needs a run', async () => {
    const { env, target } = letters();
    expect(
      failureOf(await decideGate(env, { ...target, cell: 'ann/read', decision: 'accepted', ...word })),
    ).toEqual({
      reason: 'no-run',
      workspace: '.',
    });
  });
});
