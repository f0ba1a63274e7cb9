import { expect, test } from 'vitest';
import type { Board } from '../engine/observe/board.ts';
import { plainStyle } from '../text/style/style.ts';
import type { Face } from './face.ts';
import { openView } from './views.ts';

const board: Board = {
  heading: {
    run: 'r1',
    pipeline: 'book',
    identity: {},
    status: 'running',
    workspace: '.',
    createdAt: '',
    updatedAt: '',
  },
  kind: 'resumed',
  phases: [],
  units: [],
  extent: { unitKey: 'unit', doneKey: 'finished', units: [] },
};

async function printedBy(quiet: boolean): Promise<string[]> {
  const lines: string[] = [];
  const face = { quiet, canDraw: false, errStyle: plainStyle, err: (text: string) => void lines.push(text) };
  const view = await openView(face as Face);
  view.begun(board);
  view.progress({ type: 'unit-finished', unit: 'a' });
  view.tell('finishing what runs; again to end it');
  view.close();
  return lines;
}

test('line by line where nothing can be drawn', async () => {
  expect(await printedBy(false)).toEqual([
    'book: resumed run r1 with 0 units, 0 cells',
    'a finished',
    'finishing what runs; again to end it',
  ]);
});

test('quiet: only the answer to a signal', async () => {
  expect(await printedBy(true)).toEqual(['finishing what runs; again to end it']);
});
