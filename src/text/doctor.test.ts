import { describe, expect, it, test } from 'vitest';
import type { CheckName, DoctorAnswer, DoctorFinding } from '../engine/maintain/doctor/finding.ts';
import { doctorFacts, doctorText } from './doctor.ts';
import { sayFinding } from './doctor-words.ts';
import { plainStyle } from './style/style.ts';

const holder = { pid: 7, host: 'lab', since: '2026-11-15T12:03:11.000Z', alive: 'unknown' } as const;
const size = { bytes: 3 * 2 ** 30, attemptBytes: 2 ** 31, bytesMax: 2 ** 30, isPartial: true };
const problem = {
  code: 'template-missing',
  path: 'phases.write.prompt',
  place: undefined,
  facts: { found: 'write.md' },
} as const;
const unknownVariable = {
  code: 'template-unknown-variable',
  path: 'phases.write.prompt',
  place: { file: 'write.md', line: 2, column: 6, source: 'Say {{ unit.titel }}' },
  facts: { found: 'unit.titel', suggestion: 'unit.title' },
} as const;
const operation = { place: 'workspace', code: 'EIO', path: '/w/.pawl/x' } as const;

/** Every check, well where it can be. */
const good: readonly (readonly [DoctorFinding, string])[] = [
  [{ check: 'node-version', state: 'ok', facts: { version: '22.1.0', needed: '>=20.19' } }, 'Node 22.1.0'],
  [{ check: 'pawl-version', state: 'ok', facts: { version: '0.1.0' } }, 'pawl 0.1.0'],
  [
    { check: 'state-folder', state: 'ok', facts: { path: '/s' } },
    '/s can be written: what is remembered outside of the workspace',
  ],
  [
    { check: 'telemetry-variables', state: 'ok', facts: { sends: ['traces', 'metrics'] } },
    'telemetry is sent: traces and metrics',
  ],
  [{ check: 'telemetry-variables', state: 'ok', facts: { sends: [] } }, 'no telemetry is sent'],
  [
    { check: 'manifest', state: 'ok', facts: { file: 'pawl.yaml', units: 6, phases: 1, openStages: 1 } },
    'pawl.yaml is valid: 6 units, 1 phase; 1 stage with units that are yet to be listed',
  ],
  [{ check: 'program', state: 'ok', facts: { count: 2 } }, '2 programs found'],
  [{ check: 'module', state: 'ok', facts: { count: 1 } }, '1 module found'],
  [{ check: 'named-file', state: 'ok', facts: { count: 3 } }, '3 files that the manifest names found'],
  [{ check: 'variable', state: 'ok', facts: { count: 1 } }, '1 variable that the manifest names set'],
  [
    { check: 'provider-package', state: 'ok', facts: { provider: 'openai' } },
    'provider openai: its packages are installed',
  ],
  [
    { check: 'provider-key', state: 'ok', facts: { provider: 'lab', phases: ['write'], names: ['A', 'B'] } },
    'provider lab: A and B are set',
  ],
  [{ check: 'model-price', state: 'ok', facts: { models: ['a/b'] } }, '1 model with a known price'],
  [
    { check: 'picture-check', state: 'ok', facts: { outputs: ['draw.frame'] } },
    'pictures of every type can be checked (for draw.frame)',
  ],
  [{ check: 'workspace-folder', state: 'ok', facts: { path: '/w' } }, '/w can be written'],
  [
    { check: 'file-operation', state: 'ok', facts: { place: 'temp', isCaseSensitive: false } },
    'files can be made once, synced, linked and renamed (tried in the temporary folder); upper and lower case are the same in names',
  ],
  [
    { check: 'file-system-type', state: 'ok', facts: { type: 'ext4', mount: '/' } },
    'the file system is of type ext4',
  ],
  [{ check: 'free-space', state: 'ok', facts: { bytes: 2 ** 30, bytesMin: 1 } }, '1 GB free'],
  [{ check: 'run-journal', state: 'ok', facts: { runs: 0 } }, 'no runs yet'],
  [{ check: 'run-journal', state: 'ok', facts: { runs: 2 } }, '2 runs with a whole journal'],
  [
    { check: 'run-holder', state: 'ok', facts: { run: 'r1', holder } },
    'run r1 is being worked on by process 7, since 2026-11-15 12:03:11 UTC',
  ],
  [{ check: 'kept-size', state: 'ok', facts: { ...size, isPartial: false } }, '.pawl takes up 3 GB'],
  [{ check: 'git-ignore', state: 'ok', facts: { path: '.pawl/', file: '.gitignore' } }, 'git ignores .pawl/'],
  [{ check: 'agent-hooks', state: 'ok', facts: { installed: [] } }, 'no coding agent has hooks of pawl'],
  [
    {
      check: 'agent-hooks',
      state: 'ok',
      facts: {
        installed: [
          { agent: 'claude', scope: 'project' },
          { agent: 'codex', scope: 'user' },
        ],
      },
    },
    'hooks of this version: claude and codex (user)',
  ],
];

