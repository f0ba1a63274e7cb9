import { unreachable } from '../base/result.ts';
import type {
  CheckName,
  DoctorChecks,
  DoctorFinding,
  FileOperation,
  InstalledHooks,
  ManifestTrouble,
} from '../engine/maintain/doctor/finding.ts';
import { makeExecutable } from './catalogue/attempt-failures.ts';
import { findingWords } from './catalogue/findings.ts';
import { placeWords, problemSentence } from './catalogue/problems.ts';
import { agentTroubleTitle } from './catalogue/settings-problems.ts';
import { identityOf, ownerWords } from './phrases/heading.ts';
import { hint, quoted } from './phrases/hints.ts';
import { plain, plainLines } from './style/plain.ts';
import { bytes, count, duration, list, time } from './style/words.ts';

/** A finding in words. */
export interface Said {
  readonly what: string;
  /** What mends it, in one line; undefined where nothing has to be. */
  readonly fix: string | undefined;
}

/** `path`: what to type in order to mean the workspace. */
export function sayFinding(finding: DoctorFinding, path: string | undefined): Said {
  // Which of them belongs to which is in the type of the table.
  const words = wordsFor[finding.check] as unknown as Words<never, never>;
  if (finding.state === 'ok') return { what: words.ok(finding.facts as never), fix: undefined };
  const [what, fix] = words.amiss(finding.facts as never, path);
  return { what, fix };
}

interface Words<Ok, Amiss> {
  readonly ok: (facts: Ok) => string;
  readonly amiss: (facts: Amiss, path: string | undefined) => readonly [what: string, fix: string];
}

