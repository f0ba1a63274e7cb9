#!/usr/bin/env node
const argv = process.argv.slice(2);
const isServer = argv[0] === 'mcp' && !argv.includes('--help') && !argv.includes('-h');
// The faces do not know one another: here one of them is chosen.
if (isServer) import('../dist/mcp/main.js').then((mcp) => mcp.serveMcp(argv.slice(1)));
else import('../dist/cli/main.js').then((cli) => cli.main(argv));
