import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadPipeline } from './load.ts';
import { memoryReader } from './memory-reader.ts';
import { manifestJsonSchema } from './shape/json-schema.ts';

const page = readFileSync(new URL('../../docs/reference/manifest.md', import.meta.url), 'utf8');

describe('docs/reference/manifest.md', () => {
  it('has an example that loads', async () => {
    const [, example = ''] = /```yaml\n([^`]*)```/.exec(page) ?? [];
    const files = {
      'pawl.yaml': example,
      'outline.yaml': 'scenes: [{ chapter: 1, scene: 1 }, { chapter: 1, scene: 2 }]',
      'patch.schema.json': '{}',
    };
    expect(await loadPipeline(memoryReader(files), 'pawl.yaml')).toMatchObject({ ok: true });
  });

  it('names every key that there is', () => {
    const keys = new Set<string>();
    collectKeys(manifestJsonSchema(), keys);
    const missing = [...keys].filter((key) => !new RegExp(String.raw`\b${key}\b`).test(page));
    expect(missing).toEqual([]);
  });
});

describe('docs/reference/checks.md', () => {
  const checks = readFileSync(new URL('../../docs/reference/checks.md', import.meta.url), 'utf8');

  it('has an example that loads', async () => {
    const [, example = ''] = /```yaml\n([^`]*)```/.exec(checks) ?? [];
    const files = { 'pawl.yaml': example, 'plan.schema.json': '{}' };
    expect(await loadPipeline(memoryReader(files), 'pawl.yaml')).toMatchObject({ ok: true });
  });

  it('has a part about every check', () => {
    const parts = Array.from(checks.matchAll(/^## ([a-z-]+)$/gm), ([, name]) => name);
    expect(parts.toSorted()).toEqual(checkKinds().toSorted());
  });
});

/** As the schema of the manifest lists them: words, and maps by their first key. */
function checkKinds(): string[] {
  const kinds = new Set<string>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { description, anyOf } = schema as { description?: string; anyOf?: readonly CheckForm[] };
    if (description === 'What proves the file') {
      for (const { enum: words = [], properties = {} } of anyOf ?? [])
        for (const kind of [...words, ...Object.keys(properties).slice(0, 1)]) kinds.add(kind);
    }
    Object.values(schema).forEach(visit);
  };
  visit(manifestJsonSchema());
  return [...kinds];
}

interface CheckForm {
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

function collectKeys(schema: unknown, keys: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [word, value] of Object.entries(schema)) {
    if (word === 'properties') for (const key of Object.keys(value as object)) keys.add(key);
    collectKeys(value, keys);
  }
}
