import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandPath, median, timeNode } from '../measure.mjs';

const manifest = `pawl: 1
pipeline: notes
units: [a, b, c]
phases:
  draft: { run: { task: writer }, outputs: { text: "out/{unit}.md" } }
`;

/**
 * How long a coding agent waits for a hook in a workspace with a run, and for the status line, beside a Node that does
 * nothing. Nobody writes to the run meanwhile, so what was written last holds.
 */
export function measureHooks(/** @type {string} */ folder, /** @type {{ rounds: number }} */ { rounds }) {
  const root = join(folder, 'hooks');
  mkdirSync(root);
  writeFileSync(join(root, 'pawl.yaml'), manifest);
  // 75: there are tasks to be claimed.
  timeNode([commandPath, 'run'], root, [75]);
  const calls = callsIn(root);
  const times = calls.map(() => /** @type {number[]} */ ([]));
  const nothing = [];
  for (let round = 0; round < rounds; round++) {
    nothing.push(timeNode(['-e', '0'], root));
    for (const [at, { args, payload }] of calls.entries())
      times[at].push(timeNode([commandPath, ...args], root, [0], JSON.stringify(payload)));
  }
  const floor = median(nothing);
  return calls.map(({ name }, at) => {
    const ours = median(times[at]);
    return { figure: `${name} beside node -e 0`, target: 1.5, floor, ours, ratio: ours / floor, unit: 'ms' };
  });
}

function callsIn(/** @type {string} */ root) {
  const session = { session_id: 's1', cwd: root };
  const args = ['hook', 'claude'];
  const tool_input = { file_path: join(root, 'out/a.md'), content: 'a' };
  return [
    {
      name: 'hook, session start',
      args,
      payload: { ...session, hook_event_name: 'SessionStart', source: 'startup' },
    },
    {
      name: 'hook, prompt',
      args,
      payload: { ...session, hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
    },
    {
      name: 'hook, before a write',
      args,
      payload: { ...session, hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input },
    },
    {
      name: 'status line',
      args: ['statusline'],
      payload: { ...session, context_window: { used_percentage: 62 } },
    },
  ];
}
