import { expect, test } from 'vitest';
import type { Failure, UsageProblem } from '../../model/failure.ts';
import { plainStyle } from '../style/style.ts';
import type { CallProblem } from './call-problems.ts';
import { exitCodeOfTrouble } from './exit-codes-of-troubles.ts';
import { nextSteps, type Trouble, troubleText, troubleTitle } from './failures.ts';
import { usageWords } from './usage-problems.ts';

const run = '20261115-1203-book-x7k2';
const holder = { pid: 4711, host: 'mill', since: '2026-11-15T12:03:11.000Z', alive: 'alive' } as const;
const choice = {
  id: run,
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'stopped',
  updated: holder.since,
};

const failures: { [R in Failure['reason']]: Extract<Failure, { reason: R }> } = {
  'manifest-not-found': { reason: 'manifest-not-found', path: 'examples/bok', near: ['examples/book'] },
  'manifest-invalid': {
    reason: 'manifest-invalid',
    file: 'pawl.yaml',
    problems: [{ code: 'no-units', path: 'units', place: undefined, facts: {} }],
  },
  usage: { reason: 'usage', problem: { code: 'reason-required', flag: '--force-resume' } },
  refused: {
    reason: 'refused',
    refusals: [{ guard: 'in-doubt', unit: 'ch001', phase: 'write', attempt: 2 }],
  },
  'which-run': { reason: 'which-run', candidates: [choice, { ...choice, id: '20261116-0900-book-b2' }] },
  'which-workspace': { reason: 'which-workspace', candidates: ['a', 'b'] },
  'outputs-exist': {
    reason: 'outputs-exist',
    workspace: 'examples/book',
    paths: ['draft/a.md', 'draft/b.md'],
    checked: 1,
    fresh: false,
  },
  'no-run': { reason: 'no-run', workspace: 'examples/book' },
  'document-unreadable': {
    reason: 'document-unreadable',
    path: 'ORCHESTRATION.yaml',
    problem: 'bad-yaml',
    line: 3,
    column: 7,
    detail: 'BAD_INDENT',
  },
  'decision-not-found': { reason: 'decision-not-found', id: 'RD-009', near: ['RD-001'] },
  'run-not-found': { reason: 'run-not-found', id: '2027', near: [run] },
  'run-of-another': { reason: 'run-of-another', run, pipeline: 'sprites', identity: { move: 'idle' } },
  'run-terminal': { reason: 'run-terminal', run, status: 'cancelled' },
  'run-held': { reason: 'run-held', run, holder },
  'fenced-out': { reason: 'fenced-out', run, holder: undefined },
  'journal-damaged': {
    reason: 'journal-damaged',
    run,
    findings: [{ code: 'checksum-differs', file: 'events/runner/1.jsonl', line: 12, weight: 'loud' }],
  },
  'disk-failed': { reason: 'disk-failed', code: 'ENOSPC', operation: 'write', path: '.pawl/objects/a' },
  'archive-failed': { reason: 'archive-failed', path: 'draft/a.md', detail: 'the copy differs' },
  'nothing-to-undo': { reason: 'nothing-to-undo', run: 'r' },
  'cannot-restore': {
    reason: 'cannot-restore',
    command: 'undo',
    why: 'edited',
    step: 'a/write',
    path: 'draft/a.md',
  },
  'nothing-to-adopt': { reason: 'nothing-to-adopt', path: 'draft/a.md' },
  'status-unclear': {
    reason: 'status-unclear',
    troubles: [
      { path: 'specs/001/.pipeline-state.md', line: 4, code: 'status-unknown', facts: { found: 'DONE-ISH' } },
    ],
  },
  'status-blocked': {
    reason: 'status-blocked',
    troubles: [
      {
        path: 'specs/001/pipeline-state.md',
        line: 4,
        code: 'spec-unverifiable',
        facts: { file: 'specs/001/feature.spec.md', why: 'hash-shortened', value: 'deadbeef' },
      },
    ],
  },
  'no-such-question': { reason: 'no-such-question', id: 'C3', open: ['C1', 'C2'] },
  'question-closed': {
    reason: 'question-closed',
    id: 'C1',
    why: 'changed',
    decided: undefined,
    changes: [{ label: 'spec.text', before: 'sha256:aaaaaaaa1111', after: 'sha256:bbbbbbbb2222' }],
  },
  'channel-closed': {
    reason: 'channel-closed',
    id: 'C1',
    channel: 'script',
    allowed: ['terminal', 'page'],
  },
  'inside-phase': { reason: 'inside-phase', command: 'approve', cell: 'ch001/lint' },
  'nothing-to-repair': { reason: 'nothing-to-repair', run },
  'adopt-check-failed': {
    reason: 'adopt-check-failed',
    path: 'draft/a.md',
    check: 'command',
    detail: 'exit 1',
  },
  'object-missing': { reason: 'object-missing', path: 'draft/a.md', hash: 'sha256:aaaaaaaa1111' },
  'provider-missing': {
    reason: 'provider-missing',
    missing: [
      {
        provider: 'anthropic',
        phases: ['write', 'repair'],
        packages: ['ai@^6.0.0', '@ai-sdk/anthropic'],
        key: 'ANTHROPIC_API_KEY',
      },
      { provider: 'lab', phases: ['lint'], packages: [], key: 'LAB_KEY' },
    ],
  },
  'module-failed': { reason: 'module-failed', path: 'phases.js', detail: 'SyntaxError: x\n  at phases.js:3' },
  'run-stale': {
    reason: 'run-stale',
    run,
    idleMs: 20 * 86_400_000,
    limitMs: 14 * 86_400_000,
    gitHead: { before: undefined, now: undefined },
    changed: [],
  },
  'told-only': { reason: 'told-only', run },
  'import-check-failed': {
    reason: 'import-check-failed',
    artifacts: [{ unit: 'planning', phase: 'graph', path: 'graph.json', check: 'json', detail: 'not JSON' }],
  },
  'link-outside': { reason: 'link-outside', path: 'approved', target: '/elsewhere' },
  'claim-lost': {
    reason: 'claim-lost',
    unit: 'T001',
    phase: 'implement',
    actor: 'executor-1',
    attempt: 1,
    current: 2,
    holder: { actor: 'executor-2', until: holder.since },
    aside: 'runs/a/aside/T001',
  },
  'never-run': {
    reason: 'never-run',
    unit: 'T001',
    phase: 'implement',
    manifest: 'sha256:aaaaaaaa1111',
  },
  'not-claimed': { reason: 'not-claimed', unit: 'T001', actor: 'executor-1' },
  'not-claimable': { reason: 'not-claimable', unit: 'T002', why: 'waits', for: ['T001'] },
  'cannot-prepare': {
    reason: 'cannot-prepare',
    unit: 'T001',
    phase: 'implement',
    failure: 'input-unavailable',
    detail: '',
  },
  'rerun-above': {
    reason: 'rerun-above',
    run: '20260727-1405-book-7k3q',
    changes: [
      {
        guard: 'unit-changed',
        unit: 'a',
        phase: 'draft',
        file: 'src/a.md',
        before: undefined,
        after: undefined,
      },
    ],
    steps: [
      { unit: 'a', phase: 'draft' },
      { unit: 'a', phase: 'polish' },
    ],
    usd: 1.5,
    limit: { steps: 20, usd: 1 },
  },
  'completion-incomplete': {
    reason: 'completion-incomplete',
    unit: 'T001',
    phase: 'implement',
    problems: [
      { output: undefined, path: 'src/a.ts', problem: 'output-missing', detail: '' },
      { output: 'notes', path: 'notes.md', problem: 'check-failed', detail: 'is empty' },
    ],
  },
};

