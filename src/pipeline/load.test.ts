import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemoryFile, memoryReader } from '../../test/fixtures/memory-reader.ts';
import { hashBytes, hashJson } from '../base/hash.ts';
import { canonicalJson } from '../base/json.ts';
import type { Failure } from '../model/failure.ts';
import { loadPipeline } from './load.ts';
import type { LoadedPipeline } from './loaded.ts';
import { missingFiles } from './missing.ts';

const book = `# yaml-language-server: $schema=../../schema/pawl.schema.json
pawl: 1
pipeline: book
identity: { book: ember, volume: 2 }
durability: process
inputs:
  outline: { path: outline.yaml, on_change: rerun }
  style: ./style.md
state: { path: draft/state.json, initial: seed-state.json, cascade: rerun }
units: { from: outline.scenes, id: "ch{chapter:03}_sc{scene:03}", order: chain }
phases:
  plan:
    prompt: { system: templates/system.md, phase: templates/plan.md, override: book/plan.md }
    run: { function: ./phases.js#plan }
    params: { words: 300 }
    outputs: { scene_card: "draft/context/{unit}/scene_card.json" }
  write:
    prompt: templates/write.md
    run: { command: [node, write.mjs, "{unit}", "{input.scene_card}", "{output.prose}", "{param.words}"], env: { LANG: C, N: 1 } }
    params: { words: 300 }
    state: read
    outputs:
      prose: { path: "draft/{unit}.md", check: non-empty }
      patch: { path: "draft/{unit}.json", check: { json-schema: patch.schema.json } }
    retries: { attempts: 3, backoff: 2s }
    timeout: 10m
    on_interrupt: continue
  repair:
    when: gate-failed
    run: { command: [node, repair.mjs] }
    inputs: { prose: [repair.prose, write.prose], report: lint.report, style: style }
    outputs: { prose: { path: "draft/{unit}.repaired.md", check: { regex: "^# ", flags: m } } }
  lint:
    needs: [write, repair]
    run: { command: [node, tools/lint.mjs, "{output.report}"] }
    outputs: { report: { path: "draft/context/{unit}/lint.json", check: json } }
    gate: { verdict: report.status.final, pass: [pass, true], back_to: repair, iterations: 3, then: ask }
    retries: 2
  commit:
    run: { command: [node, commit.mjs] }
    state: write
    outputs: { log: { path: "draft/{unit}.log", check: { command: [node, check.mjs, "{file}"] } } }
layout: { ledger: "draft/context/phase_history/{unit}.json" }
pace: { concurrency: 2, grace: 5s }
`;

const files: Record<string, MemoryFile> = {
  'pawl.yaml': book,
  'outline.yaml':
    'scenes:\n  - { chapter: 1, scene: 1, title: Ash }\n  - { chapter: 1, scene: 2, title: Key }\n',
  'style.md': 'plain',
  'patch.schema.json': '{ "type": "object" }',
  'templates/system.md': 'You write. {% include "voice.md" %}',
  'templates/voice.md': 'Plain words.',
  'templates/plan.md': 'Plan {{ unit.title }}',
  'templates/write.md': 'Write {{ unit.title }}',
};

async function load(changes: Record<string, MemoryFile | undefined> = {}): Promise<LoadedPipeline> {
  const present = Object.entries({ ...files, ...changes }).filter(([, file]) => file !== undefined);
  const result = await loadPipeline(memoryReader(Object.fromEntries(present) as typeof files), 'pawl.yaml');
  if (!result.ok) throw new Error(JSON.stringify(result.failure, undefined, 1));
  return result.value;
}

const withText = (from: string, to: string) => ({ 'pawl.yaml': book.replace(from, to) });

async function phaseOf(name: string) {
  const { pipeline } = await load();
  return pipeline.stages[0]?.phases.find((phase) => phase.name === name);
}

