#!/usr/bin/env node
// Newer versions of Node keep what they have compiled for the next call.
require('node:module').enableCompileCache?.();

const argv = process.argv.slice(2);
const command = argv.includes('--help') || argv.includes('-h') ? 'help' : argv[0];
// The faces do not know one another: here one of them is chosen.
if (command === 'hook' || command === 'statusline') callHook();
else if (command === 'mcp') require('../dist/mcp/main.cjs').serveMcp(argv.slice(1));
else require('../dist/cli/main.cjs').main(argv);

/** An installation that is broken must not hold up the agent that calls. */
function callHook() {
  const leave = () => process.exit(0);
  try {
    require('../dist/hooks/main.cjs').main(argv).catch(leave);
  } catch {
    leave();
  }
}