const calls: { [R in CallProblem['reason']]: Extract<CallProblem, { reason: R }> } = {
  'unknown-command': { reason: 'unknown-command', name: 'rnu', near: ['run', 'runs'] },
  'unknown-option': {
    reason: 'unknown-option',
    option: '--rerun-form',
    command: 'run',
    near: ['--rerun-from'],
  },
  'unknown-reason': { reason: 'unknown-reason', name: 'interupted', near: ['interrupted'] },
  'missing-argument': { reason: 'missing-argument', command: 'why', argument: '<cell>' },
  'missing-value': { reason: 'missing-value', command: 'run', option: '--reason <text>' },
  'too-many-arguments': { reason: 'too-many-arguments', command: 'run', extra: ['b', 'c'] },
  'bad-value': { reason: 'bad-value', option: '--attempt', found: 'x', expected: 'a number from 1 on' },
  'folder-not-found': { reason: 'folder-not-found', path: 'demo' },
  'needs-yes': { reason: 'needs-yes', command: 'reset' },
  declined: { reason: 'declined', command: 'reset' },
  'unknown-example': { reason: 'unknown-example', name: 'maximal', valid: ['minimal'], near: ['minimal'] },
  'files-exist': { reason: 'files-exist', folder: '.', files: ['pawl.yaml'] },
  'not-a-report': { reason: 'not-a-report', path: 'runs/a/report.html' },
};

