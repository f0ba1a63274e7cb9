import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By folder: the licence of each package that is in any of the bundles. */
const packages = new Map();

/**
 * The bundles bring their dependencies along; their licences ask to come with them. Writes one text with all of those
 * that are in one, this or an earlier, and refuses a package that has none.
 * @returns {import('rolldown').Plugin}
 */
export function notices() {
  return {
    name: 'notices',
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        for (const id of part.type === 'chunk' ? part.moduleIds : []) {
          const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];
          if (folder !== undefined) packages.set(folder, licenceOf(folder));
        }
      const source = [...packages.values()].sort().join(`\n${'-'.repeat(80)}\n`);
      this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
    },
  };
}

function licenceOf(/** @type {string} */ folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence to bring along`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
