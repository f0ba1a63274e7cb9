import { expect, test } from 'vitest';
import type { GcAnswer } from '../engine/maintain/gc/gc-answer.ts';
import { gcText } from './gc.ts';
import { plainStyle } from './style/style.ts';

const nothing: GcAnswer = {
  workspace: '.',
  deleted: false,
  olderThanMs: 30 * 86_400_000,
  keep: 'nothing',
  bytes: 0,
  runs: [],
  kept: [],
  objects: {
    loose: 0,
    packs: 0,
    leftovers: 0,
    bytes: 0,
    partly: { packs: 0, objects: 0, bytes: 0 },
    young: { files: 0, bytes: 0 },
    doubts: [],
  },
  held: [],
};

const identity = { character: 'blaze', move: 'idle' };
const updatedAt = '2026-10-01T09:00:00.000Z';
const named = { pipeline: 'sprites', identity, status: 'completed', updatedAt } as const;
const run = {
  ...named,
  run: '20261001-0900-sprites-a1',
  folder: 'runs/20261001_blaze_idle',
  keep: 'nothing',
  unfinished: false,
  files: 214,
  bytes: 3_400_000,
  outputs: ['runs/20261001_blaze_idle/approved/frame_0001.png'],
  leftAlone: [],
} as const;

const holder = { pid: 4711, host: 'mill', since: updatedAt, alive: 'alive' } as const;

test('what would be deleted, what stays and why, and how much that frees', () => {
  const answer: GcAnswer = {
    ...nothing,
    bytes: 4_600_000,
    runs: [
      run,
      {
        ...run,
        run: '20261002-0900-sprites-b2',
        status: 'failed',
        keep: 'approved',
        unfinished: true,
        files: 1,
        outputs: Array.from({ length: 15 }, (_, at) => `c/${at}.png`),
        leftAlone: [
          { path: 'c/a.png', reason: 'edited' },
          { path: 'c/b.png', reason: 'adopted' },
          { path: 'c/notes.txt', reason: 'not-made-by-run' },
          { path: 'c/c.png', reason: 'unreadable' },
          { path: 'd/d.png', reason: 'through-link' },
        ],
      },
    ],
    kept: (
      [
        'newest-completed',
        'resumable',
        'damaged',
        'through-link',
        'approved-only',
        'stray',
        'young',
        'young',
      ] as const
    ).map((reason, at) => ({ ...named, run: `run-${at}`, reason })),
    objects: {
      loose: 1,
      packs: 2,
      leftovers: 3,
      bytes: 1_200_000,
      partly: { packs: 1, objects: 40, bytes: 300_000 },
      young: { files: 1, bytes: 12 },
      doubts: [],
    },
    held: [{ run: 'run-9', holder }],
  };
  expect(gcText(answer, plainStyle)).toMatchInlineSnapshot(`
    "would delete 20261001-0900-sprites-a1  completed  sprites character=blaze, move=idle  2026-10-01 09:00:00 UTC: 214 files, 3.2 MB
        runs/20261001_blaze_idle/approved/frame_0001.png
    would delete 20261002-0900-sprites-b2  failed  sprites character=blaze, move=idle  2026-10-01 09:00:00 UTC: 1 file, 3.2 MB, all but its final outputs; an earlier gc was cut short
        c/0.png
        c/1.png
        c/2.png
        c/3.png
        c/4.png
        c/5.png
        c/6.png
        c/7.png
        c/8.png
        c/9.png
        c/10.png
        c/11.png
        … 3 more
        ! left alone: c/a.png (not as the run made it)
        ! left alone: c/b.png (an edit by hand that was adopted)
        ! left alone: c/notes.txt (not made by the run)
        ! left alone: c/c.png (it cannot be read)
        ! left alone: d/d.png (it lies behind a link or leads out of the workspace)
    would delete from the content store: 2 packs, 1 large object and 3 leftover files that nothing names, 1.1 MB
      1 pack stays for what is needed; not needed: 40 objects in it, 293 KB
      1 file of the store, 12 bytes, less than an hour old: left alone
    left alone run-0  sprites character=blaze, move=idle  the newest completed run of its identity, on which the next one builds
    left alone run-1  sprites character=blaze, move=idle  completed: it can be gone on with
    left alone run-2  sprites character=blaze, move=idle  its journal is damaged
    left alone run-3  sprites character=blaze, move=idle  its folder lies behind a link
    left alone run-4  sprites character=blaze, move=idle  only its final outputs are left
    left alone run-5  sprites character=blaze, move=idle  no manifest leads to it; it may be a copy
    left alone 2 runs that are not old enough
    ! nothing was deleted; 4.4 MB would be freed: add --delete to do it; not while run run-9 is held"
  `);
});

test('what was deleted', () => {
  const doubts = [
    { reason: 'damaged', path: 'runs/x' },
    { reason: 'unreadable', path: 'locked' },
    { reason: 'through-link', path: '.pawl/objects' },
  ] as const;
  const deleted = { ...nothing, deleted: true, bytes: 3_400_000, runs: [run] };
  expect(gcText({ ...deleted, objects: { ...nothing.objects, doubts } }, plainStyle)).toMatchInlineSnapshot(`
    "deleted 20261001-0900-sprites-a1  completed  sprites character=blaze, move=idle  2026-10-01 09:00:00 UTC: 214 files, 3.2 MB
        runs/20261001_blaze_idle/approved/frame_0001.png
    ! nothing is deleted from the content store: the journal in runs/x is damaged, so nobody knows what it needs
    ! nothing is deleted from the content store: locked cannot be looked into
    ! nothing is deleted from the content store: .pawl/objects is a link
    ✓ 3.2 MB freed"
  `);
  expect(gcText(nothing, plainStyle)).toMatchInlineSnapshot(`"✓ there is nothing to delete"`);
});

test('no whole command that deletes is ever written out', () => {
  expect(gcText({ ...nothing, bytes: 1, runs: [run] }, plainStyle)).not.toMatch(/pawl gc/);
});