const style = { ...plainStyle, path: 'examples/book' };
const told = (troubles: readonly Trouble[]) =>
  troubles.map((trouble) => `${exitCodeOfTrouble(trouble)} ${troubleText(trouble, style)}`).join('\n');

test('every failure: exit code, what happened, and the safe ways on', () => {
  expect(told(Object.values(failures))).toMatchInlineSnapshot(`
    "2 ✗ there is no manifest at examples/bok; did you mean examples/book?
      → give the folder of a pawl.yaml, or go there
      → to write a small one to start from: pawl init
    2 ✗ pawl.yaml: units: there are no units; list at least one
    ✗ 1 problem in pawl.yaml; nothing was started
      → fix it and try again
      → to see all that a manifest may hold: pawl schema
    2 ✗ --force-resume needs a --reason: it is recorded for those who come later
    4 ✗ ch001/write: attempt 2 was started and never ended; nobody knows what it did
      → see what it left behind:
          pawl logs ch001/write -C examples/book
      → re-run write of ch001:
          pawl run --rerun-from write --unit ch001 examples/book
    ✗ refused for 1 reason; nothing was started and nothing was paid
    5   20261115-1203-book-x7k2  book book=ember  stopped, 2026-11-15 12:03:11 UTC
      20261116-0900-book-b2  book book=ember  stopped, 2026-11-15 12:03:11 UTC
    ✗ 2 runs match; which one?
      → to look at the first: pawl status --run 20261115-1203-book-x7k2 examples/book
      → to resume the first: pawl run --run 20261115-1203-book-x7k2 examples/book
    5   a
      b
    ✗ 2 pipelines can be meant; which one?
      → give its path
      → to see what it would do: pawl plan a
    4   draft/a.md
      draft/b.md
    ✗ 2 files exist at output paths of this new run, and no run of this workspace recorded them; nothing was started
      → to keep those whose check passes (1 of 2 have a check), at no cost: pawl run examples/book --adopt-existing
      → to run every step, and move the files to aside/: pawl run examples/book --replace-existing
    5 ✗ there is no run in examples/book
      → to start one: pawl run examples/book
    7 ✗ ORCHESTRATION.yaml:3:7 cannot be understood (bad yaml: BAD_INDENT)
      → fix the file, then run the command again; nothing was written
    2 ✗ there is no decision RD-009; did you mean RD-001?
      → to see all decisions: pawl brief -C examples/book
    5 ✗ there is no run 2027; did you mean 20261115-1203-book-x7k2?
      → to see all runs: pawl runs examples/book
    5 ✗ run 20261115-1203-book-x7k2 is of another pipeline or identity: sprites move=idle
      → name its own manifest
    4 ✗ run 20261115-1203-book-x7k2 is cancelled for good and is never taken up again
      → its files and logs stay as they are; without an id a new run starts
    6 ✗ run 20261115-1203-book-x7k2 is held by process 4711 on mill since 2026-11-15 12:03:11 UTC
      → to see where it stands: pawl status examples/book
      → wait for it, or end it there
    6 ✗ run 20261115-1203-book-x7k2 was taken over by another process; this process has written nothing since
      → to see where it stands: pawl status examples/book
    7 ✗ events/runner/1.jsonl:12: a line was changed: its checksum does not fit
    ✗ the journal of run 20261115-1203-book-x7k2 is damaged; nothing was started and nothing was changed
      → to see everything that is wrong: pawl verify examples/book
      → to put back a copy of the journal, do it now, before anything else is written
      → to continue with what is readable: pawl repair --reason 'continue with what is readable' examples/book
    7 ✗ the disk failed: there is no space left (ENOSPC, write .pawl/objects/a)
      → free some space
      → then try again: nothing that was acknowledged is lost
    7 ✗ draft/a.md could not be archived, and was not removed: the copy differs
      → fix the cause and try again
    2 ✗ No decision of run r can be taken back
      → to see every decision: pawl history -C examples/book
    4 ✗ draft/a.md was edited by hand, and an edit is never overwritten
      → to see the edit: pawl diff a/write -C examples/book
      → to keep it beside the result: mv -n draft/a.md draft/a.md.edited
    2 ✗ draft/a.md is no edited output: there is nothing to adopt
      → to see what changed: pawl diff -C examples/book
    7 ✗ specs/001/.pipeline-state.md says where the work stands, and cannot be understood: line 4: status unknown; nothing was started
      → fix the page
      → to start fresh: pawl run --fresh examples/book
    4 ✗ cannot verify the spec: the hash recorded for specs/001/feature.spec.md (specs/001/pipeline-state.md line 4: deadbeef) is shortened; nothing was started
      → if specs/001/feature.spec.md is the spec that the work was made from, write its full hash on specs/001/pipeline-state.md: sha256sum specs/001/feature.spec.md
      → to start over: pawl run --fresh examples/book
    2 ✗ nobody is asked C3
      → what waits: C1 and C2
      → to see what waits: pawl checkpoints -C examples/book
    4 ✗ C1 can no longer be answered: what it was about has changed since it was shown (spec.text)
      → to have it asked about what is there now: pawl run examples/book
      → to see what waits: pawl checkpoints -C examples/book
    4 ✗ C1 has to be decided by a person, and not by way of a program (script)
      → it can be answered by: the terminal
      → the manifest says who may answer: channels
    4 ✗ pawl approve was called by ch001/lint: a phase cannot decide about a run
      → a person answers it in a terminal of their own
    2 ✗ the journal of run 20261115-1203-book-x7k2 is whole: there is nothing to repair
      → to see where it stands: pawl status examples/book
    4 ✗ draft/a.md does not pass its check command: exit 1
      → fix the cause and try again
    7 ✗ the recorded bytes of draft/a.md (sha256:aaaaaaaa) are not in the content store
      → to see what else is missing: pawl verify examples/book
    2 ✗ 2 providers cannot be asked: anthropic (for write and repair) and lab (for lint); nothing is started and nothing is paid
      → for anthropic: npm install 'ai@^6.0.0' @ai-sdk/anthropic
      → for anthropic: set ANTHROPIC_API_KEY in the environment
      → for lab: set LAB_KEY in the environment
      → or let these phases use a provider that is there: model in the manifest
    2     at phases.js:3
    ✗ phases.js could not be loaded: SyntaxError: x
      → fix the cause and try again
    4 ✗ run 20261115-1203-book-x7k2 is stale: nothing has happened for 20 days (pace.stale_after: 14 days); nothing was started
      → to see what it would do: pawl plan examples/book
      → to resume it all the same: pawl resume --run 20261115-1203-book-x7k2 --yes examples/book
      → with other options: add --yes to the same command
    4 ✗ only other tools have written to run 20261115-1203-book-x7k2 so far
      → to take it over and go on: pawl resume examples/book
    4 ✗ graph.json of planning/graph fails its check json: not JSON; another tool's log is past it, and nothing was started
      → to accept it as it is: pawl run --force --reason 'graph.json fails its check' examples/book
      → to make it again; the old file moves to aside/: pawl run --rerun-from graph --reason 'graph.json fails its check' examples/book
      → or fix the file, then run the command again
    4 ✗ approved is a symbolic link that leads out of the workspace, to /elsewhere; nothing was started
      → remove the link, or put a folder in its place, and try again
    6 ✗ T001/implement is no longer executor-1's under number 1: executor-2 has it under number 2 until 2026-11-15 12:03:11 UTC; nothing was recorded as done
      → what was made is kept in runs/a/aside/T001
      → leave this task, and ask for another one: pawl next --actor executor-1 examples/book
    4 ✗ T001/implement is checked by a command of the manifest, and you have never run this manifest; nothing was started
      → read the manifest, then run it here once yourself: pawl run examples/book
      → in a CI job, to trust this manifest: set PAWL_TRUST=sha256:aaaaaaaa1111
    4 ✗ executor-1 has not claimed T001
      → claim it first: pawl start T001 --actor executor-1 -C examples/book
      → to see where it stands: pawl status examples/book
    4 ✗ T002 waits for T001
      → to see where it stands: pawl status examples/book
    4 ✗ T001/implement cannot be handed out: an input could not be read
      → to see where it stands: pawl status examples/book
    4 ✗ src/a.md, the file of a, changed (gone)
        made with the old one: draft of a
      runs again: draft and polish of a
    ✗ 2 steps would run again for about $1.50, more than confirm_above allows (20 steps, $1.00); nothing was started
      → re-run the affected steps and what depends on them:
          pawl run --rerun-changed --reason 'src/a.md changed' examples/book
      → keep the results, marked as outdated:
          pawl run --keep-changed --reason 'src/a.md changed' examples/book
      → show the differences:
          pawl diff -C examples/book
      → allow more without being asked: set confirm_above in the manifest
    4   src/a.ts: is not there
      output notes (notes.md): an output did not pass its check: is empty
    ✗ T001/implement is not done: 2 things missing or wrong; nothing was recorded, and the claim stands
      → make what is missing and say it again; heartbeat keeps the claim meanwhile"
  `);
});

