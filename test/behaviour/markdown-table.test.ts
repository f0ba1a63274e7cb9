import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import {
  copyOf,
  edit,
  has,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const header = '| Principle | Verdict | Justification |\n|---|---|---|';
const rows = '| Simplicity | ✅ **COMPLIES** | |\n| Tests first | EXCEPTION | The old API has no seam |';
const good = `# ADR 1\n\n## 2. Constitution Check\n\n${header}\n${rows}\n| Privacy | N/A | |\n\n## Decision\n\nYes.\n`;

const title = 'its check markdown-table fails (';
const section = 'section "Constitution Check": ';
const verdict = 'expected Verdict to be one of COMPLIES, EXCEPTION, N/A, found';

/** Nobody would let these pass: what is wrong, the page, and what is said of it. */
const bad: [string, string, string][] = [
  [
    'has no such section',
    good.replace('## 2. Constitution Check', '## Check'),
    'no section "Constitution Check"',
  ],
  [
    'has no table',
    good.replace(`${header}\n${rows}\n| Privacy | N/A | |`, 'All is well.'),
    `${section}no table`,
  ],
  ['has its table in a comment', good.replace(header, `<!--\n${header}`), `${section}no table`],
  [
    'has an empty table',
    good.replace(`${rows}\n| Privacy | N/A | |\n`, ''),
    `${section}a table without rows`,
  ],
  [
    'is still the template',
    good.replace('✅ **COMPLIES**', 'COMPLIES / EXCEPTION / N/A'),
    `${section}row 1 (Simplicity): ${verdict} "COMPLIES / EXCEPTION / N/A"`,
  ],
  ['has a verdict left out', good.replace('N/A', ''), `${section}row 3 (Privacy): ${verdict} nothing`],
  [
    'has an exception without a justification',
    good.replace('The old API has no seam', '-'),
    `${section}row 2 (Tests first): expected Justification for EXCEPTION, found "-"`,
  ],
  [
    'has lost a column',
    good.replace('Verdict', 'Result'),
    `${section}expected one column Verdict, found Principle, Result, Justification`,
  ],
];

let done: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'architect.mjs': architect, 'drafts/one.md': good });
  const run = await pawl(done, 'run');
  expect(run.code, run.stderr).toBe(0);
  expect(read(done, 'specs/one/adr.md')).toBe(good);
});

describe('an ADR', () => {
  it.each(bad)('that %s is no result, and the message says why', async (_, text, reason) => {
    const fresh = workspaceWith(manifest, { 'architect.mjs': architect, 'drafts/one.md': text });
    const run = await pawl(fresh, 'run');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(
      'an output did not pass its check (output adr, check markdown-table, specs/one/adr.md)',
    );
    expect(run.stdout).toContain(reason);
    expect(has(fresh, 'specs/one/adr.md')).toBe(false);
    expect(stepsCalled(fresh)).toEqual(['one/architect']);
  });

  it('that is made better is taken by the next attempt', async () => {
    const fresh = workspaceWith(manifest, { 'architect.mjs': architect, 'drafts/one.md': '# ADR 1\n' });
    expect((await pawl(fresh, 'run')).code).toBe(1);
    write(fresh, 'drafts/one.md', good);
    expect((await pawl(fresh, 'run')).code).toBe(0);
    expect(stepsCalled(fresh)).toEqual(['one/architect', 'one/architect', 'one/tasks']);
    await expectSound(fresh);
  });
});

