// One agent: asks for a task, does it, says so, and asks again, until there is nothing for it. It remembers nothing:
// whoever starts it again, under whatever name, goes on from what is on disk.
//
//   node agents/executor.mjs executor-1
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countCall } from '../calls.mjs';
import { pawl } from './pawl.mjs';
import { answer } from './standin.mjs';

/** @typedef {import('./pawl.mjs').Task} Task */

const actor = process.argv[2] ?? 'executor-1';
/** How long a task takes, as it would with a model. */
const pauseMs = Number(process.env.AGENTS_PAUSE_MS ?? 300);
/** How long it waits before it asks again, and how often in a row. */
const waitMs = 500;
const waitsMax = 240;

const endings = new Map([
  ['all-done', 'everything is done'],
  ['for-the-runner', 'what comes next is for pawl run'],
  ['other-role', 'what is left is for others'],
  ['asks-person', 'a person has to decide first'],
  ['stuck', 'nothing is left that could go on'],
]);

process.exitCode = await loop();

/** The exit code: 0 all is done, 75 others have to go on first, or what `pawl next` says. */
async function loop() {
  for (let waits = 0; waits < waitsMax; ) {
    const { code, answer: next } = await pawl('next', '--actor', actor, '--role', 'executor');
    if (next.task) {
      waits = 0;
      await work(next.task);
    } else if (next.none?.code === 'nothing-now') {
      // Others are at work: more may come of it, or a lease runs out.
      waits += 1;
      await sleep(waitMs);
    } else {
      tell(`ends: ${endings.get(next.none?.code ?? '') ?? next.message}`);
      return code;
    }
  }
  tell('ends: it has waited long enough');
  return 75;
}

/** @param {Task} task */
async function work(task) {
  // The first heartbeat says that work has begun; the others keep the lease from running out.
  await heartbeat(task);
  const left =
    task.why.code === 'interrupted' ? `, after number ${task.why.attempt} was left in the middle` : '';
  tell(`begins ${task.unit} ${task.title} under number ${task.attempt}${left}`);
  try {
    const drafts = draft(task);
    tell(`has a draft of ${task.unit}`);
    await whileBeating(task, pauseMs);
    for (const [path, text] of drafts) place(path, text);
    write(join(task.folder, 'outputs/notes'), notes(task));
  } catch (error) {
    const reason = /** @type {Error} */ (error).message;
    await pawl('fail', task.unit, ...mine(task), '--reason', reason);
    return tell(`fails ${task.unit}: ${reason}`);
  }
  const { code, answer: said } = await pawl('complete', task.unit, ...mine(task));
  if (code === 0) return tell(`has done ${task.unit}`);
  // Too late: it is another one's now, and what was made is kept aside. Anything else is not proven, and so not done.
  tell(`is told that ${task.unit} is not done: ${said.message}`);
  if (said.reason !== 'claim-lost')
    await pawl('fail', task.unit, ...mine(task), '--reason', said.message ?? '');
}

/**
 * The text of each file. What costs money is kept at once: whoever has to go on in the middle need not pay again.
 * @param {Task} task
 * @returns {[string, string][]}
 */
function draft(task) {
  const { folder, previous, files } = task;
  const left = previous && join(previous, 'drafts.json');
  const isLeft = left !== undefined && existsSync(left);
  if (!isLeft) countCall(task);
  const drafts = isLeft
    ? readFileSync(left, 'utf8')
    : JSON.stringify(files.map((path) => [path, answer(task, path)]));
  return JSON.parse(write(join(folder, 'drafts.json'), drafts));
}

/** The index is everybody's: lines are added to it. That is why two tasks that touch it are not handed out together. */
function place(/** @type {string} */ path, /** @type {string} */ text) {
  if (basename(path) !== 'index.js' || !existsSync(path)) return write(path, text);
  const lines = new Set([...readFileSync(path, 'utf8').split('\n'), ...text.split('\n')]);
  const isExport = (/** @type {string} */ line) => line.startsWith('export');
  const others = [...lines].filter((line) => line !== '' && !isExport(line));
  return write(path, [...others, ...[...lines].filter(isExport).sort(), ''].join('\n'));
}

/** @param {Task} task */
function notes({ unit, title, files, iteration }) {
  const round = iteration > 1 ? `\n\nRound ${iteration}: what was found is mended.` : '';
  return `# ${unit}: ${title}\n\n${files.map((path) => `- ${path}`).join('\n')}${round}\n`;
}

/** Waits, and renews the lease on the way, long before it runs out. @param {Task} task @param {number} ms */
async function whileBeating(task, ms) {
  const beatMs = task.leaseMs / 3;
  for (let left = ms; left > 0; left -= beatMs) {
    await sleep(Math.min(left, beatMs));
    if (left > beatMs) await heartbeat(task);
  }
}

/** @param {Task} task */
async function heartbeat(task) {
  await pawl('heartbeat', task.unit, ...mine(task));
}

/** Who says it, and under which claim: the number is the fence. @param {Task} task */
function mine({ attempt }) {
  return ['--actor', actor, '--number', String(attempt)];
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return text;
}

/** @param {string} text */
function tell(text) {
  process.stdout.write(`${actor} ${text}\n`);
}