/** Every check, with what is amiss and what mends it. */
const amiss: readonly (readonly [DoctorFinding, what: string, fix: string])[] = [
  [
    { check: 'node-version', state: 'bad', facts: { version: '18.0.0', needed: '>=20.19' } },
    'Node 18.0.0 is older than pawl needs (>=20.19)',
    'install Node 20.19 or newer: https://nodejs.org',
  ],
  [
    { check: 'pawl-version', state: 'warning', facts: {} },
    'pawl cannot tell its own version: its package.json is not where it should be',
    'install it again: npm install pawl',
  ],
  [
    { check: 'state-folder', state: 'bad', facts: { path: '/s', code: 'EACCES' } },
    '/s cannot be written (EACCES), and every run writes to it',
    'make it yours, or name another folder in XDG_STATE_HOME',
  ],
  [
    { check: 'state-folder', state: 'warning', facts: { path: undefined, code: 'ENOENT' } },
    'nothing is remembered outside of the workspace, so a journal that was cut short is not noticed',
    'set HOME or XDG_STATE_HOME in the environment',
  ],
  [
    { check: 'telemetry-variables', state: 'warning', facts: { names: ['OTEL_X'] } },
    'OTEL_X holds nothing that can be used; telemetry goes on without',
    'correct or unset it: endpoints are http:// or https:// without a password',
  ],
  [
    {
      check: 'telemetry-variables',
      state: 'warning',
      facts: { names: [], packages: ['@opentelemetry/api@1.9', '@opentelemetry/resources@2.9'] },
    },
    "no telemetry is sent, because OpenTelemetry's packages are not installed",
    'npm install @opentelemetry/api@1.9 @opentelemetry/resources@2.9',
  ],
  [
    { check: 'manifest', state: 'warning', facts: { found: 'none', path: 'pawl.yaml', isNamed: false } },
    'no manifest here',
    'to write a small pipeline into this folder: pawl init',
  ],
  [
    { check: 'manifest', state: 'bad', facts: { found: 'none', path: 'x', isNamed: true } },
    'there is no manifest at x',
    'name a folder with a pawl.yaml, or a manifest',
  ],
  [
    { check: 'manifest', state: 'warning', facts: { found: 'several', candidates: ['a', 'b'] } },
    '2 pipelines can be meant: a and b',
    'to check the first: pawl doctor a',
  ],
  [
    {
      check: 'manifest',
      state: 'bad',
      facts: { found: 'invalid', file: 'p.yaml', problems: 3, first: problem },
    },
    '3 problems in p.yaml: phases.write.prompt: there is no template write.md',
    'to see all of them: pawl plan book',
  ],
  [
    { check: 'manifest', state: 'bad', facts: { found: 'broken', file: 'p.mjs', detail: 'no\nat x' } },
    'p.mjs could not be loaded: no',
    'mend the module; it has to export a constant called pipeline',
  ],
  [
    { check: 'program', state: 'bad', facts: { program: 'paint', usedBy: ['draw', 'notify'] } },
    'the program paint is not found (for draw and notify)',
    'install paint, or put its folder on PATH',
  ],
  [
    { check: 'program', state: 'bad', facts: { program: './tools/paint', usedBy: ['draw'] } },
    'the program ./tools/paint is not found (for draw)',
    'put it there and make it executable: ./tools/paint',
  ],
  [
    {
      check: 'program',
      state: 'bad',
      facts: { program: './tools/paint', usedBy: ['draw'], mayNotRun: true },
    },
    'the program ./tools/paint is there, but may not be executed (for draw)',
    'make it executable (chmod +x): ./tools/paint',
  ],
  [
    { check: 'module', state: 'bad', facts: { module: 'a.js', usedBy: ['1', '2', '3', '4', '5', '6'] } },
    'there is no module a.js yet (for 1, 2, 3, 4 and 2 more)',
    'see to it that a phase before makes it; else create it, or correct its path in the manifest',
  ],
  [
    { check: 'named-file', state: 'bad', facts: { problem } },
    'phases.write.prompt: there is no template write.md',
    'create the file, or correct its path in the manifest',
  ],
  [
    { check: 'named-file', state: 'bad', facts: { problem: unknownVariable } },
    'write.md:2:6: phases.write.prompt: there is no variable unit.titel; did you mean unit.title?',
    'correct it in the template; where it may be missing, ask for it with if, or give it a default',
  ],
  [
    { check: 'variable', state: 'warning', facts: { name: 'TOKEN', usedBy: ['notify'] } },
    'the variable TOKEN is not set (for notify)',
    'set TOKEN in the environment that pawl is started in',
  ],
  [
    {
      check: 'provider-package',
      state: 'bad',
      facts: { provider: 'openai', phases: ['write'], packages: ['ai@6', '@ai-sdk/openai@3'] },
    },
    'provider openai: packages are missing (for write)',
    'npm install ai@6 @ai-sdk/openai@3',
  ],
  [
    {
      check: 'provider-key',
      state: 'bad',
      facts: { provider: 'lab', phases: ['write'], names: ['LAB_KEY'] },
    },
    'provider lab: LAB_KEY is not set (for write)',
    'set LAB_KEY in the environment that pawl is started in',
  ],
  [
    { check: 'model-price', state: 'warning', facts: { models: ['lab/a', 'lab/b'] } },
    'no price is known for lab/a and lab/b: tokens are counted, and money is not',
    'put it under models.prices in the manifest, in USD per million tokens; it changes no result',
  ],
  [
    {
      check: 'picture-check',
      state: 'warning',
      facts: { outputs: ['draw.frame'], detail: 'sharp is not there' },
    },
    'sharp is not there (for draw.frame)',
    'npm install sharp, beside pawl',
  ],
  [
    { check: 'workspace-folder', state: 'bad', facts: { path: '/w', code: 'EROFS' } },
    '/w cannot be written (EROFS)',
    'run as the user that it belongs to, or give this one the right to write there',
  ],
  ...(
    [
      ['write', 'no file can be made in /w/.pawl/x (EIO)', 'free the disk, or give this user the right'],
      ['exclusive', 'a name can be taken twice here (EIO): two runners could hold one run', undefined],
      ['sync', 'what is written cannot be made durable here (EIO)', undefined],
      ['sync-folder', 'what is written cannot be made durable here (EIO)', undefined],
      ['link', 'there are no hard links here (EIO): some files are seen before they are whole', undefined],
      ['rename', 'a file cannot be replaced at once here (EIO)', undefined],
      ['remove', 'files cannot be removed here (EIO)', 'remove what was tried with: /w/.pawl/x'],
    ] as const
  ).map(
    ([name, what, fix]) =>
      [
        { check: 'file-operation', state: 'bad', facts: { ...operation, operation: name } },
        what,
        fix ?? 'keep the workspace on a local disk of this machine',
      ] as const,
  ),
  [
    { check: 'file-system-type', state: 'warning', facts: { type: 'nfs4', mount: '/w' } },
    '/w is a shared or network file system (nfs4): locks and syncs may not hold there',
    'keep the workspace on a disk of this machine, or run it from one machine only',
  ],
  [
    { check: 'free-space', state: 'warning', facts: { bytes: 2048, bytesMin: 100 * 2 ** 20 } },
    'only 2 KB are free; a run that finds no room stops',
    'free at least 100 MB on this disk',
  ],
  [
    {
      check: 'run-journal',
      state: 'bad',
      facts: { run: 'r1', count: 3, first: { code: 'garbage-line', file: 'e', line: 2, weight: 'loud' } },
    },
    'the journal of run r1 is damaged: e:2: a line is no event, and 2 more',
    'to see all of it: pawl verify book --run r1',
  ],
  [
    { check: 'run-holder', state: 'warning', facts: { run: 'r1', holder } },
    'run r1 is held by process 7 on lab since 2026-11-15 12:03:11 UTC, and nobody can tell from here whether it lives',
    'look at lab; if it is gone: pawl run --run r1 --takeover book',
  ],
  [
    { check: 'run-interrupted', state: 'warning', facts: { run: 'r1', holder: { pid: 7, host: 'lab' } } },
    'run r1 was interrupted: process 7 on lab is gone',
    'to see where it stands and continue: pawl resume book --run r1',
  ],
  [
    {
      check: 'run-choice',
      state: 'warning',
      facts: { pipeline: 'book', identity: { book: 'ember' }, runs: ['r1', 'r2'] },
    },
    '2 runs of book book=ember can be gone on with: r1 and r2',
    'to resume the first: pawl run --resume r1 book',
  ],
  [
    {
      check: 'run-stale',
      state: 'warning',
      facts: { run: 'r1', idleMs: 3 * 86_400_000, limitMs: 86_400_000 },
    },
    'nothing has happened to run r1 for 3 d (pace.stale_after: 24 h)',
    'to see what has changed since, and be asked: pawl resume book --run r1',
  ],
  [
    {
      check: 'literal-secret',
      state: 'warning',
      facts: { path: 'lock', key: 'env.K', found: 'a GitHub token (ghp_…)' },
    },
    'lock holds a GitHub token (ghp_…) in clear, at env.K; the content store may have a copy',
    'revoke that key, name a variable of the environment in the manifest instead, then write the file without it: pawl run book',
  ],
  [
    { check: 'leftover-file', state: 'warning', facts: { files: 5, bytes: 10, paths: ['a', 'b', 'c'] } },
    '5 files of processes that died (10 bytes): a, b, c and 2 more',
    'others may be removed by hand while nothing runs here; to tidy up after the run: pawl run book',
  ],
  [
    { check: 'kept-size', state: 'warning', facts: size },
    '.pawl takes up more than 3 GB, of that 2 GB for attempts',
    'to see what old runs would free; it deletes nothing: pawl gc --older-than 30d book',
  ],
  [
    { check: 'git-ignore', state: 'warning', facts: { path: '.pawl/', file: '.gitignore' } },
    'git does not ignore .pawl/, which is of use on this machine only',
    'add a line to .gitignore: .pawl/',
  ],
  [
    {
      check: 'agent-hooks',
      state: 'warning',
      facts: { agent: 'claude', scope: 'project', outdated: ['a.json'], folder: 'book' },
    },
    'the hooks of claude are not as this version installs them: a.json',
    'to see the difference, and be asked: pawl agents install claude -C book',
  ],
  [
    {
      check: 'agent-hooks',
      state: 'warning',
      facts: { agent: 'codex', scope: 'user', outdated: ['a.json'], folder: 'book' },
    },
    'the hooks of codex (user) are not as this version installs them: a.json',
    'to see the difference, and be asked: pawl agents install codex --user',
  ],
  [
    {
      check: 'agent-settings',
      state: 'warning',
      facts: {
        agent: 'gemini',
        trouble: {
          reason: 'settings-unreadable',
          problem: 'not-utf-8',
          place: { path: 's.json', line: 1, column: 2 },
        },
      },
    },
    'settings of gemini: s.json:1:2 cannot be understood (not-utf-8)',
    'mend the file, or move it away',
  ],
  [
    {
      check: 'could-not-look',
      state: 'bad',
      facts: { at: 'runs', code: 'EACCES', operation: 'list', path: '/w/.pawl/runs' },
    },
    'runs could not be looked at: list of /w/.pawl/runs failed (EACCES)',
    'see to it that this user can read /w/.pawl/runs',
  ],
];

