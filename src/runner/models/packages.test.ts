import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { findPackage, loadPackage, packageSpec, packagesOf } from './packages.ts';

const ai = { name: 'ai', major: 6 };

/** A workspace with a package of this version. */
function workspace(name: string, version: string, main = 'module.exports = { mine: true };'): string {
  return tempFolder({
    'package.json': '{}',
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, main: 'index.js' }),
    [`node_modules/${name}/index.js`]: main,
  });
}

describe('packages', () => {
  it('are the SDK and one for each way to speak', () => {
    expect(Object.values(packagesOf).map((all) => all.map(packageSpec))).toEqual([
      ['ai@6', '@ai-sdk/anthropic@3'],
      ['ai@6', '@ai-sdk/openai@3'],
      ['ai@6', '@ai-sdk/google@3'],
      ['ai@6', '@ai-sdk/openai-compatible@2'],
    ]);
  });

  it('of the workspace go first, then those beside this program', () => {
    const own = workspace('ai', '6.9.9');
    expect(findPackage(own, ai)).toBe(`${own}/node_modules/ai/index.js`);
    expect(loadPackage(findPackage(own, ai) ?? '')).toEqual({ mine: true });
    const beside = createRequire(import.meta.url).resolve('ai');
    expect(findPackage(tempFolder(), ai)).toBe(beside);
  });

  it('of another version are not taken', () => {
    const beside = createRequire(import.meta.url).resolve('ai');
    for (const version of ['5.9.0', '7.0.0', '60.1.0', '', '6'])
      expect(findPackage(workspace('ai', version), ai)).toBe(beside);
    expect(findPackage(workspace('ai', '5.0.0'), { name: 'ai', major: 4 })).toBeUndefined();
  });

  it('of an older minor version are not taken where one is named', () => {
    const own = workspace('ai', '6.10.1');
    expect(findPackage(own, { ...ai, minor: 9 })).toBe(`${own}/node_modules/ai/index.js`);
    expect(findPackage(own, { name: 'no-such-package', major: 6, minor: 9 })).toBeUndefined();
    expect(findPackage(workspace('odd', '6.10.1'), { name: 'odd', major: 6, minor: 11 })).toBeUndefined();
    expect(packageSpec({ ...ai, minor: 9 })).toBe('ai@6.9');
  });

  it('are found though they do not export their package.json', () => {
    const own = workspace('odd', '1.2.3');
    const text = JSON.stringify({ name: 'odd', version: '1.2.3', exports: { '.': './index.js' } });
    writeFileSync(`${own}/node_modules/odd/package.json`, text);
    expect(findPackage(own, { name: 'odd', major: 1 })).toBe(`${own}/node_modules/odd/index.js`);
  });

  it('that are not there, or broken, are not found', () => {
    expect(findPackage(tempFolder(), { name: 'no-such-package', major: 1 })).toBeUndefined();
    const broken = tempFolder({ 'node_modules/odd/package.json': '{' });
    expect(findPackage(broken, { name: 'odd', major: 1 })).toBeUndefined();
    const empty = tempFolder({ 'node_modules/odd/package.json': '{"name":"odd","version":"1.0.0"}' });
    expect(findPackage(empty, { name: 'odd', major: 1 })).toBeUndefined();
  });

  it('are all found here', () => {
    for (const all of Object.values(packagesOf))
      for (const wanted of all) expect(findPackage(tempFolder(), wanted)).toBeDefined();
  });
});
