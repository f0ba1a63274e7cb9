import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import { demand, nextProcess, readText, run } from '../../../test/fixtures/memory.ts';
import { cancelRun } from '../people/cancel.ts';

const word = { reason: 'no money', by: 'ann' };

describe('the files that people read', () => {
  it.each([undefined, { progress: 'progress.json' }, { status: 'pages/{unit}.md' }])(
    'say that a run was cancelled, whichever of them there are: %o',
    async (layout) => {
      const { env, definition, target, work } = letters({ ...(layout && { layout }), units: ['ann'] });
      work.seal = () => {
        throw new Error('no wax');
      };
      const { heading } = await run(env, definition);
      expect(heading.status).toBe('stopped');
      demand(await cancelRun(nextProcess(env), { ...target, ...word }));
      const said = (path: string) => JSON.parse(readText(env, path) ?? '{}');
      expect(said(`.pawl/runs/${heading.run}/run.json`).status).toBe('cancelled');
      if (layout?.progress !== undefined)
        expect(said(layout.progress)).toMatchObject({ run_status: 'cancelled', resumable: false });
      if (layout?.status !== undefined) expect(readText(env, 'pages/ann.md')).toContain('CANCELLED');
    },
  );
});
