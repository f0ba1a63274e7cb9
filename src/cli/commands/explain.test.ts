import { describe, expect, it } from 'vitest';
import { testFace } from '../../../test/support/test-face.ts';
import { explainCommand } from './explain.ts';

describe('pawl explain', () => {
  it('explains a word', async () => {
    const outcome = await explain('output-edited');
    expect(outcome).toMatchObject({
      ok: true,
      value: { command: 'explain', answer: { reason: 'output-edited' } },
    });
  });

  it('gives an overview when no word is given, and with --all or --json every word by kind', async () => {
    const kinds = expect.arrayContaining([expect.objectContaining({ kind: 'guard' })]);
    const all = { ok: true, value: { answer: { kinds } } };
    const call = { command: 'explain', arguments: [], options: {} };
    expect(await explainCommand.perform(call, testFace())).toMatchObject({
      ok: true,
      value: { answer: { overview: kinds } },
    });
    expect(await explainCommand.perform({ ...call, options: { all: true } }, testFace())).toMatchObject(all);
    expect(await explainCommand.perform(call, testFace({ json: true }))).toMatchObject(all);
  });

  it('lists the exit codes', async () => {
    expect(await explain('exit-codes')).toMatchObject({
      ok: true,
      value: { answer: { exitCodes: expect.arrayContaining([expect.objectContaining({ code: 75 })]) } },
    });
  });

  it('guesses what a typo was meant to be', async () => {
    expect(await explain('interupted')).toEqual({
      ok: false,
      failure: { reason: 'unknown-reason', name: 'interupted', near: ['interrupted'] },
    });
  });

  it('finds words by a part of them', async () => {
    expect(await explain('checksum')).toMatchObject({ failure: { near: ['checksum-differs'] } });
  });

  it('guesses nothing wildly', async () => {
    expect(await explain('xyzzy')).toMatchObject({ failure: { near: [] } });
  });
});

function explain(...words: string[]): ReturnType<typeof explainCommand.perform> {
  return explainCommand.perform({ command: 'explain', arguments: words, options: {} }, testFace());
}