describe('the whole example', () => {
  it('loads, with every default filled in', async () => {
    const { pipeline } = await load();
    expect(pipeline).toMatchObject({
      name: 'book',
      identity: { book: 'ember', volume: '2' },
      durability: 'process',
      files: [
        { name: 'outline', path: 'outline.yaml', onChange: 'rerun' },
        { name: 'style', path: 'style.md', onChange: undefined },
      ],
      state: {
        path: 'draft/state.json',
        initial: 'seed-state.json',
        snapshots: 'draft/state/{unit}.json',
        cascade: 'rerun',
      },
      layout: { ledger: 'draft/context/phase_history/{unit}.json' },
      pace: { concurrency: 2, graceMs: 5000 },
    });
    const [stage, ...more] = pipeline.stages;
    expect(more).toEqual([]);
    expect(stage?.name).toBe('main');
    expect(stage?.units.map(({ id }) => id)).toEqual(['ch001_sc001', 'ch001_sc002']);
    expect(stage?.phases.map(({ name, needs }) => [name, needs])).toEqual([
      ['plan', []],
      ['write', ['plan']],
      ['repair', ['write']],
      ['lint', ['write', 'repair']],
      ['commit', ['lint']],
    ]);
  });

  it('has phases as they are written', async () => {
    expect(await phaseOf('plan')).toEqual({
      name: 'plan',
      needs: [],
      when: 'always',
      executor: { kind: 'function', module: 'phases.js', name: 'plan' },
      prompt: { system: 'templates/system.md', phase: 'templates/plan.md', override: 'book/plan.md' },
      inputs: [],
      outputs: [
        {
          name: 'scene_card',
          path: 'draft/context/{unit}/scene_card.json',
          check: undefined,
          optional: false,
          onEdit: 'refuse',
        },
      ],
      state: 'none',
      gate: undefined,
      params: { words: 300 },
      ladder: [],
      limits: undefined,
      // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
      retries: { attempts: undefined, backoffMs: 1000, then: 'stop' },
      timeoutMs: 30 * 60_000,
      onInterrupt: 'rerun',
      again: 'fresh',
      checkpoints: [],
      revises: [],
      code: { onChange: undefined, files: [] },
      onChange: undefined,
    });
    expect(await phaseOf('write')).toMatchObject({
      executor: { kind: 'command', env: { LANG: 'C', N: '1' } },
      prompt: { system: undefined, phase: 'templates/write.md', override: undefined },
      inputs: [{ kind: 'artifact', name: 'scene_card', from: [{ phase: 'plan', output: 'scene_card' }] }],
      outputs: [
        { check: { kind: 'non-empty' } },
        { check: { kind: 'json-schema', path: 'patch.schema.json', schema: { type: 'object' } } },
      ],
      state: 'read',
      retries: { attempts: 3, backoffMs: 2000 },
      timeoutMs: 600_000,
      onInterrupt: 'continue',
    });
    expect(await phaseOf('repair')).toMatchObject({
      when: 'gate-failed',
      inputs: [
        {
          kind: 'artifact',
          name: 'prose',
          from: [
            { phase: 'repair', output: 'prose' },
            { phase: 'write', output: 'prose' },
          ],
        },
        { kind: 'artifact', name: 'report', from: [{ phase: 'lint', output: 'report' }] },
        { kind: 'file', name: 'style', file: 'style' },
      ],
      outputs: [{ check: { kind: 'regex', pattern: '^# ', flags: 'm' } }],
    });
  });

  it('has a gate, and a state that is committed', async () => {
    const lint = await phaseOf('lint');
    expect(lint?.gate).toEqual({
      output: 'report',
      path: ['status', 'final'],
      pass: ['pass', 'true'],
      backTo: 'repair',
      iterations: 3,
      keep: 'last',
      // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
      then: 'ask',
    });
    expect(lint?.retries).toMatchObject({ attempts: 2, backoffMs: 1000 });
    // Two needed phases have an output `prose`: each is named with its phase.
    expect(lint?.inputs.map(({ name }) => name)).toEqual(['write.prose', 'patch', 'repair.prose']);
    expect((await phaseOf('commit'))?.outputs).toEqual([
      {
        name: 'log',
        path: 'draft/{unit}.log',
        check: { kind: 'command', argv: ['node', 'check.mjs', '{file}'] },
        optional: false,
        onEdit: 'refuse',
      },
      {
        name: 'state',
        path: 'draft/state/{unit}.json',
        check: { kind: 'json' },
        optional: false,
        onEdit: 'refuse',
      },
    ]);
  });

  it('gives the same every time', async () => {
    const [{ locate: _a, ...first }, { locate: _b, ...second }] = [await load(), await load()];
    expect(second).toEqual(first);
  });

  it('reads the same behind a byte order mark and with carriage returns', async () => {
    const { locate, ...plain } = await load();
    const windows = await load({ 'pawl.yaml': `\ufeff${book.replaceAll('\n', '\r\n')}` });
    expect(windows.pipeline).toEqual(plain.pipeline);
    expect(windows.statics).toEqual(plain.statics);
    expect(windows.locate('phases.write.timeout')).toEqual(locate('phases.write.timeout'));
    expect(windows.locate('pawl')).toEqual({ file: 'pawl.yaml', line: 2, column: 7, source: 'pawl: 1' });
  });
});

