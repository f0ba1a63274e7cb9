import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import {
  blaze,
  bytesOf,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  frame,
  inRun,
  killedSprites,
  stateOf,
} from '../support/sprites.ts';
import { calls, edit, has, hashes, read, readJson, type TestWorkspace, write } from '../support/workspace.ts';

let done: TestWorkspace;
let failed: TestWorkspace;
let id: string;

beforeAll(async () => {
  done = await drawnSprites();
  id = stateOf(done).run_id;
  // Frame 5 would need a fourth try.
  failed = copyOfSprites();
  edit(failed, blaze, 'iterations: 4', 'iterations: 3');
  edit(failed, blaze, 'failures: stop', 'failures: allow');
  await drawnSprites(failed);
}, 120_000);

const frames = [0, 1, 2, 3, 4, 5, 6, 7];

describe('inspect', () => {
  it('shows every attempt with its score and reasons, of a run that is named', async () => {
    const before = hashes(done);
    const { code, stdout } = await pawl(done, 'inspect', id);
    expect(code).toBe(0);
    for (const index of frames) expect(stdout).toMatch(new RegExp(`✓ +${frame(index)} +approved`));
    for (const { composite, reasons } of reportsOf(done, 5)) {
      expect(stdout).toContain(String(composite));
      for (const reason of reasons) expect(stdout).toContain(reason.slice(0, 60));
    }
    expect(stdout).toContain('36 attempts, 5 sent back');
    expect(hashes(done)).toEqual(before);
  });

  it('shows one frame by its number, with the paths of all that was drawn for it', async () => {
    const { code, stdout } = await pawl(done, 'inspect', '-C', blaze, '--unit', '5');
    expect(code).toBe(0);
    expect(stdout).not.toContain('frame_0004');
    for (const attempt of [1, 2, 3, 4])
      expect(stdout).toContain(inRun(done, `candidates/frame_0005_attempt_0${attempt}.png`));
    expect(stdout).toContain(inRun(done, 'approved/frame_0005.png'));
  });

  it('gives the same as data: a frame that failed, with its reasons', async () => {
    const { ok, units } = await pawlJson<Inspected>(failed, 'inspect', '-C', blaze, '--unit', '5');
    expect(ok).toBe(true);
    expect(units).toHaveLength(1);
    expect(units[0]).toMatchObject({ unit: 'frame_0005', index: 5, status: 'failed', verdict: 'rejected' });
    const audits = units[0]?.attempts.filter(({ phase }) => phase === 'audit') ?? [];
    expect(audits.map(({ attempt, verdict, passed }) => [attempt, verdict, passed])).toEqual(
      [1, 2, 3].map((attempt) => [attempt, 'rejected', false]),
    );
    const reports = reportsOf(failed, 5);
    expect(audits.map(({ score, scores, defects }) => ({ score, scores, defects }))).toEqual(
      reports.map(({ composite, scores, reasons }) => ({ score: composite, scores, defects: reasons })),
    );
    for (const { outputs } of units[0]?.attempts ?? [])
      for (const { path, size } of outputs) expect(bytesOf(failed, path)).toHaveLength(size);
  });

  it('gives the same as a table: a line for each attempt', async () => {
    const { code, stdout } = await pawl(done, 'inspect', '-C', blaze, '--csv');
    expect(code).toBe(0);
    const [head = '', ...lines] = stdout.trimEnd().split(/\r?\n/);
    const columns = head.split(',');
    expect(columns).toEqual(expect.arrayContaining(['run', 'unit', 'phase', 'attempt', 'verdict', 'score']));
    expect(lines).toHaveLength(36);
    const [unit, phase, score] = ['unit', 'phase', 'score'].map((name) => columns.indexOf(name));
    const scored = lines.map((line) => line.split(',')).filter((steps) => steps[phase ?? 0] === 'audit');
    expect(scored).toHaveLength(13);
    const ofFifth = scored.filter((steps) => steps[unit ?? 0] === 'frame_0005');
    expect(ofFifth.map((steps) => Number(steps[score ?? 0]))).toEqual(
      reportsOf(done, 5).map(({ composite }) => composite),
    );
  });
});

describe('report', () => {
  it('writes one page that needs nothing else, with every frame and its reasons', async () => {
    const work = copyOfRun(done);
    const written = await pawl(work, 'report', '-C', blaze);
    expect(written.code).toBe(0);
    const path = inRun(work, 'report.html');
    expect(written.stdout).toContain(path);
    const page = read(work, path);
    expectSelfContained(page);
    for (const index of frames) {
      const drawn = bytesOf(work, inRun(work, `approved/${frame(index)}.png`)).toString('base64');
      expect(page, frame(index)).toContain(`data:image/png;base64,${drawn}`);
    }
    for (const { reasons } of reportsOf(work, 5))
      for (const reason of reasons) expect(page).toContain(reason.slice(0, 40));
    expect(calls(work)).toEqual([]);
  });

  it('is made of a run at any time', async () => {
    const half = await killedSprites('frame_0003 finished');
    expect((await pawl(half, 'report', '-C', blaze)).code).toBe(0);
    const page = read(half, inRun(half, 'report.html'));
    expectSelfContained(page);
    for (const index of frames) expect(page).toContain(frame(index));
    const drawn = bytesOf(half, inRun(half, 'approved/frame_0003.png')).toString('base64');
    expect(page).toContain(drawn);
  });

  it('is written over its own page, and over no file of somebody else', async () => {
    const path = inRun(failed, 'report.html');
    for (const _ of [1, 2]) expect((await pawl(failed, 'report', '-C', blaze)).code).toBe(0);
    write(failed, path, 'my own page\n');
    expect((await pawl(failed, 'report', '-C', blaze)).code).not.toBe(0);
    expect(read(failed, path)).toBe('my own page\n');
  });
});

interface Report {
  readonly composite: number;
  readonly scores: Readonly<Record<string, number>>;
  readonly reasons: readonly string[];
}

interface Inspected {
  readonly ok: boolean;
  readonly units: readonly {
    readonly attempts: readonly {
      readonly phase: string;
      readonly attempt: number;
      readonly verdict?: string;
      readonly passed?: boolean;
      readonly score?: number;
      readonly scores?: object;
      readonly defects: readonly string[];
      readonly outputs: readonly { readonly path: string; readonly size: number }[];
    }[];
  }[];
}

/** What the auditor said of a frame, try by try. */
function reportsOf(work: TestWorkspace, index: number): Report[] {
  const paths = [1, 2, 3, 4].map((attempt) => inRun(work, `audits/${frame(index)}_attempt_0${attempt}.json`));
  return paths.filter((path) => has(work, path)).map((path) => readJson(work, path) as Report);
}

/** Nothing is fetched from anywhere: no address but the names of XML, no script or picture beside the page. */
function expectSelfContained(page: string): void {
  expect(page).toMatch(/^<!doctype html>/i);
  const addresses = page.match(/https?:\/\/[^"'\s<>)]+/g) ?? [];
  expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
  const sources = [...page.matchAll(/\b(?:src|srcset|href|data|action|poster)\s*=\s*"([^"]*)"/g)];
  for (const [, source = ''] of sources) expect(source).toMatch(/^(data:|#)/);
  expect(page).not.toMatch(/@import|url\((?!["']?(?:data:|#))/);
}