describe('an ADR that somebody changed after it had passed', () => {
  beforeEach(() => {
    work = copyOf(done);
  });

  it.each(bad)('and now %s is moved aside and made again', async (_, text, reason) => {
    const before = hashes(work, 'specs');
    write(work, 'specs/one/adr.md', text);
    expect((await pawl(work, 'plan')).stdout).toContain(`specs/one/adr.md is damaged: ${title}${reason})`);
    const run = await pawl(work, 'run');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain(
      `one/architect started (attempt 2, specs/one/adr.md is damaged: ${title}${reason}`,
    );
    // It is the same again, so nothing that was made from it is.
    expect(stepsCalled(work)).toEqual(['one/architect']);
    expect(hashes(work, 'specs')).toEqual(before);
    const aside = /specs\/one\/adr\.md stood in the way; moved to (\S+)/.exec(run.stderr)?.[1] ?? '';
    expect(readFileSync(join(work.root, aside), 'utf8')).toBe(text);
    await expectSound(work);
  });

  it('and is still good is an edit: refused, and taken in when somebody says so', async () => {
    edit(work, 'specs/one/adr.md', 'The old API has no seam', 'Agreed on in the review');
    const refused = await pawl(work, 'run');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('specs/one/adr.md was edited by hand');
    expect((await pawl(work, 'adopt', 'one/architect', '--reason', 'agreed')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['one/tasks']);
    await expectNothingToDo(work);
  });
});

describe('an ADR that an agent hands in', () => {
  it('is refused with what is wrong, and taken when it is right', async () => {
    const crew = workspaceWith(
      manifest.replace('{ function: ./architect.mjs#architect }', '{ agent: architect }'),
      {
        'architect.mjs': architect,
      },
    );
    expect((await pawl(crew, 'run')).code).toBe(75);
    const claimed = await pawl(crew, 'next', '--actor', 'ana', '--role', 'architect');
    expect(claimed.code, claimed.stderr).toBe(0);
    const handIn = async (text: string) => {
      write(crew, 'draft.md', text);
      return await pawl(crew, 'complete', 'one', '--actor', 'ana', '--output', 'adr=draft.md');
    };
    const refused = await handIn(good.replace('✅ **COMPLIES**', 'TBD'));
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(`${section}row 1 (Simplicity): ${verdict} "TBD"`);
    expect(has(crew, 'specs/one/adr.md')).toBe(false);
    // The claim is still hers.
    const taken = await handIn(good);
    expect(taken.code, taken.stderr).toBe(0);
    expect(read(crew, 'specs/one/adr.md')).toBe(good);
  });
});

describe('an ADR whose reasons have a table of their own', () => {
  const elsewhere = `{ when: [EXCEPTION], section: Complexity Justification, for: Article Violated, in: Why }`;
  const own = manifest
    .replace('columns: [Principle]', 'columns: [Article]')
    .replace('verdict: Verdict', 'verdict: Status')
    .replace('{ when: [EXCEPTION], in: Justification }', elsewhere);
  const page = (...reasons: string[]) =>
    [
      '# ADR 1\n\n## Constitution Check\n\n| Article | Status | Notes |\n|---|---|---|',
      '| I — Library-First | EXCEPTION | see below |\n| II — Test-First | COMPLIES | |',
      '\n## Complexity Justification\n\n| Article Violated | Why | Rejected |\n|---|---|---|',
      ...reasons,
    ].join('\n');
  const row = `${section}row 1 (I — Library-First): expected`;
  const where = 'in section "Complexity Justification", found';
  const isTaken = async (text: string) => {
    const fresh = workspaceWith(own, { 'architect.mjs': architect, 'drafts/one.md': text });
    return await pawl(fresh, 'run');
  };

  it.each([
    ['by its number', '| Article I exception | It adds 24 KB for 12 lines | papaparse |'],
    ['by its title', '| Library-First | It adds 24 KB for 12 lines | |'],
  ])('is taken when the exception has a row there: %s', async (_, reason) => {
    const run = await isTaken(page('| III — Simplicity | none | |', reason));
    expect(run.code, run.stdout).toBe(0);
  });

  it.each([
    ['the template', page('| | | |'), `${row} a row for EXCEPTION ${where} none`],
    [
      'a row of another article',
      page('| II — Test-First | It has no seam | |'),
      `${row} a row for EXCEPTION ${where} none`,
    ],
    [
      'a row that says nothing',
      page('| I — Library-First | TBD | |'),
      `${row} Why for EXCEPTION ${where} "TBD"`,
    ],
    [
      'no such section',
      page().replace('## Complexity', '## Other'),
      `${row} a table with Why for EXCEPTION ${where} none`,
    ],
  ])('is no result with %s there', async (_, text, reason) => {
    const run = await isTaken(text);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(reason);
  });

  it('needs no reasons where there is no exception', async () => {
    const run = await isTaken(page('| | | |').replace('EXCEPTION', 'COMPLIES'));
    expect(run.code, run.stdout).toBe(0);
  });
});

const architect = `
import { readFileSync } from 'node:fs';
import { noteCall } from './door.mjs';
export function architect({ unit, phase, attempt, iteration }) {
  noteCall(unit.id, phase, attempt, iteration);
  return { adr: readFileSync(new URL('drafts/' + unit.id + '.md', import.meta.url), 'utf8') };
}
export function tasks({ unit, phase, attempt, iteration, inputs }) {
  noteCall(unit.id, phase, attempt, iteration);
  return { tasks: 'from ' + inputs.adr.text().length };
}`;

const manifest = `
pawl: 1
pipeline: feature
units: [one]
phases:
  architect:
    run: { function: ./architect.mjs#architect }
    outputs:
      adr:
        path: "specs/{unit}/adr.md"
        check:
          markdown-table:
            section: Constitution Check
            columns: [Principle]
            verdict: Verdict
            allow: [COMPLIES, EXCEPTION, N/A]
            justify: { when: [EXCEPTION], in: Justification }
  tasks:
    run: { function: ./architect.mjs#tasks }
    outputs: { tasks: "specs/{unit}/tasks.md" }
`;