describe('stages', () => {
  it('have units and phases of their own', async () => {
    const manifest = `pawl: 1
pipeline: p
stages:
  - { name: draft, units: [a, b], phases: { write: { run: { command: [x] }, outputs: { o: "d/{unit}" } } } }
  - { name: print, units: { list: [c], order: chain }, phases: { bind: { run: { command: [x] }, outputs: { o: "p/{unit}" } } } }
`;
    const { pipeline } = await load({ 'pawl.yaml': manifest });
    expect(pipeline.stages.map(({ name, order, units }) => [name, order, units.length])).toEqual([
      ['draft', 'free', 2],
      ['print', 'chain', 1],
    ]);
    expect(pipeline.identity).toEqual({ pipeline: 'p' });
    expect(pipeline.stages[1]?.phases[0]?.needs).toEqual([]);
  });
});

describe('inputs', () => {
  it('are none when a phase says so', async () => {
    const { pipeline } = await load(withText('    state: write\n', '    state: write\n    inputs: {}\n'));
    expect(pipeline.stages[0]?.phases.at(-1)?.inputs).toEqual([]);
  });
});

describe('the manifest that is compared', () => {
  const canonical = async (text: string) =>
    canonicalJson((await load({ 'pawl.yaml': text })).pipeline.manifest);

  it('does not depend on comments, quotes, or the order of keys', async () => {
    const shuffled = book
      .replace('pawl: 1\npipeline: book\n', 'pipeline: "book" # the name\npawl: 1\n')
      .replace('{ book: ember, volume: 2 }', "{ volume: 2, book: 'ember' }")
      .replace('    needs: [write, repair]\n    run:', '    needs:\n      - write\n      - repair\n    run:');
    expect(shuffled).not.toBe(book);
    expect(await canonical(shuffled)).toBe(await canonical(book));
  });

  it('says what the order of the phases means', async () => {
    const phase = (name: string, keys = '') => `  ${name}: { run: { command: [x] }${keys} }\n`;
    const head = 'pawl: 1\npipeline: p\nunits: [u]\nphases:\n';
    const gate = ', outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 2 }';
    const { pipeline } = await load({ 'pawl.yaml': head + phase('a') + phase('b') + phase('c', gate) });
    expect(pipeline.manifest.phases).toMatchObject({
      a: { needs: [] },
      b: { needs: ['a'] },
      c: { needs: ['b'], gate: { loop: ['a', 'b', 'c'] } },
    });
    expect(await canonical(head + phase('b') + phase('a') + phase('c', gate))).not.toBe(
      canonicalJson(pipeline.manifest),
    );
  });

  it('never holds pace or layout', async () => {
    const before = await load();
    const duration = fc.oneof(
      fc.integer({ min: 1, max: 100_000 }),
      fc.constantFrom('500ms', '2s', '10m', '1h'),
    );
    const attempts = fc.integer({ min: 1, max: 1000 });
    const pace = fc.record({
      concurrency: fc.integer({ min: 1, max: 64 }),
      grace: duration,
      timeout: duration,
      attempts,
    });
    await fc.assert(
      fc.asyncProperty(pace, async ({ concurrency, grace, timeout, attempts }) => {
        const text = book
          .replace(
            'pace: { concurrency: 2, grace: 5s }',
            `pace: { concurrency: ${concurrency}, grace: ${grace} }`,
          )
          .replace('timeout: 10m', `timeout: ${timeout}`)
          .replace(
            'retries: { attempts: 3, backoff: 2s }',
            `retries: { attempts: ${attempts}, backoff: ${timeout} }`,
          )
          .replace('draft/context/phase_history', `l${concurrency}`);
        const after = await load({ 'pawl.yaml': text });
        expect(after.pipeline.manifest).toEqual(before.pipeline.manifest);
        expect(after.statics).toEqual(before.statics);
        expect(after.pipeline.pace.concurrency).toBe(concurrency);
      }),
      { numRuns: 20 },
    );
  });
});

