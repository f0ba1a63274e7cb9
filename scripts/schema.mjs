// Writes schema/pawl.schema.json from the code: `npm run build && npm run schema`.
import { writeFileSync } from 'node:fs';
import { manifestJsonSchema } from '../dist/index.js';

const target = new URL('../schema/pawl.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(manifestJsonSchema(), null, 2)}\n`);
