import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import {
  blaze,
  bytesOf,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  inRun,
  killedSprites,
  runFolders,
  stateOf,
} from '../support/sprites.ts';
import { read, type TestWorkspace, write } from '../support/workspace.ts';

interface Inspected {
  readonly units: readonly {
    readonly unit: string;
    readonly status: string;
    readonly attempts: readonly {
      readonly phase: string;
      readonly verdict?: string;
      readonly score?: number;
    }[];
  }[];
}

let drawn: TestWorkspace;

beforeAll(async () => {
  drawn = await drawnSprites();
});

describe('inspect', () => {
  it('finds a run by its id, its beginning, the name of its folder and the folder', async () => {
    const id = stateOf(drawn).run_id;
    const [folder = ''] = runFolders(drawn);
    for (const run of [id, id.slice(0, -2), folder.replace('runs/', ''), folder, `${folder}/`]) {
      const { code, stdout, stderr } = await pawl(drawn, 'inspect', run);
      expect([code, stderr], run).toEqual([0, '']);
      expect(stdout).toContain(id);
    }
    expect((await pawl(drawn, 'inspect', 'no-such-run', '-C', blaze)).code).toBe(5);
  });

  it('tells of every attempt at a frame what was found', async () => {
    const { units } = await pawlJson<Inspected>(drawn, 'inspect', '-C', blaze, '--unit', '5');
    const audits = units[0]?.attempts.filter(({ phase }) => phase === 'audit') ?? [];
    expect(units.map(({ unit, status }) => [unit, status])).toEqual([['frame_0005', 'succeeded']]);
    expect(audits.length).toBeGreaterThan(1);
    expect(audits.map(({ verdict }) => verdict === 'approved')).toEqual(
      audits.map((_, at) => at === audits.length - 1),
    );
    for (const { score } of audits) expect(score).toBeGreaterThan(0);
    const { stdout } = await pawl(drawn, 'inspect', '-C', blaze, '--unit', '5');
    expect(stdout).toMatch(/frame_0005 approved, \d attempts, best score 0\.\d+/);
    expect(stdout).toContain('is needed');
    expect(stdout).toContain(inRun(drawn, 'approved/frame_0005.png'));
  });

  it('gives a table with a line for each attempt', async () => {
    const { units } = await pawlJson<Inspected>(drawn, 'inspect', '-C', blaze);
    const { stdout } = await pawl(drawn, 'inspect', '-C', blaze, '--csv');
    const [header = '', ...lines] = stdout.split('\r\n');
    expect(header).toMatch(/^run,unit,index,stage,unit_status,phase,attempt,round,started_at,outcome,/);
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(units.reduce((sum, { attempts }) => sum + attempts.length, 0));
    for (const line of lines) expect(line.replaceAll(/"(?:[^"]|"")*"/g, '').split(',')).toHaveLength(28);
  });
});

describe('report', () => {
  it('is one page in the folder of the run, with every frame and every attempt in it', async () => {
    const work = copyOfRun(drawn);
    const before = bytesOf(work, inRun(work, 'state.json'));
    const { path, pictures, finished } = await pawlJson<{ path: string; pictures: { shown: number } }>(
      work,
      'report',
      stateOf(work).run_id,
    );
    expect([finished.code, path]).toEqual([0, inRun(work, 'report.html')]);
    const html = read(work, path);
    expect(html.match(/src="data:image\/png;base64,/g)).toHaveLength(pictures.shown);
    for (const frame of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const bytes = bytesOf(work, inRun(work, `approved/frame_000${frame}.png`));
      expect(html).toContain(bytes.toString('base64'));
    }
    expect(html).toContain(
      bytesOf(work, inRun(work, 'rejected/frame_0005_attempt_01.png')).toString('base64'),
    );
    expect(html).toContain(bytesOf(work, inRun(work, 'export/sheet.png')).toString('base64'));
    expect(html).not.toMatch(/(?:src|href)="(?!data:|#)/);
    expect(bytesOf(work, inRun(work, 'state.json'))).toEqual(before);
    expect((await pawl(work, 'verify', blaze)).code).toBe(0);
  });

  it('can be made of a run that was killed, and again when it has gone on', async () => {
    const work = await killedSprites('frame_0003/approve succeeded', copyOfSprites());
    expect((await pawl(work, 'report', '-C', blaze)).code).toBe(0);
    const path = inRun(work, 'report.html');
    expect(read(work, path)).toContain('interrupted');
    expect((await pawl(work, 'run', blaze)).code).toBe(0);
    expect((await pawl(work, 'report', '-C', blaze)).code).toBe(0);
    expect(read(work, path)).toContain('<span class="badge good">completed</span>');
  });

  it('overwrites nothing of anybody, not even where it is named', async () => {
    const work = copyOfRun(drawn);
    const path = inRun(work, 'report.html');
    write(work, path, '<p>my notes</p>');
    const refused = await pawlJson<{ reason: string }>(work, 'report', '-C', blaze);
    expect([refused.finished.code, refused.reason]).toEqual([4, 'not-a-report']);
    expect(read(work, path)).toBe('<p>my notes</p>');
    expect((await pawl(work, 'report', '-C', blaze, '-o', path)).code).toBe(4);
    expect(read(work, path)).toBe('<p>my notes</p>');
    expect((await pawl(work, 'report', '-C', blaze, '-o', 'page.html')).code).toBe(0);
    expect((await pawl(work, 'report', '-C', blaze, '-o', 'page.html')).code).toBe(0);
    expect(read(work, 'page.html')).toContain('Pawl report');
  });
});
