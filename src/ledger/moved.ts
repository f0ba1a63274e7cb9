import type { OutputRecord, PreState } from '../model/event.ts';
import type { Ledger } from './ledger.ts';

/** A run whose folder was renamed: what lies in it is looked for where it lies now. */
export function followFolder(ledger: Ledger, folder: string): void {
  const from = ledger.run?.folder;
  if (from === undefined || from === folder) return;
  const move = (path: string) => (path.startsWith(`${from}/`) ? folder + path.slice(from.length) : path);
  for (const step of ledger.steps.values()) {
    for (const result of step.results) {
      if (result === undefined) continue;
      const isPlaced = step.placed === result.outputs;
      result.outputs = moveOutputs(result.outputs, move);
      result.preState = result.preState && moveState(result.preState, move);
      if (isPlaced) step.placed = result.outputs;
    }
    step.placed = step.placed && moveOutputs(step.placed, move);
  }
}

type Outputs = Readonly<Record<string, OutputRecord>>;

function moveOutputs(outputs: Outputs, move: (path: string) => string): Outputs {
  let isMoved = false;
  const moved = Object.entries(outputs).map(([name, record]) => {
    const path = move(record.path);
    isMoved ||= path !== record.path;
    return [name, { ...record, path }] as const;
  });
  // The same object where nothing has moved: what lies at the paths is known by it.
  return isMoved ? Object.fromEntries(moved) : outputs;
}

function moveState(state: PreState, move: (path: string) => string): PreState {
  return { ...state, path: move(state.path) };
}
