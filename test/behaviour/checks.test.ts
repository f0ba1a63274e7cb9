import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePng } from '../fixtures/png.ts';
import { pawl, pawlJson, pawlProcess } from '../support/command.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import {
  copyOf,
  has,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;
let work: TestWorkspace;

/** No two frames are alike. */
const frame = (name: string) => makePng({ width: 24, height: 24, next: pattern(name.charCodeAt(0)) });
const png = frame('b');
const imageDataAt = 8 + 25;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'draw.mjs': draw, 'checks.mjs': checks });
  for (const name of ['a', 'b', 'c']) write(done, `drawn/${name}.png`, frame(name));
  const run = await pawl(done, 'run');
  expect(run.code, run.stderr).toBe(0);
  expect(asked(done)).toEqual(['a good', 'b good', 'c good']);
});

beforeEach(() => {
  work = copyOf(done);
});

describe('a PNG that is damaged', () => {
  const flipped = (at: number) => {
    const bytes = Buffer.from(png);
    bytes.writeUInt8(png.readUInt8(at) ^ 0x10, at);
    return bytes;
  };
  const cuts = Array.from({ length: 10 }, (_, nth) => Math.floor(((nth + 0.5) * png.length) / 10));

  it.each<[string, Uint8Array, string]>([
    ...cuts.map((at): [string, Uint8Array, string] => [`cut at ${at}`, png.subarray(0, at), 'cut off']),
    ['ending in NULs', Buffer.from(png).fill(0, 500), 'IDAT at byte 33: damaged: its checksum is 00000000'],
    ['with a flipped byte in its header', flipped(19), 'IHDR at byte 8: damaged'],
    ['with a flipped byte in its data', flipped(imageDataAt + 200), 'IDAT at byte 33: damaged'],
    ['with a flipped byte in a checksum', flipped(png.length - 14), 'IDAT at byte 33: damaged'],
    ['without its end', png.subarray(0, -12), 'the file ends without IEND'],
    ['with bytes behind it', Buffer.concat([png, Buffer.alloc(9)]), '9 bytes behind the end of the picture'],
    ['empty', Buffer.alloc(0), 'empty'],
    ['another type of file', Buffer.from('GIF89a, and so on'), 'not a PNG: it begins with 47 49 46 38'],
    ['of another size', makePng({ width: 24, height: 23 }), 'its height is 23, expected 24'],
  ])('%s, is moved aside and made again, and no other', async (_, damaged, reason) => {
    const before = hashes(work, 'out');
    write(work, 'out/b.png', damaged);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('b/draw started (attempt 2, out/b.png is damaged: its check png fails (');
    expect(run.stderr).toContain(reason);
    expect(stepsCalled(work)).toEqual(['b/draw']);
    expect(hashes(work, 'out')).toEqual(before);
    const aside = /out\/b\.png stood in the way; moved to (\S+)/.exec(run.stderr)?.[1] ?? '';
    expect(readFileSync(join(work.root, aside)).equals(damaged)).toBe(true);
  });

  it('or is that of another frame, is made again', async () => {
    write(work, 'out/b.png', frame('a'));
    expect((await pawl(work, 'plan')).stdout).toContain(
      'out/b.png is damaged: it is a copy of the output of a/draw',
    );
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['b/draw']);
  });

  it('or was never whole, is no result', async () => {
    write(work, 'drawn/b.png', png.subarray(0, -20));
    const run = await pawl(work, 'run', '--rerun-from', 'draw', '--unit', 'b');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('an output did not pass its check (output frame, check png, out/b.png)');
    expect(run.stdout).toContain('IDAT at byte 33: cut off');
  });

  it('is one that was edited, when it is whole', async () => {
    write(work, 'out/b.png', frame('x'));
    expect((await pawl(work, 'run')).code).toBe(4);
    expect((await pawl(work, 'adopt', 'out/b.png', '--reason', 'by hand')).code).toBe(0);
    await expectNothingToDo(work);
    await expectSound(work);
  });
});

