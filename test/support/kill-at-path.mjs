import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// Loaded into the command before anything else. The process dies when it opens a file whose path holds the text: between
// what it recorded before and what it would have written there.
const text = process.env.TEST_KILL_PATH ?? '';
const { openSync } = fs;

fs.openSync = (path, ...rest) => {
  if (text !== '' && String(path).includes(text)) process.kill(process.pid, 'SIGKILL');
  return openSync(path, ...rest);
};
syncBuiltinESMExports();