test('every problem of a call: exit code, what is wrong, and what to do', () => {
  expect(told(Object.values(calls))).toMatchInlineSnapshot(`
    "2 ✗ there is no command rnu; did you mean run or runs?
      → to list the commands: pawl help
    2 ✗ pawl run has no option --rerun-form; did you mean --rerun-from?
      → to see how it is called: pawl help run
    2 ✗ Pawl never says interupted; did you mean interrupted?
      → to list the words: pawl explain
    2 ✗ pawl why needs <cell>
      → to see how it is called: pawl help why
    2 ✗ --reason <text> needs a value
      → to see how it is called: pawl help run
    2 ✗ pawl run does not take b and c
      → to see how it is called: pawl help run
    2 ✗ --attempt x: expected a number from 1 on
    2 ✗ there is no folder demo
    2 ✗ pawl reset is for a person at a terminal, and there is none
      → if a person has looked at it: add --yes
    4 ! pawl reset: nothing was changed
    2 ✗ there is no example maximal; did you mean minimal?
      → the examples are minimal
      → a folder to write it into comes after its name: pawl init [example] [folder]
    4 ✗ pawl.yaml in this folder would be overwritten; nothing was written
      → choose a folder of its own: pawl init [example] [folder]
    4 ✗ runs/a/report.html is there already and is no report of Pawl's; nothing was written
      → name another file with -o"
  `);
});

