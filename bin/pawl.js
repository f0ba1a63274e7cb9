#!/usr/bin/env node
const argv = process.argv.slice(2);
const command = argv.includes('--help') || argv.includes('-h') ? 'help' : argv[0];
// The faces do not know one another: here one of them is chosen.
if (command === 'hook' || command === 'statusline')
  // An installation that is broken must not hold up the agent that calls.
  import('../dist/hooks/main.js').then((hooks) => hooks.main(argv)).catch(() => process.exit(0));
else if (command === 'mcp') import('../dist/mcp/main.js').then((mcp) => mcp.serveMcp(argv.slice(1)));
else import('../dist/cli/main.js').then((cli) => cli.main(argv));
