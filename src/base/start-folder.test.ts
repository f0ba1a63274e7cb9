import { expect, test } from 'vitest';
import { takeStartFolder } from './start-folder.ts';

test.each([
  [['run'], undefined, ['run']],
  [['-C', 'demo', 'run'], 'demo', ['run']],
  [['why', 'a/b', '-C', 'demo', '--json'], 'demo', ['why', 'a/b', '--json']],
  [['--dir=demo', 'run'], 'demo', ['run']],
  [['-Cdemo', 'run'], 'demo', ['run']],
  [['-C', 'a', 'run', '--dir', 'b'], 'a/b', ['run']],
  [['-C', 'a', '-C', '/b', 'run'], '/b', ['run']],
  [['decide', '--', '-C', 'demo'], undefined, ['decide', '--', '-C', 'demo']],
  [['run', '-C'], undefined, ['run', '-C']],
])('%j starts in %s', (argv, folder, rest) => {
  expect(takeStartFolder(argv)).toEqual({ folder, rest });
});
