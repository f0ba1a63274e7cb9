// Phases whose outputs follow from what they are given and from nothing else: any two whole runs end with the same files.
import { appendFileSync, openSync } from 'node:fs';

export function draft(task) {
  note(task);
  const text = `${task.prompt.text}${'word '.repeat(task.unit.words)}${task.iteration}\n`;
  task.respond(`${text.length} characters\n`);
  return { text };
}

export function judge(task) {
  note(task);
  if (process.env.FAULT_LEAK) useUpDescriptors();
  const status = task.unit.verdicts[task.iteration - 1];
  return { report: { status, length: task.inputs.text.text().length } };
}

export function commit(task) {
  note(task);
  const { count, log } = task.state.json();
  const state = { count: count + 1, log: [...log, task.unit.id] };
  return { state, note: `${task.inputs.text.text().length} after ${count}\n` };
}

function useUpDescriptors() {
  try {
    for (;;) openSync('/dev/null');
  } catch {
    // There are none left.
  }
}

/** The judge is outside: it reads what was really executed from a file of its own. */
function note({ unit, phase, attempt, iteration }) {
  appendFileSync(process.env.FAULT_CALLS, `${unit.id} ${phase} ${attempt} ${iteration}\n`);
}
