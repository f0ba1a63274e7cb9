import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './support/after-file.ts';

/*
 * Before each test file.
 *
 * Tests of properties try the same values on each run, so that a red run speaks of the change and not of luck. To look
 * for what these values miss: `PAWL_SEED=new npx vitest run src`, as often as one likes.
 */

const seed = process.env.PAWL_SEED ?? '1';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed === 'new' ? Date.now() : Number(seed) });
afterAll(endFile, 60_000);