const wordsFor: { readonly [C in CheckName]: Words<DoctorChecks[C]['ok'], DoctorChecks[C]['amiss']> } = {
  'node-version': {
    ok: ({ version }) => `Node ${plain(version)}`,
    amiss: ({ version, needed }) => [
      `Node ${plain(version)} is older than pawl needs (${plain(needed)})`,
      `install Node ${plain(needed.replace(/^>=\s*/, ''))} or newer: https://nodejs.org`,
    ],
  },
  'pawl-version': {
    ok: ({ version }) => `pawl ${plain(version)}`,
    amiss: () => [
      'pawl cannot tell its own version: its package.json is not where it should be',
      'install it again: npm install pawl',
    ],
  },
  'state-folder': {
    ok: ({ path }) => `${plain(path)} can be written: what is remembered outside of the workspace`,
    amiss: ({ path, code }) =>
      path === undefined
        ? [
            'nothing is remembered outside of the workspace, so a journal that was cut short is not noticed',
            'set HOME or XDG_STATE_HOME in the environment',
          ]
        : [
            `${plain(path)} cannot be written (${plain(code)}), and every run writes to it`,
            'make it yours, or name another folder in XDG_STATE_HOME',
          ],
  },
  'telemetry-variables': {
    ok: ({ sends }) =>
      sends.length === 0 ? 'no telemetry is sent' : `telemetry is sent: ${list([...sends])}`,
    amiss: ({ names, packages = [] }) =>
      packages.length > 0
        ? [
            "no telemetry is sent, because OpenTelemetry's packages are not installed",
            `npm install ${packages.map(quoted).join(' ')}`,
          ]
        : [
            `${list(names.map(plain))} ${names.length === 1 ? 'holds' : 'hold'} nothing that can be used; telemetry goes on without`,
            'correct or unset it: endpoints are http:// or https:// without a password',
          ],
  },
  manifest: {
    ok: ({ file, units, phases, openStages }) =>
      [
        `${file === '' ? 'the pipeline' : plain(file)} is valid: ${count(units, 'unit')}, ${count(phases, 'phase')}`,
        ...(openStages > 0 ? [`${count(openStages, 'stage')} with units that are yet to be listed`] : []),
      ].join('; '),
    amiss: manifestWords,
  },
  program: {
    ok: ({ count: found }) => `${count(found, 'program')} found`,
    amiss: ({ program, usedBy, mayNotRun }) =>
      mayNotRun
        ? [
            `the program ${plain(program)} is there, but may not be executed (${users(usedBy)})`,
            `${makeExecutable}: ${plain(program)}`,
          ]
        : [
            `the program ${plain(program)} is not found (${users(usedBy)})`,
            program.includes('/')
              ? `put it there and make it executable: ${plain(program)}`
              : `install ${plain(program)}, or put its folder on PATH`,
          ],
  },
  module: {
    ok: ({ count: found }) => `${count(found, 'module')} found`,
    amiss: ({ module, usedBy }) => [
      `there is no module ${plain(module)} yet (${users(usedBy)})`,
      'see to it that a phase before makes it; else create it, or correct its path in the manifest',
    ],
  },
  'named-file': {
    ok: ({ count: found }) => `${count(found, 'file')} that the manifest names found`,
    amiss: ({ problem }) => [
      `${problem.place === undefined ? '' : `${placeWords(problem.place)}: `}${problemSentence(problem)}`,
      problem.code === 'template-unknown-variable'
        ? 'correct it in the template; where it may be missing, ask for it with if, or give it a default'
        : 'create the file, or correct its path in the manifest',
    ],
  },
  variable: {
    ok: ({ count: found }) => `${count(found, 'variable')} that the manifest names set`,
    amiss: ({ name, usedBy }) => [
      `the variable ${plain(name)} is not set (${users(usedBy)})`,
      `set ${plain(name)} in the environment that pawl is started in`,
    ],
  },
  'provider-package': {
    ok: ({ provider }) => `provider ${plain(provider)}: its packages are installed`,
    amiss: ({ provider, phases, packages }) => [
      `provider ${plain(provider)}: packages are missing (${users(phases)})`,
      `npm install ${packages.map(quoted).join(' ')}`,
    ],
  },
  'provider-key': {
    ok: ({ provider, names }) => `provider ${plain(provider)}: ${list(names.map(plain))} ${isAre(names)} set`,
    amiss: ({ provider, phases, names }) => [
      `provider ${plain(provider)}: ${list(names.map(plain))} ${isAre(names)} not set (${users(phases)})`,
      `set ${list(names.map(plain))} in the environment that pawl is started in`,
    ],
  },
  'model-price': {
    ok: ({ models }) => `${count(models.length, 'model')} with a known price`,
    amiss: ({ models }) => [
      `no price is known for ${list(models.map(plain))}: tokens are counted, and money is not`,
      'put it under models.prices in the manifest, in USD per million tokens; it changes no result',
    ],
  },
  'picture-check': {
    ok: ({ outputs }) => `pictures of every type can be checked (${users(outputs)})`,
    amiss: ({ outputs, detail }) => [
      `${plain(plainLines(detail)[0] ?? '')} (${users(outputs)})`,
      'npm install sharp, beside pawl',
    ],
  },
  'workspace-folder': {
    ok: ({ path }) => `${plain(path)} can be written`,
    amiss: ({ path, code }) => [
      `${plain(path)} cannot be written (${plain(code)})`,
      'run as the user that it belongs to, or give this one the right to write there',
    ],
  },
  'file-operation': {
    ok: ({ place, isCaseSensitive }) =>
      [
        `files can be made once, synced, linked and renamed${place === 'temp' ? ' (tried in the temporary folder)' : ''}`,
        ...(isCaseSensitive ? [] : ['upper and lower case are the same in names']),
      ].join('; '),
    amiss: ({ operation, code, path }) => operationWords(operation, code, path),
  },
  'file-system-type': {
    ok: ({ type }) => `the file system is of type ${plain(type)}`,
    amiss: ({ type, mount }) => [
      `${plain(mount)} is a shared or network file system (${plain(type)}): locks and syncs may not hold there`,
      'keep the workspace on a disk of this machine, or run it from one machine only',
    ],
  },
  'free-space': {
    ok: (room) => `${bytes(room.bytes)} free`,
    amiss: (room) => [
      `only ${bytes(room.bytes)} are free; a run that finds no room stops`,
      `free at least ${bytes(room.bytesMin)} on this disk`,
    ],
  },
  'run-journal': {
    ok: ({ runs }) => (runs === 0 ? 'no runs yet' : `${count(runs, 'run')} with a whole journal`),
    amiss: ({ run, count: found, first }, path) => [
      `the journal of run ${plain(run)} is damaged: ${findingWords(first)}${found > 1 ? `, and ${found - 1} more` : ''}`,
      `to see all of it: ${ofRun('verify', run, path)}`,
    ],
  },
  'run-holder': {
    ok: ({ run, holder }) =>
      `run ${plain(run)} is being worked on by process ${holder.pid}, since ${time(holder.since)}`,
    amiss: ({ run, holder }, path) => [
      `run ${plain(run)} is held by ${ownerWords(holder)}, and nobody can tell from here whether it lives`,
      `look at ${holder.host === '' ? 'who else works here' : plain(holder.host)}; if it is gone: ${hint('run', path, undefined, '--run', run, '--takeover')}`,
    ],
  },
  'run-interrupted': {
    ok: unreachable,
    amiss: ({ run, holder }, path) => [
      `run ${plain(run)} was interrupted: ${holder === undefined ? 'whoever held it' : `process ${holder.pid} on ${plain(holder.host)}`} is gone`,
      `to see where it stands and continue: ${ofRun('resume', run, path)}`,
    ],
  },
  'run-choice': {
    ok: unreachable,
    amiss: ({ runs, ...of }, path) => [
      `${count(runs.length, 'run')} of ${`${plain(of.pipeline)} ${identityOf(of)}`.trim()} can be gone on with: ${list(runs.map(plain))}`,
      `to resume the first: ${hint('run', path, undefined, '--resume', runs[0] ?? '')}`,
    ],
  },
  'run-stale': {
    ok: unreachable,
    amiss: ({ run, idleMs, limitMs }, path) => [
      `nothing has happened to run ${plain(run)} for ${duration(idleMs)} (pace.stale_after: ${duration(limitMs)})`,
      `to see what has changed since, and be asked: ${ofRun('resume', run, path)}`,
    ],
  },
  'literal-secret': {
    ok: unreachable,
    amiss: ({ path, key, found }, at) => [
      `${plain(path)} holds ${plain(found)} in clear, at ${plain(key)}; the content store may have a copy`,
      `revoke that key, name a variable of the environment in the manifest instead, then write the file without it: ${hint('run', at)}`,
    ],
  },
  'leftover-file': {
    ok: unreachable,
    amiss: (left, path) => [
      `${count(left.files, 'file')} of processes that died (${bytes(left.bytes)}): ${list([...left.paths.map(plain), ...(left.files > left.paths.length ? [`${left.files - left.paths.length} more`] : [])])}`,
      `others may be removed by hand while nothing runs here; to tidy up after the run: ${hint('run', path)}`,
    ],
  },
  'kept-size': {
    ok: (size) => `.pawl takes up ${sizeWords(size)}`,
    amiss: (size, path) => [
      `.pawl takes up ${sizeWords(size)}, of that ${bytes(size.attemptBytes)} for attempts`,
      `to see what old runs would free; it deletes nothing: ${hint('gc', path, undefined, '--older-than', '30d')}`,
    ],
  },
  'git-ignore': {
    ok: ({ path }) => `git ignores ${plain(path)}`,
    amiss: ({ path, file }) => [
      `git does not ignore ${plain(path)}, which is of use on this machine only`,
      `add a line to ${plain(file)}: ${plain(path)}`,
    ],
  },
  'agent-hooks': {
    ok: ({ installed }) =>
      installed.length === 0
        ? 'no coding agent has hooks of pawl'
        : `hooks of this version: ${list(installed.map(hooksName))}`,
    amiss: ({ agent, scope, outdated, folder }) => [
      `the hooks of ${hooksName({ agent, scope })} are not as this version installs them: ${list(outdated.map(plain))}`,
      `to see the difference, and be asked: pawl agents install ${agent}${scope === 'user' ? ' --user' : inFolder(folder)}`,
    ],
  },
  'agent-settings': {
    ok: unreachable,
    amiss: ({ agent, trouble }) => [
      `settings of ${agent}: ${agentTroubleTitle(trouble).replace(/; nothing was written$/, '')}`,
      'mend the file, or move it away',
    ],
  },
  'could-not-look': {
    ok: unreachable,
    amiss: ({ at, code, operation, path: where }) => [
      `${plain(at)} could not be looked at: ${plain(operation)} of ${plain(where)} failed (${plain(code)})`,
      `see to it that this user can read ${plain(where)}`,
    ],
  },
};

