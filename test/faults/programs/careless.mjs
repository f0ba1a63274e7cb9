// careless.mjs PATH TEXT [async]: puts the text at the path, and takes what a single call wrote for everything.
import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';

const [path = '', text = '', how] = process.argv.slice(2);
const temp = `${path}.tmp`;

if (how === 'async') {
  const file = await open(temp, 'wx');
  await file.write(text);
  await file.sync();
  await file.close();
  await rename(temp, path);
} else {
  const file = openSync(temp, 'wx');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(temp, path);
}
process.stdout.write('done\n');
