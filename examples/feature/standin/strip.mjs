import * as nodeModule from 'node:module';

/** TypeScript as JavaScript, as modules that import one another as `.mjs`. @param {string} source */
export function strip(source) {
  const native = /** @type {{ stripTypeScriptTypes?: (code: string) => string }} */ (nodeModule);
  const code = native.stripTypeScriptTypes?.(source) ?? standInStrip(source);
  return code.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.mjs'");
}

/**
 * For Node before 22.13, which cannot do it. A stand-in like the rest: it knows the few forms that the stand-in programmer
 * writes, and no TypeScript.
 * @param {string} source
 */
function standInStrip(source) {
  return source
    .replaceAll(/^(?:export )?interface [^}]*\}\n/gm, '')
    .replaceAll(/^(?:export )?type .*;\n/gm, '')
    .replaceAll(/^import type .*;\n/gm, '')
    .replaceAll(/: (?:readonly )?(?:string|number|Refund|Column)(?:\[\])?(?=[,)]| [={])/g, '');
}
