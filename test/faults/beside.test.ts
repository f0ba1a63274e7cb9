import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newPlace, pawl } from './place.ts';

it('a disk that fails under one phase: the command of another does not go on with nobody to wait for it', async () => {
  const place = newPlace('beside');
  execFileSync('mkfifo', [`${place.calls}.pipe`]);
  const ended = await pawl(place, ['run', place.work]);
  const pid = Number(readFileSync(place.calls, 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(ended).toMatchObject({ code: 7, stdout: '' });
  expect(ended.stderr).toMatch(/✗ the disk failed: .* \(ENOTDIR, create \/.*\/staging\/one~make~1~text\)/);
  expect(ended.stderr).toContain('two/make interrupted');
});