test('every problem of usage has its words', () => {
  const problems: { [C in UsageProblem['code']]: Extract<UsageProblem, { code: C }> } = {
    'reason-required': { code: 'reason-required', flag: '--force-resume' },
    'unknown-phase': { code: 'unknown-phase', name: 'wirte', valid: ['plan', 'write'] },
    'unknown-change': { code: 'unknown-change', name: 'outline.yml', valid: ['outline.yaml'] },
    'two-answers': { code: 'two-answers', name: 'outline.yaml' },
    'unknown-unit': { code: 'unknown-unit', name: 'ch01', near: ['ch001'] },
    'unknown-cell': { code: 'unknown-cell', name: 'ch001', near: ['ch001/write'] },
    'unknown-attempt': { code: 'unknown-attempt', cell: 'ch001/write', attempt: 7, valid: [1, 2] },
    'bad-actor': { code: 'bad-actor', name: 'A B' },
    'unknown-output': { code: 'unknown-output', name: 'nots', valid: ['notes'] },
    'unknown-role': { code: 'unknown-role', name: 'boss', valid: ['executor'] },
    'flags-exclude': { code: 'flags-exclude', flags: ['--rerun-from', '--rerun-all'] },
    'needs-flag': { code: 'needs-flag', flag: '--unit', with: '--rerun-from' },
    'not-for-question': { code: 'not-for-question', id: 'C1', word: '--keep', isChange: false },
  };
  expect(Object.values(problems).map(usageWords).join('\n')).toMatchInlineSnapshot(`
    "--force-resume needs a --reason: it is recorded for those who come later
    no phase is called wirte; the phases are plan and write
    No change is named outline.yml; the changes are outline.yaml
    outline.yaml has two answers: give either --rerun-change or --keep-change
    no unit matches ch01; did you mean ch001?
    there is no cell ch001; a cell is written UNIT/PHASE; did you mean ch001/write?
    ch001/write has no attempt 7; there is 1 or 2
    A B cannot be an actor: small letters, digits, dots, dashes and underscores, and none of runner, people and hooks
    there is no output nots; the outputs are notes
    no phase is for the role boss; the roles are executor
    --rerun-from and --rerun-all exclude each other; give one of them
    --unit needs --rerun-from beside it
    --keep is no answer to C1: it is for a file that has changed"
  `);
  expect(usageWords({ code: 'unknown-attempt', cell: 'a/b', attempt: 1, valid: [] })).toBe(
    'a/b has no attempt 1; there was none',
  );
});