describe('a finding', () => {
  it.each(good)('that is well: $check', (finding, what) => {
    expect(sayFinding(finding, 'book')).toEqual({ what, fix: undefined });
  });

  it.each(amiss)('that is not well: $check', (finding, what, fix) => {
    expect(sayFinding(finding, 'book')).toEqual({ what, fix });
  });

  it('has words for every check', () => {
    // The compiler knows all names; so does this list, or it does not compile.
    const names: Record<CheckName, true> = {
      'agent-hooks': true,
      'agent-settings': true,
      'could-not-look': true,
      'file-operation': true,
      'file-system-type': true,
      'free-space': true,
      'git-ignore': true,
      'kept-size': true,
      'literal-secret': true,
      'leftover-file': true,
      'model-price': true,
      'named-file': true,
      'node-version': true,
      'pawl-version': true,
      'picture-check': true,
      'provider-key': true,
      'provider-package': true,
      'run-choice': true,
      'run-holder': true,
      'run-interrupted': true,
      'run-journal': true,
      'run-stale': true,
      'state-folder': true,
      'telemetry-variables': true,
      'workspace-folder': true,
      manifest: true,
      module: true,
      program: true,
      variable: true,
    };
    expect(new Set(amiss.map(([{ check }]) => check))).toEqual(new Set(Object.keys(names)));
  });

  it('hides nothing of what comes from outside, and its fix is one line', () => {
    const finding: DoctorFinding = {
      check: 'program',
      state: 'bad',
      facts: { program: 'a\u001b[31m\nb', usedBy: ['x\u202ey'] },
    };
    expect(sayFinding(finding, undefined)).toEqual({
      what: 'the program a\\nb is not found (for x\\u{202e}y)',
      fix: 'install a\\nb, or put its folder on PATH',
    });
    for (const [, , fix] of amiss) expect(fix).not.toContain('\n');
  });
});

