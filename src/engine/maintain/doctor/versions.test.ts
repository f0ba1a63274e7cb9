import { expect, it } from 'vitest';
import { saidBy, testMachine } from '../../../../test/fixtures/doctor.ts';
import { systemMachine } from './machine.ts';
import { checkVersions } from './versions.ts';

it.each([
  ['20.19.0', '>=20.19', 'ok'],
  ['20.18.3', '>=20.19', 'bad'],
  ['20.19.0-nightly', '>=20.19.1', 'bad'],
  ['22.0.0', '>=20.19', 'ok'],
  ['9.20.0', '>=20.19', 'bad'],
  ['20.2.0', '>= 20', 'ok'],
  ['18.0.0', '^20 || ^22', 'bad'],
  ['20.20.2', '^20.19 || >=22.12', 'ok'],
  ['21.7.0', '^20.19 || >=22.12', 'bad'],
  ['22.11.0', '^20.19 || >=22.12', 'bad'],
  ['24.0.0', '^20.19 || >=22.12', 'ok'],
  ['18.0.0', '20.x', 'ok'],
])('Node %s where %s is needed is %s', (nodeVersion, nodeNeeded, state) => {
  const machine = testMachine({ nodeVersion, program: { version: '0.1.0', nodeNeeded } });
  const facts = { version: nodeVersion, needed: nodeNeeded };
  expect(saidBy(checkVersions({ machine }), 'node-version')).toEqual([{ state, facts }]);
});

it('without its package it knows neither', () => {
  expect(checkVersions({ machine: testMachine({ program: undefined }) })).toEqual([
    { check: 'pawl-version', state: 'warning', facts: {} },
  ]);
});

it('this machine says what it can', async () => {
  const machine = systemMachine({});
  expect(checkVersions({ machine }).map(({ check, state }) => `${check} ${state}`)).toEqual([
    'node-version ok',
    'pawl-version ok',
  ]);
  expect(machine.freeBytes('/')).toEqual(expect.any(Number));
  expect(machine.freeBytes('/no/such/folder')).toBeUndefined();
  expect(machine.deviceOf(machine.tempFolder)).toEqual(expect.any(Number));
  expect(machine.writeTrouble(machine.tempFolder)).toBeUndefined();
  expect(machine.writeTrouble('/no/such/folder')).toBe('ENOENT');
  // It depends on what is installed; but it says so, and does not throw.
  expect(['string', 'undefined']).toContain(typeof (await machine.pictureTrouble()));
});
