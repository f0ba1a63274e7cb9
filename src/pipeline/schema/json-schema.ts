import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { manifestSchema } from './manifest.ts';

/** The manifest's shape for editors, as JSON Schema draft 7: what they all understand. */
export function buildManifestSchema(): JsonObject {
  const schema = z.toJSONSchema(manifestSchema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A manifest in a file has no functions to give.
      if (jsonSchema.anyOf) jsonSchema.anyOf = jsonSchema.anyOf.filter((option) => !isInline(option));
    },
  });
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}

function isInline(schema: { readonly properties?: { readonly [key: string]: unknown } }): boolean {
  return schema.properties !== undefined && 'inline' in schema.properties;
}
