import { unreachable } from '../../base/result.ts';
import { exitCodes } from './exit-codes.ts';
import type { Trouble } from './failures.ts';
import { isAgentTrouble } from './settings-problems.ts';
export function exitCodeOfTrouble(trouble: Trouble): number {
  // A person looks at the settings of an agent before Pawl writes to them.
  if (isAgentTrouble(trouble)) return exitCodes.refused;
  switch (trouble.reason) {
    case 'manifest-not-found':
    case 'manifest-invalid':
    case 'usage':
    case 'nothing-to-adopt':
    case 'nothing-to-undo':
    case 'no-such-question':
    case 'decision-not-found':
    case 'nothing-to-repair':
    case 'module-failed':
    case 'provider-missing':
    case 'unknown-command':
    case 'unknown-option':
    case 'unknown-reason':
    case 'missing-argument':
    case 'missing-value':
    case 'too-many-arguments':
    case 'bad-value':
    case 'folder-not-found':
    case 'needs-yes':
    case 'unknown-example':
      return exitCodes.usage;
    case 'refused':
    case 'run-terminal':
    case 'adopt-check-failed':
    case 'cannot-restore':
    case 'completion-incomplete':
    case 'cannot-prepare':
    case 'not-claimable':
    case 'not-claimed':
    case 'never-run':
    case 'told-only':
    case 'import-check-failed':
    case 'link-outside':
    case 'run-stale':
    case 'rerun-above':
    case 'declined':
    case 'inside-phase':
    case 'status-blocked':
    case 'question-closed':
    case 'channel-closed':
    case 'files-exist':
    case 'outputs-exist':
    case 'not-a-report':
      return exitCodes.refused;
    case 'which-run':
    case 'which-workspace':
    case 'no-run':
    case 'run-of-another':
    case 'run-not-found':
      return exitCodes.whichRun;
    case 'run-held':
    case 'claim-lost':
    case 'fenced-out':
      return exitCodes.held;
    case 'journal-damaged':
    case 'status-unclear':
    case 'document-unreadable':
    case 'disk-failed':
    case 'archive-failed':
    case 'object-missing':
      return exitCodes.damaged;
    default:
      return unreachable(trouble);
  }
}
