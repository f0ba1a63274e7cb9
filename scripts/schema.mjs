// Writes what is in schema/ from the code: `npm run build && npm run schema`.
import { writeFileSync } from 'node:fs';
import { briefJsonSchema, manifestJsonSchema } from '../dist/index.js';

write('pawl', await manifestJsonSchema());
write('brief', await briefJsonSchema());

function write(/** @type {string} */ name, /** @type {unknown} */ schema) {
  const target = new URL(`../schema/${name}.schema.json`, import.meta.url);
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
}