const answerOf = (...findings: DoctorFinding[]): DoctorAnswer => ({
  workspace: 'book',
  findings,
  counts: {
    ok: findings.filter(({ state }) => state === 'ok').length,
    warning: findings.filter(({ state }) => state === 'warning').length,
    bad: findings.filter(({ state }) => state === 'bad').length,
  },
});

const well: DoctorFinding = { check: 'pawl-version', state: 'ok', facts: { version: '0.1.0' } };
const git: DoctorFinding = {
  check: 'git-ignore',
  state: 'warning',
  facts: { path: '.pawl/', file: '.gitignore' },
};
const module: DoctorFinding = { check: 'module', state: 'bad', facts: { module: 'a.js', usedBy: ['one'] } };

test('the whole answer', () => {
  expect(doctorText(answerOf(well, git, module), plainStyle)).toBe(
    [
      '✓ pawl 0.1.0',
      '! git does not ignore .pawl/, which is of use on this machine only',
      '  → add a line to .gitignore: .pawl/',
      '✗ there is no module a.js yet (for one)',
      '  → see to it that a phase before makes it; else create it, or correct its path in the manifest',
      '',
      '✗ 1 finding to be mended, 1 warning',
    ].join('\n'),
  );
  expect(doctorText(answerOf(well, git), plainStyle)).toMatch(/\n! 1 warning$/);
  expect(doctorText(answerOf(well), plainStyle)).toBe('✓ pawl 0.1.0\n\n✓ all is well');
});

test('as data it has the words, too, and the ways to mend what is bad', () => {
  const answer = answerOf(well, git, module);
  expect(doctorFacts(answer)).toEqual({
    reason: 'bad-findings',
    next: ['see to it that a phase before makes it; else create it, or correct its path in the manifest'],
    workspace: 'book',
    counts: { ok: 1, warning: 1, bad: 1 },
    findings: [
      { ...well, message: 'pawl 0.1.0' },
      {
        ...git,
        message: 'git does not ignore .pawl/, which is of use on this machine only',
        fix: 'add a line to .gitignore: .pawl/',
      },
      {
        ...module,
        message: 'there is no module a.js yet (for one)',
        fix: 'see to it that a phase before makes it; else create it, or correct its path in the manifest',
      },
    ],
  });
  expect(doctorFacts(answerOf(well, git))).not.toHaveProperty('reason');
});
