import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { jsoncTexts } from '../../../test/fixtures/agents.ts';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { chooseLaunch } from './command.ts';
import { type AgentFile, definitionOf } from './definitions.ts';
import { installedIn, uninstalledFrom } from './edit-file.ts';
import { agentNames } from './supports.ts';
import { insertedRanges, withoutRanges } from './undo.ts';

/* What holds for every settings file that anybody may have, in every style. */

const launch = chooseLaunch({
  agent: 'claude',
  scope: 'project',
  isOnPath: true,
  isInProject: false,
  isGitTop: true,
  program: '/opt/pawl/bin/pawl.js',
});
const disk = new MemoryDisk();
const files = agentNames.flatMap((agent) =>
  (['project', 'user'] as const).flatMap(
    (scope) =>
      definitionOf({ agent, scope, root: '/work', userFolder: '/home/u/x', userSkills: '/home/u/s', launch })
        .files,
  ),
);
const settings = fc.constantFrom(...files.filter(({ kind }) => kind === 'json'));

/** Undefined where something else stands in the way of an entry. */
function installed(file: AgentFile, text: string): string | undefined {
  const edited = installedIn(disk, file, text, launch);
  if (edited.ok) return edited.value.text;
  expect(edited.failure.reason).toBe('settings-unexpected');
  return undefined;
}

function uninstalled(file: AgentFile, text: string): string | undefined {
  const left = uninstalledFrom(file, text, launch);
  if (!left.ok) throw new Error(JSON.stringify(left.failure));
  return left.value;
}

describe('for all settings', () => {
  it('installing twice is installing once', () => {
    fc.assert(
      fc.property(settings, jsoncTexts({ canBeEmpty: true }), (file, text) => {
        const once = installed(file, text);
        if (once !== undefined) expect(installed(file, once)).toBe(once);
      }),
    );
  });

  it('what was installed goes, and every byte comes back', () => {
    fc.assert(
      fc.property(settings, jsoncTexts({ canBeEmpty: false }), (file, text) => {
        const after = installed(file, text);
        if (after !== undefined) expect(uninstalled(file, after)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('and also where there was something empty, if it is remembered', () => {
    fc.assert(
      fc.property(settings, jsoncTexts({ canBeEmpty: true }), (file, text) => {
        const after = installed(file, text);
        if (after === undefined) return;
        const ranges = insertedRanges(text, after);
        expect(ranges).toBeDefined();
        expect(withoutRanges(after, ranges ?? [])).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('uninstalling leaves alone what was never installed', () => {
    fc.assert(
      fc.property(settings, jsoncTexts({ canBeEmpty: true }), (file, text) => {
        expect(uninstalled(file, text)).toBe(text);
      }),
    );
  });

  it('what was there is still said, whatever was formatted anew in between', () => {
    fc.assert(
      fc.property(settings, jsoncTexts({ canBeEmpty: false }), (file, text) => {
        const after = installed(file, text);
        if (after === undefined) return;
        const formatted = JSON.stringify(parse(after), null, 4);
        expect(parse(uninstalled(file, formatted) ?? '{}')).toEqual(parse(text));
      }),
    );
  });
});
