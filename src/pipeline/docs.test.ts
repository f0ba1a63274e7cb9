import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manifestJsonSchema } from './json-schema.ts';
import { loadPipeline } from './load.ts';
import { memoryReader } from './memory-reader.ts';

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

function collectKeys(schema: unknown, keys: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [word, value] of Object.entries(schema)) {
    if (word === 'properties') for (const key of Object.keys(value as object)) keys.add(key);
    collectKeys(value, keys);
  }
}
