import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../test/fixtures/manifests.ts';
import type { Notifier } from '../model/definition.ts';

const top = 'pawl: 1\npipeline: p\nunits: [u]\nphases:\n  a: { run: { command: [x] } }\n';

async function notifiersOf(written: string): Promise<readonly Notifier[] | undefined> {
  return (await loadText(`${top}notify: ${written}\n`)).pipeline.notify;
}

const codes = (written: string) => codesOf(`${top}notify: ${written}\n`);
const usual = { on: ['waiting', 'completed', 'failed', 'stopped'], timeoutMs: 10_000 };

describe('who is told', () => {
  it('is nobody where nothing is said', async () => {
    expect((await loadText(top)).pipeline).not.toHaveProperty('notify');
  });

  it('stands in one entry, which may name several ways', async () => {
    const written =
      '{ command: [say, "{event} {message}"], webhook: "https://example.org/x", bell: true, osc9: true }';
    expect(await notifiersOf(written)).toEqual([
      { ...usual, kind: 'command', argv: ['say', '{event} {message}'], env: {} },
      { ...usual, kind: 'webhook', url: 'https://example.org/x', headers: {} },
      { ...usual, kind: 'bell' },
      { ...usual, kind: 'osc9' },
    ]);
  });

  it('or in a list, each with its own events and patience', async () => {
    const written = `
  - { command: [say], env: { TOKEN: $TOKEN }, on: [paused], timeout: 1m }
  - { webhook: $HOOK, headers: { Authorization: Bearer $TOKEN, X-Key: $KEY }, on: [failed, stopped], timeout: 500ms }`;
    expect(await notifiersOf(written)).toEqual([
      { on: ['paused'], timeoutMs: 60_000, kind: 'command', argv: ['say'], env: { TOKEN: '$TOKEN' } },
      {
        on: ['failed', 'stopped'],
        timeoutMs: 500,
        kind: 'webhook',
        url: '$HOOK',
        headers: { Authorization: 'Bearer $TOKEN', 'X-Key': '$KEY' },
      },
    ]);
  });

  it('is no part of what is compared from run to run', async () => {
    const { pipeline } = await loadText(`${top}notify: { bell: true }\n`);
    expect(pipeline.manifest).toEqual((await loadText(top)).pipeline.manifest);
  });
});

describe('a notifier that cannot be', () => {
  it.each([
    ['{}', 'missing-key notify'],
    ['{ on: [failed] }', 'missing-key notify'],
    ['{ bell: false }', 'missing-key notify'],
    ['[]', 'out-of-range notify'],
    ['[{ bell: true }, { on: [failed] }]', 'missing-key notify[1]'],
    ['{ bell: true, on: [] }', 'out-of-range notify.on'],
    ['{ bell: true, on: [done] }', 'not-one-of notify.on[0]'],
    ['{ command: [say], timeout: 61s }', 'out-of-range notify.timeout'],
    ['{ command: [say], timeout: 0 }', 'out-of-range notify.timeout'],
    ['{ command: say }', 'wrong-type notify.command'],
    ['{ command: [say, "{unit}"] }', 'pattern-unknown-field notify.command[1]'],
    ['{ command: [sh, -c, "say {message}"] }', 'shell-with-template notify.command[2]'],
    ['{ command: [say], env: { LD_PRELOAD: x } }', 'env-forbidden notify.env.LD_PRELOAD'],
    ['{ bell: true, env: { A: x } }', 'missing-key notify.command'],
    ['{ bell: true, headers: { A: $X } }', 'missing-key notify.webhook'],
    ['{ webhook: "file:///etc/passwd" }', 'wrong-type notify.webhook'],
    ['{ webhook: "example.org/x" }', 'wrong-type notify.webhook'],
    ['{ webhook: "$" }', 'wrong-type notify.webhook'],
    ['{ webhook: "https://ann:pw@example.org" }', 'wrong-type notify.webhook'],
    ['{ webhook: $HOOK, headers: { "bad name": $X } }', 'bad-name notify.headers.bad name'],
    ['{ webhook: $HOOK, headers: { A: "Bearer a$X" } }', 'wrong-type notify.headers.A'],
    ['{ bell: true, sound: loud }', 'unknown-key notify.sound'],
  ])('%s', async (written, code) => {
    expect(await codes(written)).toEqual([code]);
  });

  it('is not told with a secret that somebody has written into the manifest', async () => {
    for (const written of [
      '{ webhook: $HOOK, headers: { Authorization: Bearer hunter22 } }',
      '{ webhook: "https://ann:hunter22@example.org" }',
    ]) {
      const problems = await problemsOf(`${top}notify: ${written}\n`);
      expect(problems).toMatchObject([{ place: { line: 6 } }]);
      expect(JSON.stringify(problems)).not.toContain('hunter22');
    }
  });
});
