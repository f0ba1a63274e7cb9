#!/usr/bin/env node
// Newer versions of Node keep what they have compiled for the next call.
require('node:module').enableCompileCache?.();

const argv = process.argv.slice(2);
// The folder of `-C FOLDER` is no command.
const place = argv.findIndex((word, at) => !word.startsWith('-') && !/^(-C|--dir)$/.test(argv[at - 1] ?? ''));
const command = argv.includes('--help') || argv.includes('-h') ? 'help' : argv[place];
// The faces do not know one another: here one of them is chosen.
if (command === 'hook' || command === 'statusline') callHook();
else if (command === 'mcp') require('../dist/mcp/main.cjs').serveMcp(argv.toSpliced(place, 1));
else {
  const { main, processIo } = require('../dist/cli/main.cjs');
  main(argv, processIo());
}

/** An installation that is broken must not hold up the agent that calls. */
function callHook() {
  const leave = () => process.exit(0);
  try {
    require('../dist/hooks/main.cjs').main(argv).catch(leave);
  } catch {
    leave();
  }
}
