import type { SelectionRequest } from '../../engine/open/requests.ts';
import type { StatusAnswer } from '../../engine/show/status.ts';
import { type Call, flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, type Outcome, type Presentation, present } from '../command.ts';
import type { Face } from '../face.ts';
import { pathArgument, runOption, selecting } from '../options.ts';
import { selectionOf } from '../selection.ts';
import { watchSignals } from '../signals.ts';

export const statusCommand: Command = {
  name: 'status',
  group: 'look',
  summary: 'show a run as a matrix of units by phases',
  details: ['Of many units it shows the unfinished ones, and the steps of each phase by status.'],
  arguments: [pathArgument],
  options: [
    runOption,
    ...selecting,
    { flags: '--watch', summary: 'live, from the journal, until no process works on the run' },
  ],
  examples: [
    { line: "pawl status --unit 'ch001_*' --phase write", summary: 'one phase of some units' },
    { line: 'pawl status --failed', summary: 'only what failed' },
  ],
  async perform(call, face) {
    const selection = selectionOf(call);
    if (!selection.ok) return selection;
    if (flagOption(call, 'watch')) return await watchAndShow(call, face, selection.value);
    const { showStatus } = await import('../../engine/show/status.ts');
    const request = { ...targetOf(call), ...selection.value };
    return present('status', await showStatus(await environmentOf(face), request), shown);
  },
};

const shown: Presentation<StatusAnswer> = {
  loadText: async () => (await import('../../text/status.ts')).statusText,
};

/** Follows the run until no process works on it or the person stops; then shows the status as always. */
async function watchAndShow(call: Call, face: Face, selection: SelectionRequest): Promise<Outcome> {
  const { watchStatus } = await import('../../engine/show/watch-status.ts');
  const { openWatchView } = await import('../views.ts');
  const view = await openWatchView(face);
  const signals = watchSignals(face.io, { leaving: () => view.end() });
  try {
    const request = { ...targetOf(call), ...selection, watcher: view, stop: signals.stop };
    const outcome = present('status', await watchStatus(await environmentOf(face), request), shown);
    return outcome.ok ? { ...outcome, exitCode: signals.exitCode() } : outcome;
  } finally {
    view.end();
    signals.ignore();
  }
}
