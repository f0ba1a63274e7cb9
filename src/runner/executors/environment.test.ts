import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { commandEnvironment, environmentName, findProgram } from './environment.ts';

describe('the environment of a command', () => {
  const outside = {
    PATH: '/bin',
    HOME: '/home/ann',
    LANG: 'C',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    AWS_SECRET_ACCESS_KEY: 'secret',
    API_KEY: 'key',
    NODE_OPTIONS: '--require evil',
    LD_PRELOAD: 'evil.so',
  };

  it('takes only what is known to be harmless', () => {
    expect(commandEnvironment({}, {}, outside)).toEqual({
      PATH: '/bin',
      HOME: '/home/ann',
      LANG: 'C',
      LC_ALL: 'C.UTF-8',
      TZ: 'UTC',
    });
  });

  it('takes what the manifest declares, as a value or by its name', () => {
    const env = commandEnvironment(
      { KEY: '$API_KEY', MAYBE: '$API_KEY?', MODE: 'fast', PRICE: '$5', TEXT: 'a $API_KEY' },
      {},
      outside,
    );
    expect(env).toMatchObject({ KEY: 'key', MAYBE: 'key', MODE: 'fast', PRICE: '$5', TEXT: 'a $API_KEY' });
  });

  it('leaves out what is named and not there', () => {
    const env = commandEnvironment({ KEY: '$MISSING', MAYBE: '$MISSING?' }, {}, outside);
    expect(env).not.toHaveProperty('KEY');
    expect(env).not.toHaveProperty('MAYBE');
  });

  it('cannot declare away what the task says', () => {
    const env = commandEnvironment({ PAWL_UNIT: 'mine' }, { PAWL_UNIT: 'a' }, outside);
    expect(env.PAWL_UNIT).toBe('a');
  });
});

describe('a program', () => {
  it('is found as the system would find it', () => {
    const folder = tempFolder({
      'bin/tool': '#!/bin/sh\n',
      'bin/data': 'x',
      'other/tool': '#!/bin/sh\n',
      'other/keep': '',
    });
    const bin = join(folder, 'bin');
    const other = join(folder, 'other');
    for (const tool of [join(bin, 'tool'), join(other, 'tool')]) chmodSync(tool, 0o755);
    symlinkSync(join(other, 'tool'), join(bin, 'linked'));
    const find = (name: string, PATH: string) => {
      const found = findProgram(name, folder, { PATH });
      return found.ok ? found.value : found.failure;
    };
    expect(find('tool', `${bin}:${other}`)).toBe(join(bin, 'tool'));
    expect(find('tool', `/nowhere:${other}`)).toBe(join(other, 'tool'));
    expect(find('linked', bin)).toBe(join(bin, 'linked'));
    expect(find('data', bin)).toBe('command-not-executable');
    expect(find('bin/data', '')).toBe('command-not-executable');
    expect(find('', bin)).toBe('command-not-found');
    expect(find('bin/tool', '')).toBe(join(bin, 'tool'));
    expect(find(join(bin, 'tool'), '')).toBe(join(bin, 'tool'));
    expect(find('bin', folder)).toBe('command-not-found');
    // A folder that depends on where one stands is no place to take programs from.
    expect(find('tool', './bin:bin::')).toBe('command-not-found');
    expect(findProgram('tool', folder, {}).ok).toBe(false);
  });
});

it('names what a command finds in its environment', () => {
  expect(environmentName('scene.card-2')).toBe('SCENE_CARD_2');
});