describe('statics', () => {
  const definitions = ({ statics }: LoadedPipeline) =>
    Object.fromEntries([...statics].map(([name, { definition }]) => [name, definition]));
  const changed = async (change: Record<string, MemoryFile>) => {
    const before = definitions(await load());
    const after = definitions(await load(change));
    return Object.keys(before).filter((name) => before[name] !== after[name]);
  };

  it('tell which phase is defined otherwise', async () => {
    expect(await changed(withText('words: 300', 'words: 301'))).toEqual(['plan']);
    expect(await changed(withText('tools/lint.mjs', 'tools/lint2.mjs'))).toEqual(['lint']);
    expect(await changed({ 'patch.schema.json': '{ "type": "array" }' })).toEqual(['write']);
    expect(await changed({ 'patch.schema.json': '{   "type":\n"object" }' })).toEqual([]);
    expect(await changed(withText('durability: process', 'durability: power'))).toEqual([]);
  });

  it('list each template by its role, and everything that is included', async () => {
    const { statics, templates } = await load();
    const roles = Object.fromEntries(statics.get('plan')?.templates ?? []);
    const hash = (path: string) => hashBytes(String(files[path]));
    expect(roles).toEqual({
      system: { path: 'templates/system.md', hash: hash('templates/system.md') },
      'include:templates/voice.md': { path: 'templates/voice.md', hash: hash('templates/voice.md') },
      phase: { path: 'templates/plan.md', hash: hash('templates/plan.md') },
    });
    expect([...templates.keys()].sort()).toEqual(
      Object.keys(files)
        .filter((path) => path.startsWith('templates/'))
        .sort(),
    );
    expect(statics.get('repair')?.templates.size).toBe(0);
  });

  it('list an override where there is one', async () => {
    const { statics } = await load({ 'book/plan.md': 'Mine {% render "more.md" %}', 'book/more.md': 'More' });
    expect([...(statics.get('plan')?.templates.keys() ?? [])]).toEqual([
      'system',
      'include:templates/voice.md',
      'phase',
      'override',
      'include:book/more.md',
    ]);
  });

  it('list the declared files that a phase takes', async () => {
    const { statics } = await load();
    expect([...(statics.get('repair')?.files ?? [])]).toEqual([
      ['style', { path: 'style.md', hash: hashBytes('plain') }],
    ]);
    expect(statics.get('plan')?.files.size).toBe(0);
  });

  it('hash the fields of units', async () => {
    const { unitData } = await load();
    expect(unitData.get('ch001_sc002')).toBe(hashJson({ title: 'Key', scene: 2, chapter: 1 }));
  });
});

describe('files that are not there', () => {
  it('are facts for the load and problems for a new run', async () => {
    expect(missingFiles(await load())).toEqual([]);
    const loaded = await load({
      'templates/system.md': undefined,
      'templates/write.md': undefined,
      'style.md': undefined,
    });
    expect(loaded.statics.get('write')?.templates.get('phase')).toEqual({
      path: 'templates/write.md',
      hash: undefined,
    });
    expect(loaded.statics.get('repair')?.files.get('style')).toEqual({ path: 'style.md', hash: undefined });
    expect(
      missingFiles(loaded).map(({ code, path, place, facts }) => [
        code,
        path,
        place?.line,
        place?.column,
        facts,
      ]),
    ).toEqual([
      [
        'template-missing',
        'phases.plan.prompt.system',
        13,
        23,
        { found: 'templates/system.md', role: 'system' },
      ],
      ['template-missing', 'phases.write.prompt', 18, 13, { found: 'templates/write.md', role: 'phase' }],
      ['file-unreadable', 'inputs.style', 8, 10, { found: 'style.md', cause: 'ENOENT' }],
    ]);
  });

  it('are found among includes, too', async () => {
    const loaded = await load({ 'templates/voice.md': undefined });
    expect(missingFiles(loaded)).toMatchObject([
      {
        code: 'template-missing',
        path: 'phases.plan.prompt',
        facts: { found: 'voice.md', role: 'include:voice.md' },
      },
    ]);
  });
});

describe('a failure', () => {
  it('names the file', async () => {
    const result = await loadPipeline(memoryReader({ 'sub/p.yml': 'pawl: 1' }), 'sub/p.yml');
    const failure: Failure | undefined = result.ok ? undefined : result.failure;
    expect(failure).toMatchObject({
      reason: 'manifest-invalid',
      file: 'sub/p.yml',
      problems: [{ path: 'pipeline' }],
    });
  });
});
