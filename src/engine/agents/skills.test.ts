import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { packageRoot } from '../../base/program.ts';
import { commands } from '../../cli/commands.ts';
import { planPipeline } from '../show/plan.ts';
import { skillMark } from './definitions.ts';
import { shippedSkills } from './skills.ts';

const skills = shippedSkills(realEnvironment('/'));

describe.each(skills)('the skill $name', ({ name, text }) => {
  it('is short, and says what it is for and whose it is', () => {
    expect(text.split('\n').length).toBeLessThan(120);
    const [, front = ''] = text.split('---\n');
    const { description, ...rest } = parse(front) as Record<string, unknown>;
    expect(rest).toEqual({ name, license: 'MIT', metadata: { package: 'pawl' } });
    expect(String(description).length).toBeLessThan(1024);
    expect(text).toMatch(skillMark);
  });

  it('names only commands and options that there are', () => {
    const code = [...text.matchAll(/```sh\n([\s\S]*?)```|`([^`\n]+)`/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    );
    const calls = code
      .flatMap((block) => block.split('\n'))
      .flatMap((line) => line.match(/\bpawl [a-z].*/) ?? []);
    expect(calls.length).toBeGreaterThan(3);
    for (const call of calls) {
      const [, word = ''] = call.split(/[\s`]/);
      const spec = commands.find((command) => command.name === word);
      if (spec === undefined) {
        expect([...newCommands]).toContain(word);
        continue;
      }
      const known = [...spec.options.map(({ flags }) => flags), '--json'].join(' ');
      for (const option of call.replace(/#.*/, '').match(/--[a-z-]+/g) ?? [])
        expect(`${word}: ${known}`).toContain(option);
    }
  });
});

/** They come with the brief. */
const newCommands = new Set(['brief', 'decide', 'summary', 'agents']);

describe('the skills', () => {
  it('are all that lie in the package', () => {
    expect(skills.map(({ name }) => name)).toEqual(readdirSync(join(packageRoot, 'skills')).sort());
  });

  it('show a manifest that is valid', async () => {
    const text = skills.find(({ name }) => name === 'author-pipeline')?.text ?? '';
    const root = tempFolder({
      'pawl.yaml': text.split('```yaml\n')[1]?.split('```')[0] ?? '',
      'outline.yaml': 'chapters: [{ number: 1 }]\n',
      'templates/draft.md': 'Write.\n',
      'review.schema.json': '{}',
      'phases.mjs': 'export const publish = () => ({});\n',
    });
    const plan = await planPipeline(realEnvironment(root), { path: root });
    expect(plan).toMatchObject({ ok: true });
  });
});