test('a holder of whom nothing is known may be displaced, a living one not', () => {
  const unknown = { ...failures['run-held'], holder: { ...holder, alive: 'unknown' as const } };
  expect(troubleTitle(unknown, style)).toContain(
    'of which it cannot be told from here whether it still lives',
  );
  expect(nextSteps(unknown, style)).toContain(
    'if you know that it is gone: pawl run --takeover examples/book',
  );
  expect(nextSteps(failures['run-held'], style).join()).not.toContain('--takeover');
});

test('disk trouble says what to do about it', () => {
  const steps = ['EDQUOT', 'EIO', 'EROFS', 'EACCES', 'EMFILE', 'EWHAT'].map((code) => {
    const trouble: Failure = { reason: 'disk-failed', code, operation: 'sync', path: 'x' };
    return `${troubleTitle(trouble, style)}: ${nextSteps(trouble, style)[0]}`;
  });
  expect(steps.join('\n')).toMatchInlineSnapshot(`
    "the disk failed: the quota is used up (EDQUOT, sync x): free some space
    the disk failed: the device cannot read or write (EIO, sync x): save the workspace elsewhere and look after the device
    the disk failed: it is mounted for reading only (EROFS, sync x): make it writable
    the disk failed: permission was denied (EACCES, sync x): make it readable or writable for you
    the disk failed: too many files are open (EMFILE, sync x): raise the limit of open files (ulimit -n)
    the disk failed: an operation did not succeed (EWHAT, sync x): look after the disk"
  `);
});

test('no message writes out a command that deletes anything or decides for a person', () => {
  for (const trouble of [...Object.values(failures), ...Object.values(calls)]) {
    const text = troubleText(trouble, style);
    expect(text).not.toMatch(/: pawl (reset|cancel|approve|reject)|--delete/);
  }
});

test('what comes from outside cannot order the terminal about', () => {
  const evil = `${String.fromCharCode(27)}[2J\u202e`;
  const text = troubleText({ reason: 'manifest-not-found', path: evil, near: [evil] }, style);
  expect(text.split('\n')[0]).toBe('✗ there is no manifest at \\u{202e}; did you mean \\u{202e}?');
});

test('who speaks of a task without a number is told who has it, not that it was theirs', () => {
  const lost = { ...failures['claim-lost'], actor: 'w2', attempt: undefined, aside: undefined };
  const title = (more: Partial<typeof lost>) => told([{ ...lost, ...more }]);
  expect(title({})).toContain("T001/implement is not w2's: executor-2 has it under number 2 until");
  expect(title({ holder: undefined, current: 0 })).toContain(
    "T001/implement is not w2's: nobody has claimed it yet; nothing was recorded as done",
  );
  expect(title({ holder: undefined, current: 0 })).toContain('claim it first');
});
