// A stand-in for a planner: a task for each requirement.
import { output, prompt, say } from '../standin/task.mjs';
import { changesAskedFor, list, page } from '../standin/text.mjs';

const tasks = list(prompt(), 'Requirements').map((requirement, at) => {
  const [number, ...words] = requirement.split(': ');
  return `- [ ] T${String(at + 1).padStart(3, '0')} (${number}): ${words.join(': ')}`;
});
output('tasks', page('Tasks', tasks.join('\n'), ...changesAskedFor()));
say(`${tasks.length} tasks`);