describe('a picture that nobody here can judge', () => {
  it('is taken for an edit and not for damage', async () => {
    const plain = workspaceWith(manifest.replace('{ png: { width: 24, height: 24 } }', 'image'), {
      'draw.mjs': draw,
      'checks.mjs': checks,
    });
    for (const name of ['a', 'b', 'c']) write(plain, `drawn/${name}.png`, frame(name));
    expect((await pawl(plain, 'run')).code).toBe(0);
    const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex');
    write(plain, 'out/b.png', jpeg);
    const refused = await pawl(plain, 'run');
    // Where sharp is installed it says that this is no picture.
    if (refused.code === 0) return;
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('out/b.png was edited by hand');
    // Vitest has words of its own for a package that is missing.
    const adopted = await pawlProcess(plain, 'adopt', 'out/b.png', '--reason', 'so');
    expect(adopted.code).toBe(4);
    expect(adopted.stderr).toContain('out/b.png does not pass its check image: sharp is not installed');
    expect(readFileSync(join(plain.root, 'out/b.png')).equals(jpeg)).toBe(true);
  });
});

describe('a check that is a function', () => {
  it('is not asked by whoever only looks', async () => {
    write(work, 'out/b.txt', 'bad\n');
    for (const command of ['status', 'plan', 'verify', 'diff', 'runs']) await pawl(work, command);
    await pawl(work, 'why', 'b/draw');
    expect((await pawl(work, 'run')).code).toBe(4);
    expect(asked(work)).toEqual(asked(done));
  });

  it('is asked when an edited file is adopted', async () => {
    write(work, 'out/b.txt', 'bad\n');
    const refused = await pawlJson<{ check: string; detail: string }>(
      work,
      'adopt',
      'b/draw',
      '--reason',
      'so',
    );
    expect(refused).toMatchObject({ reason: 'adopt-check-failed', check: 'function' });
    expect(refused.detail).toBe('b says bad');
    write(work, 'out/b.txt', 'good and new\n');
    expect((await pawl(work, 'adopt', 'b/draw', '--reason', 'so')).code).toBe(0);
    expect(asked(work)).toEqual(['a good', 'b bad', 'b good', 'b good and new', 'c good']);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual([]);
  });

  it('refuses what a phase made, in its own words', async () => {
    write(work, 'words', 'worse');
    const run = await pawl(work, 'run', '--rerun-from', 'draw', '--unit', 'c');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('an output did not pass its check (output note, check function, out/c.txt)');
    expect(run.stdout).toContain('c says worse');
    expect(read(work, 'out/c.txt')).toBe('good\n');
  });

  it('that is not there is said to be missing', async () => {
    const lost = workspaceWith(manifest.replace('#isGood', '#isBad'), {
      'draw.mjs': draw,
      'checks.mjs': checks,
    });
    for (const name of ['a', 'b', 'c']) write(lost, `drawn/${name}.png`, frame(name));
    const run = await pawl(lost, 'run');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('function-missing: checks.mjs#isBad');
  });
});

/** What the check function was asked about, sorted. */
function asked(workspace: TestWorkspace): string[] {
  return has(workspace, 'asked') ? read(workspace, 'asked').trim().split('\n').toSorted() : [];
}

function pattern(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
}

const draw = `
import { existsSync, readFileSync } from 'node:fs';
import { noteCall } from './door.mjs';
export function draw({ unit, phase, attempt, iteration }) {
  noteCall(unit.id, phase, attempt, iteration);
  const words = new URL('words', import.meta.url);
  const note = existsSync(words) ? readFileSync(words, 'utf8') : 'good';
  return { frame: readFileSync(new URL('drawn/' + unit.id + '.png', import.meta.url)), note: note + '\\n' };
}`;

const checks = `
import { appendFileSync } from 'node:fs';
export async function isGood(file) {
  const text = file.text().trim();
  appendFileSync(new URL('asked', import.meta.url), file.unit.id + ' ' + text + '\\n');
  return text.startsWith('good') || file.unit.id + ' says ' + text;
}`;

const manifest = `
pawl: 1
pipeline: frames
units: [a, b, c]
phases:
  draw:
    run: { function: ./draw.mjs#draw }
    outputs:
      frame: { path: "out/{unit}.png", check: { png: { width: 24, height: 24 } } }
      note: { path: "out/{unit}.txt", check: { function: ./checks.mjs#isGood } }
`;
