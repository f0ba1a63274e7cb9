// Loaded into the command before anything else. A line that is written to a pipe is out before the next instruction
// runs, so the process dies exactly between what it told and whatever it would have done next.
const moment = JSON.parse(process.env.TEST_KILL_AT ?? 'null');
const write = process.stderr.write.bind(process.stderr);
let lines = 0;

process.stderr.write = (/** @type {Parameters<typeof write>} */ ...args) => {
  const written = write(...args);
  lines += String(args[0]).split('\n').length - 1;
  const isNow = typeof moment === 'number' ? lines >= moment : String(args[0]).includes(moment);
  if (isNow) process.kill(process.pid, 'SIGKILL');
  return written;
};
