import { beforeAll, describe, expect, it } from 'vitest';
import { verifyRun } from '../../src/engine/index.ts';
import { engineAt, finalFiles, newPlace, type PipelineName, pawl } from './place.ts';

/** Starts a program under a limit of the system. */
const limited = (flag: string, limit: number) => [
  'sh',
  '-c',
  `ulimit ${flag} "$0" && exec "$@"`,
  String(limit),
];

describe.runIf(process.platform !== 'win32')('a run under a limit of the system', { timeout: 60_000 }, () => {
  const files = new Map<PipelineName, Record<string, string>>();

  beforeAll(async () => {
    for (const pipeline of ['loop', 'tools'] as const) {
      const place = newPlace(pipeline);
      expect((await pawl(place, ['run', place.work])).code).toBe(0);
      files.set(pipeline, finalFiles(place));
    }
  }, 60_000);

  // A write that crosses the limit takes a part; the next one takes nothing.
  it.each([0, 1, 3, 5, 9, 16, 100])('of %i blocks for a file', async (blocks) => {
    const first = await runTwice('loop', { before: limited('-f', blocks) });
    expect(first).toMatchObject({ code: 7, stdout: '' });
    expect(first.stderr).toMatch(/✗ the disk failed: .* \(EFBIG, write \/.*\)/);
  });

  // The words for failures may not be loaded any more then: the facts are told all the same.
  it('of open files, that a phase has used up', async () => {
    const first = await runTwice('loop', { before: limited('-n', 200), env: { FAULT_LEAK: '1' } });
    expect(first).toMatchObject({ code: 7, stdout: '' });
    expect(first.stderr).toMatch(/\bEMFILE\b/);
    expect(first.stderr).toMatch(/\bread\b.*\/out\/one\.md/s);
    expect(first.stderr).not.toMatch(/^ +at /m);
  });

  it.each(['loop', 'tools'] as const)('of open files, which %s does not reach', async (pipeline) => {
    const first = await runTwice(pipeline, { before: limited('-n', 200) });
    expect(first.code).toBe(0);
  });

  /** Under the limit, then without it: in the end all is as it should be. */
  async function runTwice(pipeline: PipelineName, options: Parameters<typeof pawl>[2]) {
    const place = newPlace(pipeline);
    const first = await pawl(place, ['run', place.work], options);
    expect((await pawl(place, ['run', place.work])).code).toBe(0);
    expect(finalFiles(place)).toEqual(files.get(pipeline));
    const verified = await verifyRun(engineAt(place), { path: place.work });
    // A file for people that cannot grow ends nothing: then it is a line of the journal that the limit cuts off.
    const findings = verified.ok ? verified.value.findings : [verified.failure];
    expect(findings.filter((finding) => !('weight' in finding) || finding.weight !== 'quiet')).toEqual([]);
    return first;
  }
});