function manifestWords(
  trouble: ManifestTrouble,
  path: string | undefined,
): readonly [what: string, fix: string] {
  switch (trouble.found) {
    case 'none':
      return trouble.isNamed
        ? [`there is no manifest at ${plain(trouble.path)}`, 'name a folder with a pawl.yaml, or a manifest']
        : ['no manifest here', 'to write a small pipeline into this folder: pawl init'];
    case 'several':
      return [
        `${count(trouble.candidates.length, 'pipeline')} can be meant: ${list(trouble.candidates.map(plain))}`,
        `to check the first: ${hint('doctor', trouble.candidates[0])}`,
      ];
    case 'invalid': {
      const first = trouble.first === undefined ? '' : `: ${problemSentence(trouble.first)}`;
      const maker = trouble.madeBy === undefined ? '' : `, made by ${plain(trouble.madeBy)}`;
      return [
        `${count(trouble.problems, 'problem')} in ${plain(trouble.file)}${maker}${first}`,
        `to see ${trouble.problems === 1 ? 'where' : 'all of them'}: ${hint('plan', path)}`,
      ];
    }
    case 'broken':
      return [
        `${plain(trouble.file)} could not be loaded: ${plain(plainLines(trouble.detail)[0] ?? '')}`,
        'mend the module; it has to export a constant called pipeline',
      ];
    default:
      return unreachable(trouble);
  }
}

