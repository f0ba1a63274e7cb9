import { exitCodes } from '../exit-codes.ts';
import { type ExitCodeLine, exitCodesText } from '../explain.ts';

type ExitCodeName = keyof typeof exitCodes;

/** Every exit code, the smallest first. */
export function exitCodeLines(): ExitCodeLine[] {
  const names = Object.keys(exitCodes) as ExitCodeName[];
  return names
    .map((name) => ({ code: exitCodes[name], name, ...texts[name] }))
    .sort((a, b) => a.code - b.code);
}

/** `pawl help exit-codes`. */
export function exitCodeHelpText(): string {
  return exitCodesText(exitCodeLines());
}

/** A new exit code does not compile before it is explained. */
const texts: Readonly<Record<ExitCodeName, Pick<ExitCodeLine, 'means' | 'example'>>> = {
  done: {
    means: 'done',
    example:
      'pawl run when every phase is proven, also when nothing had to be done; pawl status, whatever it shows',
  },
  phaseFailed: {
    means: 'a phase failed; the run stopped and can be gone on with',
    example:
      'a command ended with an error, attempts or rounds are used up, or a limit over all units was reached',
  },
  usage: {
    means: 'the call or the manifest is wrong; nothing was started',
    example: 'an unknown option, a phase that there is none of, a key that does not exist, a missing API key',
  },
  waitsForPerson: {
    means: 'a person has to decide',
    example: 'pawl run came to a checkpoint, or a budget is used up; pawl checkpoints lists what waits',
  },
  refused: {
    means: 'refused: something has to be looked at first',
    example:
      'a template, the manifest or an output changed since results were made; pawl brief --check on a stale document',
  },
  whichRun: {
    means: 'which run? none, or several, match',
    example: 'pawl resume where two runs can be gone on with; add --run and the beginning of an id',
  },
  held: {
    means: 'held by another',
    example:
      'pawl run while another process is at the run; pawl complete after the lease went to somebody else',
  },
  damaged: {
    means: 'damaged data or a failing disk needs attention',
    example:
      'a line of the journal was altered, the disk is full, or pawl verify found a recorded output missing',
  },
  bug: {
    means: 'a bug in Pawl, or an error that loaded code let escape; nothing acknowledged is lost',
    example: 'a stack is printed; with --json the reason is bug or uncaught-error',
  },
  paused: {
    means: 'paused; try again later',
    example: 'a provider asked to wait, or what is left is for agents; pawl next while others have all tasks',
  },
  interrupted: {
    means: 'interrupted by Ctrl-C; what was under way is on record',
    example: 'pawl run, then Ctrl-C; the next pawl run goes on',
  },
  terminated: {
    means: 'ended by a request to end (SIGTERM); what was under way is on record',
    example: 'a service manager stopped pawl run; the next pawl run goes on',
  },
};
