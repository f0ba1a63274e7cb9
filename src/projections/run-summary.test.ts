import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { created, revision, stored } from '../../test/fixtures/events.ts';
import { hashBytes } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { foldEvents } from '../ledger/fold.ts';
import type { EventBody } from '../model/event.ts';
import { manifestLock } from './run-summary.ts';

const lock = (manifest: JsonObject, ...events: EventBody[]) =>
  manifestLock(foldEvents(stored([created, revision(1), ...events])), manifest);

describe('the lock of a manifest', () => {
  it('holds its whole hash and the manifest', () => {
    const manifest = {
      pipeline: 'p',
      units: { count: 8 },
      phases: { a: { params: { seed: [7, null, true] } } },
    };
    expect(lock(manifest)).toEqual({
      schema_version: 1,
      run_id: '20261115-1200-book-aaaa',
      manifest_hash: hashBytes('manifest 1'),
      revision: 1,
      history: [
        { revision: 1, manifest_hash: hashBytes('manifest 1'), recorded_at: '2026-11-15T12:00:02.000Z' },
      ],
      manifest,
    });
  });

  it('keeps every one that the run went by', () => {
    const { history, ...rest } = lock({}, revision(2), { type: 'run_ended', status: 'stopped' }, revision(3));
    expect(rest).toMatchObject({ revision: 3, manifest_hash: hashBytes('manifest 3') });
    expect(history).toEqual([
      { revision: 1, manifest_hash: hashBytes('manifest 1'), recorded_at: '2026-11-15T12:00:02.000Z' },
      { revision: 2, manifest_hash: hashBytes('manifest 2'), recorded_at: '2026-11-15T12:00:03.000Z' },
      { revision: 3, manifest_hash: hashBytes('manifest 3'), recorded_at: '2026-11-15T12:00:05.000Z' },
    ]);
  });

  it('says as much as there is before the first event', () => {
    expect(manifestLock(foldEvents([]), {})).toMatchObject({ manifest_hash: '', revision: 0, history: [] });
  });
});

const removed = '(removed)';

describe('a secret', () => {
  it.each([
    'api_key',
    'apiKey',
    'API-KEY',
    'OPENAI_API_KEY',
    'token',
    'access_token',
    'client_secret',
    'password',
    'passwd',
    'private_key',
    'credential',
    'Authorization',
  ])('is what is called %s', (key) => {
    expect(lock({ [key]: 'abc' }).manifest).toEqual({ [key]: removed });
  });

  it('is found at any depth', () => {
    const manifest = (value: string) => ({
      phases: { draw: { run: { env: { API_KEY: value, LANG: 'C' } }, params: { list: [{ token: value }] } } },
    });
    expect(lock(manifest('abc')).manifest).toEqual(manifest(removed));
  });

  it('is all that lies under such a name', () => {
    const manifest = (value: string) => ({
      credentials: { user: value, more: { pin: value } },
      api_keys: [value, value],
      params: { tokens: { first: [value] } },
    });
    expect(lock(manifest('abc')).manifest).toEqual(manifest(removed));
  });

  it('is not the name of a variable that holds it', () => {
    const manifest = { env: { API_KEY: '$OPENAI_API_KEY' }, tokens: ['$ONE', '$_2'] };
    expect(lock(manifest).manifest).toEqual(manifest);
  });

  it.each(['$ecret!', '$', '$1', '$NAME and more', ' $NAME'])('is %j: no variable is called so', (value) => {
    expect(lock({ password: value }).manifest).toEqual({ password: removed });
  });

  it('is no number and no switch: those are how many, and whether', () => {
    const manifest = { max_tokens: 300, use_token: true, token: null };
    expect(lock(manifest).manifest).toEqual(manifest);
  });

  it('is nothing that is called otherwise', () => {
    const manifest = { author: 'ann', key: 'c-major', keys: ['a'], model: 'standin-v1', seed: 7 };
    expect(lock(manifest).manifest).toEqual(manifest);
  });

  it('is not what a phase, an input or an output is called', () => {
    const phases = (value: string) => ({
      tokens: {
        run: { command: ['x'] },
        inputs: { passwords: 'plan.tokens' },
        outputs: { tokens: 'out/tokens.json' },
        params: { inputs: { token: value } },
      },
    });
    const manifest = (value: string) => ({
      inputs: { token_list: 'tokens.yaml' },
      phases: phases(value),
      stages: [{ name: 's', phases: phases(value) }],
    });
    expect(lock(manifest('abc')).manifest).toEqual(manifest(removed));
  });

  it('leaves the hash as it is', () => {
    expect(lock({ token: 'abc' }).manifest_hash).toBe(lock({ token: 'xyz' }).manifest_hash);
    expect(lock({ token: 'abc' })).toEqual(lock({ token: 'xyz' }));
  });

  it('is in no lock, wherever it stood', () => {
    const secret = 'hunter2-hunter2';
    const { tree } = fc.letrec<{ tree: JsonObject; leaf: JsonObject }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        tie('leaf'),
        fc.dictionary(
          fc.constantFrom('a', 'env', 'secrets', '__proto__'),
          fc.oneof(tie('tree'), fc.array(tie('tree'))),
        ),
      ) as fc.Arbitrary<JsonObject>,
      leaf: fc.constantFrom<JsonObject>(
        { token: secret },
        { password: [secret] },
        { api_key: { a: secret } },
      ),
    }));
    fc.assert(
      fc.property(tree, (manifest) => {
        expect(JSON.stringify(lock(manifest))).not.toContain(secret);
      }),
    );
  });
});
