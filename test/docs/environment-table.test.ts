import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passedVariables } from '../../src/runner/executors/environment.ts';
import { projectRoot } from '../support/workspace.ts';

const page = readFileSync(join(projectRoot, 'docs/reference/manifest.md'), 'utf8');
const part = page.slice(page.indexOf('#### What a command finds'), page.indexOf('### model'));

it('names every variable that a command of a phase is told its task in, and no other', () => {
  const folder = join(projectRoot, 'src/runner/executors');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const texts = sources.map((name) => readFileSync(join(folder, name), 'utf8'));
  const set = new Set(texts.join('\n').match(/\bPAWL_[A-Z_]+/g));
  const told = Array.from(part.matchAll(/^\| `(PAWL_[A-Z_]+)…?` \|/gm), ([, name]) => name);
  expect(set.size).toBeGreaterThan(10);
  expect(told.toSorted()).toEqual([...set].toSorted());
});

it('names what is passed on', () => {
  for (const name of passedVariables) expect(part).toContain(`\`${name}\``);
});
