import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { buildManifestSchema } from './schema/json-schema.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('schema/pawl.schema.json', () => {
  it('is what the code says (npm run schema writes it)', () => {
    expect(JSON.parse(read('schema/pawl.schema.json'))).toEqual(buildManifestSchema());
  });

  it('accepts the example, and not everything', () => {
    const schema = z.fromJSONSchema(buildManifestSchema() as Parameters<typeof z.fromJSONSchema>[0]);
    const book = parse(read('examples/book/pawl.yaml'));
    expect(schema.safeParse(book).error).toBeUndefined();
    expect(schema.safeParse({ ...book, phases: { plan: { run: { inline: 'plan' } } } }).success).toBe(false);
    expect(schema.safeParse({ ...book, colour: 'red' }).success).toBe(false);
    expect(schema.safeParse({ ...book, pawl: 2 }).success).toBe(false);
  });

  it('describes every key at the top', () => {
    const { properties } = buildManifestSchema() as { properties: Record<string, { description?: string }> };
    for (const [key, { description }] of Object.entries(properties)) expect(description, key).toBeDefined();
  });
});
