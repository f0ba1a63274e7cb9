import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { distFolder } from './measure.mjs';

const workload = join(dirname(fileURLToPath(import.meta.url)), 'workload.mjs');

/** Makes a workspace whose manifest is the workload, so that the library and the command run the same pipeline. */
export function writeConfig(
  /** @type {string} */ root,
  /** @type {{ units: number, durability: string }} */ { units, durability },
) {
  mkdirSync(root, { recursive: true });
  const imports = {
    definePipeline: pathToFileURL(join(distFolder, 'index.js')).href,
    workloadPipeline: pathToFileURL(workload).href,
  };
  const lines = Object.entries(imports).map(
    ([name, url]) => `import { ${name} } from ${JSON.stringify(url)};`,
  );
  const options = JSON.stringify({ units, durability });
  lines.push(`export const pipeline = workloadPipeline(definePipeline, ${options});`, '');
  writeFileSync(join(root, 'pawl.config.mjs'), lines.join('\n'));
}
