import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hashJson } from '../../src/base/hash.ts';
import { canonicalJson, type JsonObject } from '../../src/base/json.ts';
import { nodeDisk } from '../../src/disk/node-disk.ts';
import { openContent } from '../../src/store/open-store.ts';
import { pawl } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import { rewriteJournal } from '../support/older-journal.ts';
import { calls, edit, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

it('policies may change at any time, one after the other', async () => {
  const work = workspaceWith(manifest, { 'rules.md': 'be kind\n' });
  expect((await pawl(work, 'run')).code).toBe(0);
  const changes: [string, string][] = [
    ['rules: rules.md', 'rules: { path: rules.md, on_change: block }'],
    ['pipeline: open', 'pipeline: open\non_change: rerun\ncode: refuse\nconfirm_above: { steps: 1 }'],
    [', on_edit: adopt', ', on_edit: ask'],
    [', on_edit: ask', ''],
    ['  one:\n', '  one:\n    on_change: ask\n    code: { on_change: ask }\n'],
  ];
  for (const [from, to] of changes) {
    edit(work, 'pawl.yaml', from, to);
    const { code, stderr } = await pawl(work, 'run');
    expect(code, stderr).toBe(0);
  }
  expect(calls(work)).toHaveLength(1);
  await expectNothingToDo(work);
});

it('of a run that an older version made, with policies in its hashes, too', async () => {
  const work = workspaceWith(manifest, { 'rules.md': 'be kind\n' });
  expect((await pawl(work, 'run')).code).toBe(0);
  await asOlderVersion(work);
  await expectNothingToDo(work);
  edit(work, 'pawl.yaml', 'on_edit: adopt', 'on_edit: ask');
  const plan = await pawl(work, 'plan');
  expect(plan.code, plan.stdout).toBe(0);
  expect((await pawl(work, 'run')).code).toBe(0);
  edit(work, 'pawl.yaml', ', on_edit: ask', '');
  expect((await pawl(work, 'run')).code).toBe(0);
  expect(calls(work)).toHaveLength(1);
  edit(work, 'pawl.yaml', 'word: first', 'word: second');
  expect((await pawl(work, 'run')).code).toBe(4);
});

/** An older version recorded `on_edit` in the manifest and in the definition of the phase. */
async function asOlderVersion(work: TestWorkspace): Promise<void> {
  const store = openContent(nodeDisk, join(work.root, '.pawl/objects'), { durable: false });
  const [revision] = eventsOf(work, 'revision_recorded') as unknown as { manifest: `sha256:${string}` }[];
  const bytes = revision && store.get(revision.manifest);
  if (!(bytes instanceof Uint8Array)) throw new Error('the manifest is not in the store');
  const recorded = JSON.parse(new TextDecoder().decode(bytes)) as {
    phases: { one: JsonObject };
  } & JsonObject;
  const outputs = { text: { path: 'out/{unit}.txt', check: 'non-empty', on_edit: 'adopt' } };
  const one = { ...recorded.phases.one, outputs };
  const older = { ...recorded, phases: { one } };
  store.put(Buffer.from(canonicalJson(older)));
  await store.close();
  rewriteJournal(work, (event) => {
    if (event.type !== 'revision_recorded') return event;
    const phases = event.phases as Readonly<Record<string, object>>;
    const definition = hashJson({ phase: 'one', written: one });
    return { ...event, manifest: hashJson(older), phases: { one: { ...phases.one, definition } } };
  });
}

const manifest = `
pawl: 1
pipeline: open
inputs: { rules: rules.md }
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    params: { word: first }
    inputs: { rules: rules }
    outputs: { text: { path: "out/{unit}.txt", check: non-empty, on_edit: adopt } }
`;
