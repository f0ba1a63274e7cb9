import fc from 'fast-check';
import { afterAll } from 'vitest';
import { agentMarkers } from '../src/engine/open/person.ts';
import { endFile } from './support/after-file.ts';

/*
 * Before each test file.
 *
 * Tests of properties try the same values on each run, so that a red run speaks of the change and not of luck. To look
 * for what these values miss: `PAWL_SEED=new npx vitest run src`, as often as one likes.
 *
 * The environment is that of a person's terminal, also where a coding agent runs the tests or Pawl itself does.
 */

const seed = process.env.PAWL_SEED ?? '1';

for (const { variable } of agentMarkers) delete process.env[variable];
for (const name of Object.keys(process.env)) if (/^PAWL_(?!SEED$|TEST)/.test(name)) delete process.env[name];
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed === 'new' ? Date.now() : Number(seed) });
afterAll(endFile, 60_000);
