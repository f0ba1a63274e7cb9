import { describe, expect, it } from 'vitest';
import { saidBy, testMachine } from '../../../../test/fixtures/doctor.ts';
import { memoryEnvironment, root, type TestEnvironment } from '../../../../test/fixtures/memory.ts';
import { checkFileSystem, checkStateFolder } from './file-system.ts';
import type { Site } from './ground.ts';
import type { Machine } from './machine.ts';

function siteOf(env: TestEnvironment, machine: Partial<Machine> = {}): Site {
  return { env, machine: testMachine(machine), start: root, root, workspace: undefined };
}

describe('file operations', () => {
  it('are tried in what Pawl keeps already', async () => {
    const env = memoryEnvironment({ '.pawl/brief': '' });
    const before = env.disk.fingerprint();
    const findings = await checkFileSystem(siteOf(env));
    expect(saidBy(findings, 'file-operation')).toEqual([
      { state: 'ok', facts: { place: 'workspace', isCaseSensitive: true } },
    ]);
    expect(env.disk.fingerprint()).toBe(before);
  });

  it('are tried in the temporary folder else, when that is the same file system', async () => {
    const env = memoryEnvironment();
    env.disk.makeFolder('/tmp');
    const same = await checkFileSystem(siteOf(env, { deviceOf: () => 7 }));
    expect(saidBy(same, 'file-operation')).toEqual([
      { state: 'ok', facts: { place: 'temp', isCaseSensitive: true } },
    ]);
    expect(env.disk.list('/tmp')).toEqual([]);
    expect(env.disk.stat(`${root}/.pawl`)).toBeUndefined();
    const other = await checkFileSystem(siteOf(env, { deviceOf: (path) => path.length }));
    expect(saidBy(other, 'file-operation')).toEqual([]);
  });

  it('that fail are bad; only hard links can be done without', async () => {
    const env = memoryEnvironment({ '.pawl/brief': '' });
    env.disk.failWhen(({ operation }) =>
      operation === 'link' || operation === 'sync' ? { kind: 'error', code: 'ENOTSUP' } : undefined,
    );
    const findings = await checkFileSystem(siteOf(env));
    expect(saidBy(findings, 'file-operation')).toMatchObject([
      { state: 'bad', facts: { place: 'workspace', operation: 'sync', code: 'ENOTSUP' } },
      { state: 'warning', facts: { operation: 'link', code: 'ENOTSUP' } },
    ]);
  });
});

it('a folder that may not be written to is bad', async () => {
  const env = memoryEnvironment({ '.pawl/brief': '' });
  const machine = { writeTrouble: (folder: string) => (folder.endsWith('.pawl') ? 'EACCES' : undefined) };
  expect(saidBy(await checkFileSystem(siteOf(env, machine)), 'workspace-folder')).toEqual([
    { state: 'bad', facts: { path: `${root}/.pawl`, code: 'EACCES' } },
  ]);
});

it.each([
  ['nfs', 'warning'],
  ['ext4', 'ok'],
])('a workspace on %s: %s', async (type, state) => {
  const mounts = () => `dev / ext4 rw 0 0\nserver:/ ${root} ${type} rw 0 0\n`;
  expect(saidBy(await checkFileSystem(siteOf(memoryEnvironment(), { mounts })), 'file-system-type')).toEqual([
    { state, facts: { mount: root, type } },
  ]);
});

it.each([
  [100 * 1024 * 1024 - 1, 'warning'],
  [100 * 1024 * 1024, 'ok'],
])('%i free bytes: %s', async (bytes, state) => {
  const findings = await checkFileSystem(siteOf(memoryEnvironment(), { freeBytes: () => bytes }));
  expect(saidBy(findings, 'free-space')).toEqual([{ state, facts: { bytes, bytesMin: 100 * 1024 * 1024 } }]);
});

describe('the state folder', () => {
  const said = (env: TestEnvironment, machine: Partial<Machine> = {}) =>
    saidBy(checkStateFolder(siteOf(env, machine)), 'state-folder');

  it('is asked about where it will be made', () => {
    const asked: string[] = [];
    const writeTrouble = (folder: string) => void asked.push(folder);
    const env = { ...memoryEnvironment(), stateFolder: `${root}/a/b/pawl` };
    expect(said(env, { writeTrouble })).toEqual([{ state: 'ok', facts: { path: `${root}/a/b/pawl` } }]);
    expect(asked).toEqual([root]);
    expect(env.disk.list(root)).toEqual([]);
  });

  it('is bad where it cannot be written, or a file is in its way', () => {
    const env = { ...memoryEnvironment({ file: '' }), stateFolder: `${root}/pawl` };
    expect(said(env, { writeTrouble: () => 'EROFS' })).toEqual([
      { state: 'bad', facts: { path: `${root}/pawl`, code: 'EROFS' } },
    ]);
    expect(said({ ...env, stateFolder: `${root}/file` })).toMatchObject([
      { state: 'bad', facts: { code: 'ENOTDIR' } },
    ]);
  });

  it('is missed where nobody knows it', () => {
    expect(said({ ...memoryEnvironment(), stateFolder: undefined })).toMatchObject([{ state: 'warning' }]);
  });
});
