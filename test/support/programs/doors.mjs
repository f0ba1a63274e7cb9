// The phases of the sprites behind a test's door: each knocks before it does its work, and fails when it is told to.
import { knock } from './door.mjs';
import * as phases from './phases.mjs';

export const generate = behindDoor(phases.generate);
export const approve = behindDoor(phases.approve);

/** @typedef {{ unit: { id: string }, phase: string, attempt: number }} Task */

function behindDoor(/** @type {(task: Task) => Promise<object>} */ phase) {
  return async (/** @type {Task} */ task) => {
    const order = await knock(`${task.unit.id}/${task.phase}`, { attempt: task.attempt });
    if (order === 'fail') throw new Error('told to fail');
    return await phase(task);
  };
}