function operationWords(
  operation: FileOperation,
  code: string,
  path: string,
): readonly [what: string, fix: string] {
  const because = `(${plain(code)})`;
  const elsewhere = 'keep the workspace on a local disk of this machine';
  switch (operation) {
    case 'write':
      return [
        `no file can be made in ${plain(path)} ${because}`,
        'free the disk, or give this user the right',
      ];
    case 'exclusive':
      return [`a name can be taken twice here ${because}: two runners could hold one run`, elsewhere];
    case 'sync':
    case 'sync-folder':
      return [`what is written cannot be made durable here ${because}`, elsewhere];
    case 'link':
      return [
        `there are no hard links here ${because}: some files are seen before they are whole`,
        elsewhere,
      ];
    case 'rename':
      return [`a file cannot be replaced at once here ${because}`, elsewhere];
    case 'remove':
      return [`files cannot be removed here ${because}`, `remove what was tried with: ${plain(path)}`];
    default:
      return unreachable(operation);
  }
}

/** Who names something: `for write, lint.report and notify`. */
function users(names: readonly string[]): string {
  return `for ${list(names.map(plain), usersMax)}`;
}

const usersMax = 4;

function isAre(names: readonly string[]): string {
  return names.length === 1 ? 'is' : 'are';
}

function ofRun(command: 'verify' | 'resume', run: string, path: string | undefined): string {
  return `${hint(command, path)} --run ${quoted(run)}`;
}

function sizeWords(size: { readonly bytes: number; readonly isPartial: boolean }): string {
  return `${size.isPartial ? 'more than ' : ''}${bytes(size.bytes)}`;
}

function hooksName({ agent, scope }: InstalledHooks): string {
  return scope === 'user' ? `${agent} (user)` : agent;
}

function inFolder(folder: string): string {
  return folder === '.' ? '' : ` -C ${quoted(folder)}`;
}
