// Two agents and Pawl take turns until everything is done: the agents do what they can get, then `pawl run` verifies it
// and opens what comes next. With --kill, one of the agents is killed in the middle of a task.
//
//   node agents/team.mjs [--kill]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pawl } from './pawl.mjs';

const executor = fileURLToPath(new URL('executor.mjs', import.meta.url));
const roundsMax = 50;
let wantsKill = process.argv.includes('--kill');

process.exitCode = await loop();

async function loop() {
  for (let round = 1; round <= roundsMax; round++) {
    const { code, answer } = await pawl('run');
    // 75: what is left is for agents. Anything else is the end, or for a person.
    if (code !== 75) {
      tell(
        code === 0
          ? `run ${answer.heading?.run} is completed`
          : `pawl run ends with ${code}; pawl status says more`,
      );
      return code;
    }
    tell(`round ${round}`);
    // Not before there is work for both: somebody has to go on.
    const isVictim = wantsKill && (await countReady()) > 1;
    await Promise.all([agent('executor-1', isVictim), agent('executor-2', false)]);
  }
  tell('gives up');
  return 1;
}

/**
 * Starts an agent and waits for its end. One that is to be killed is slow, so that it is met in the middle of its task.
 * @param {string} name
 * @param {boolean} isVictim
 */
async function agent(name, isVictim) {
  const env = isVictim ? { ...process.env, AGENTS_PAUSE_MS: '60000' } : process.env;
  const child = spawn(process.execPath, [executor, name], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    if (!isVictim || !line.includes(' has a draft ')) continue;
    child.kill('SIGKILL');
    wantsKill = false;
    tell(`${name} is killed; ${await claimOf(name)}`);
  }
  await ended;
}

async function countReady() {
  const { answer } = await pawl('graph');
  return answer.tasks?.runnable ?? 0;
}

/** Nobody can tell a dead agent from a silent one: what it has claimed stays its own until the lease runs out. */
async function claimOf(/** @type {string} */ name) {
  const { answer } = await pawl('graph');
  const tasks = (answer.stages ?? []).flatMap((stage) => stage.tasks);
  const held = tasks.find(({ claim }) => claim?.actor === name);
  if (held?.claim === undefined) return 'it has nothing any more';
  const { attempt, until } = held.claim;
  return `${held.unit} is ${held.state}, and its own under number ${attempt} until ${until}`;
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`team: ${text}\n`);
}
