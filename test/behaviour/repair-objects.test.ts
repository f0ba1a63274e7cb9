import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { copyOf, read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

/* The content store has lost its objects, also those of an earlier round, which lies at no output path any more. */

const manifest = `
pawl: 1
pipeline: rounds
units: [a]
phases:
  write:
    run: { command: [sh, write.sh] }
    outputs: { text: "out/{unit}.txt" }
  lint:
    run: { command: [sh, lint.sh] }
    inputs: { text: write.text }
    outputs: { report: "out/{unit}.json" }
    gate: { verdict: report.status, pass: [pass], back_to: write, iterations: 3 }
`;
const files = {
  'write.sh': 'echo text >> rounds; cp rounds "$PAWL_OUTPUT_TEXT"\n',
  'lint.sh': `status=fail
[ "$(wc -l < rounds)" -ge 2 ] && status=pass
echo "{\\"status\\": \\"$status\\"}" > "$PAWL_OUTPUT_REPORT"
`,
};

let whole: TestWorkspace;

beforeAll(async () => {
  whole = workspaceWith(manifest, files);
  expect((await pawl(whole, 'run')).code).toBe(0);
});

function withoutObjects(): TestWorkspace {
  const work = copyOf(whole);
  const packs = join(work.root, '.pawl/objects/packs');
  for (const name of readdirSync(packs)) rmSync(join(packs, name));
  return work;
}

interface Repaired {
  readonly healed: readonly string[];
  readonly lost: readonly string[];
}

const repair = (work: TestWorkspace) => pawlJson<Repaired>(work, 'repair', '--yes', '--reason', 'so');

async function expectWhole(work: TestWorkspace): Promise<void> {
  const verified = await pawl(work, 'verify');
  expect(verified.code, verified.stdout).toBe(0);
  expect((await repair(work)).finished.code).toBe(2);
  expect((await pawl(work, 'run')).stdout).toContain('nothing to do');
  expect(read(work, 'rounds')).toBe(read(whole, 'rounds'));
}

describe('objects of an earlier round', () => {
  it('are put back from what their attempt left', async () => {
    const work = withoutObjects();
    expect((await pawl(work, 'verify')).code).toBe(7);
    const { finished, healed, lost } = await repair(work);
    expect(finished.code, finished.stderr).toBe(0);
    expect([...healed].sort()).toEqual(['out/a.json', 'out/a.json', 'out/a.txt', 'out/a.txt']);
    expect(lost).toEqual([]);
    await expectWhole(work);
  });

  it('of which no copy is left are accepted as lost, and named no more', async () => {
    const work = withoutObjects();
    rmSync(join(work.root, runFolder(work), 'attempts'), { recursive: true });
    const red = await pawl(work, 'verify');
    expect(red.code).toBe(7);
    expect(red.stdout).toContain('pawl repair');
    const { finished, healed, lost } = await repair(work);
    expect(finished.code, finished.stderr).toBe(0);
    expect([...healed].sort()).toEqual(['out/a.json', 'out/a.txt']);
    expect([...lost].sort()).toEqual(['out/a.json', 'out/a.txt']);
    await expectWhole(work);
  });
});
