import type { Explanation } from './entry.ts';

/** An exit code in words, for help, `pawl explain`, the docs and the handlers of signals. */
export interface ExitCodeRow {
  readonly code: number;
  /** For the one paragraph of `pawl --help`. */
  readonly short: string;
  readonly means: string;
  /** When a command ends so. */
  readonly example: string;
  /** The signal after which a command ends so; the code is then 128 and its number, as shells count. */
  readonly signal?: 'SIGHUP' | 'SIGINT' | 'SIGTERM';
}

/** Every exit code that there is, the smallest first. */
export const exitCodeTable = {
  done: {
    code: 0,
    short: 'done',
    means: 'done',
    example:
      'pawl run when every phase is proven, also when nothing had to be done; pawl status, whatever it shows',
  },
  phaseFailed: {
    code: 1,
    short: 'a phase failed',
    means: 'a phase failed; the run stopped and can be gone on with',
    example:
      'a command ended with an error, attempts or rounds are used up, or a limit over all units was reached',
  },
  usage: {
    code: 2,
    short: 'usage or manifest',
    means: 'the call, the manifest or a list of units is wrong; nothing is started by it',
    example: 'an unknown option, a phase that there is none of, a key that does not exist, a missing API key',
  },
  waitsForPerson: {
    code: 3,
    short: 'a person has to decide',
    means: 'a person has to decide',
    example:
      'pawl run came to a checkpoint, or a budget is used up; pawl checkpoints lists what waits; pawl run --max-usd has spent it',
  },
  refused: {
    code: 4,
    short: 'refused',
    means: 'refused: something has to be looked at first',
    example:
      'a template, the manifest or an output changed since results were made; pawl brief --check on a stale document',
  },
  whichRun: {
    code: 5,
    short: 'which run',
    means: 'which run? none, or several, match',
    example: 'pawl resume where two runs can be gone on with; add --run and the beginning of an id',
  },
  held: {
    code: 6,
    short: 'held by another',
    means: 'held by another',
    example:
      'pawl run while another process is at the run; pawl complete after the lease went to somebody else',
  },
  damaged: {
    code: 7,
    short: 'damaged data or disk',
    means: 'damaged data or a failing disk needs attention',
    example:
      'a line of the journal was altered, the disk is full, or pawl verify found a recorded output missing',
  },
  bug: {
    code: 70,
    short: 'a bug in pawl',
    means: 'a bug in Pawl, or an error that loaded code let escape; nothing acknowledged is lost',
    example: 'a stack is printed; with --json the reason is bug, uncaught-error or process-ended',
  },
  paused: {
    code: 75,
    short: 'paused',
    means: 'paused; try again later',
    example:
      'a provider or a step asked to wait, or what is left is for agents; pawl next while others have all tasks',
  },
  hungUp: {
    code: 129,
    signal: 'SIGHUP',
    short: 'hung up',
    means: 'ended because its terminal was closed (SIGHUP); what was under way is on record',
    example: 'the window of pawl run was closed; the next pawl run goes on',
  },
  interrupted: {
    code: 130,
    signal: 'SIGINT',
    short: 'interrupted',
    means: 'interrupted by Ctrl-C (SIGINT); what was under way is on record',
    example: 'pawl run, then Ctrl-C; the next pawl run goes on',
  },
  terminated: {
    code: 143,
    signal: 'SIGTERM',
    short: 'terminated',
    means: 'ended by a request to end (SIGTERM); what was under way is on record',
    example: 'a service manager stopped pawl run; the next pawl run goes on',
  },
} as const satisfies Readonly<Record<string, ExitCodeRow>>;

/** The rows alone, in their order. */
export const exitCodeRows: readonly ExitCodeRow[] = Object.values(exitCodeTable);
type ExitCodes = { readonly [Name in keyof typeof exitCodeTable]: (typeof exitCodeTable)[Name]['code'] };

/** The exit codes by name. */
export const exitCodes = Object.fromEntries(
  Object.entries(exitCodeTable).map(([name, { code }]) => [name, code]),
) as ExitCodes;

/** What a command ends with that a signal has ended, by signal. Any other signal is left to the system. */
export const exitCodesOfSignals: ReadonlyMap<NonNullable<ExitCodeRow['signal']>, number> = new Map(
  exitCodeRows.flatMap(({ signal, code }) => (signal === undefined ? [] : [[signal, code] as const])),
);

/** By number, because a script or a log has only that. */
export const exitCodeMeanings: Readonly<Record<string, Explanation>> = Object.fromEntries(
  exitCodeRows.map(({ code, means, example }) => [
    code,
    {
      what: sentence(means),
      follows: `For example: ${example}.`,
      ways: [],
      page: 'docs/reference/exit-codes.md',
    },
  ]),
);

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
