import { ok } from '../../base/result.ts';
import { type Command, present } from '../command.ts';

export const schemaCommand: Command = {
  name: 'schema',
  group: 'care',
  summary: 'print the JSON Schema of a manifest, for editors',
  arguments: [],
  options: [],
  async perform() {
    const { manifestJsonSchema } = await import('../../engine/index.ts');
    return present('schema', ok(await manifestJsonSchema()), {
      loadText: async () => (schema) => JSON.stringify(schema, undefined, 2),
      isAsIs: true,
      isWhole: true,
    });
  },
};
