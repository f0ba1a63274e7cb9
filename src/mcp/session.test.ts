import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { created } from '../../test/fixtures/events.ts';
import { write } from '../../test/fixtures/journal.ts';
import { realEnvironment } from '../../test/fixtures/real.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { RunCreated } from '../model/event.ts';
import { insideRoot, openSession, type Session, targetIn } from './session.ts';

const manifest = 'pawl: 1\npipeline: letters\nunits: [a]\nphases:\n  write: { run: { command: [x] } }\n';

function sessionAt(folder: string, path?: string): Session {
  const session = openSession(realEnvironment(folder), path, undefined);
  if (!session.ok) throw new Error(session.failure.reason);
  return session.value;
}

describe('a session', () => {
  it('is bound to the folder that it is opened in, or to the one that is named', () => {
    const folder = tempFolder({ 'below/pawl.yaml': manifest });
    expect(sessionAt(folder)).toMatchObject({ root: folder, manifest: undefined, env: { cwd: folder } });
    expect(sessionAt(folder, 'below')).toMatchObject({ root: join(folder, 'below'), manifest: undefined });
  });

  it('is bound to the workspace around the folder that it is opened in', () => {
    const folder = tempFolder({ 'pawl.yaml': manifest, 'drafts/a.md': '' });
    const session = sessionAt(join(folder, 'drafts'));
    expect(session).toMatchObject({ root: folder, env: { cwd: folder } });
    expect(targetIn(session, {})).toEqual({ ok: true, value: { path: 'pawl.yaml', run: undefined } });
  });

  it('is bound to the folder of a manifest that is named', () => {
    const folder = tempFolder({ 'below/blaze.yaml': manifest });
    const session = sessionAt(folder, 'below/blaze.yaml');
    expect(session).toMatchObject({ root: join(folder, 'below'), manifest: 'blaze.yaml' });
    expect(targetIn(session, {})).toEqual({ ok: true, value: { path: 'blaze.yaml', run: undefined } });
  });

  it('is not opened where there is nothing', () => {
    expect(openSession(realEnvironment(tempFolder()), 'nowhere', undefined)).toEqual({
      ok: false,
      failure: { reason: 'manifest-not-found', path: 'nowhere', near: [] },
    });
  });
});

describe('the target of a call', () => {
  it('is the manifest that is found, or the one that is named', () => {
    const session = sessionAt(tempFolder({ 'pawl.yaml': manifest, 'other/blaze.yaml': manifest }));
    expect(targetIn(session, { run: 'r1' })).toEqual({ ok: true, value: { path: 'pawl.yaml', run: 'r1' } });
    expect(targetIn(session, { manifest: 'other' })).toMatchObject({ value: { path: 'other/blaze.yaml' } });
  });

  it('is never a manifest that is code', () => {
    const session = sessionAt(tempFolder({ 'pawl.config.ts': 'throw new Error("was run")', 'b.yaml': '' }));
    const refused = { ok: false, failure: { reason: 'manifest-is-code', path: 'pawl.config.ts' } };
    expect(targetIn(session, {})).toEqual(refused);
    expect(targetIn(session, { manifest: 'pawl.config.ts' })).toEqual(refused);
  });

  it('is never outside, whatever is named', () => {
    const outside = tempFolder({ 'pawl.yaml': manifest });
    const folder = tempFolder({ 'pawl.yaml': manifest });
    symlinkSync(outside, join(folder, 'door'));
    const session = sessionAt(folder);
    for (const path of ['..', '../1/pawl.yaml', outside, 'door', 'door/pawl.yaml', '/etc/passwd', 'a\0b']) {
      const failure = { reason: 'path-outside', path };
      expect(targetIn(session, { manifest: path })).toEqual({ ok: false, failure });
    }
  });

  it('is never outside, whatever a journal says', async () => {
    const outside = join(tempFolder({ 'pawl.yaml': manifest }), 'pawl.yaml');
    const folder = tempFolder({ 'pawl.yaml': manifest });
    const event = { ...(created as RunCreated), manifest: outside };
    await write(nodeDisk, [event], { eventsFolder: join(folder, '.pawl/runs/r1/events') });
    expect(targetIn(sessionAt(folder), { run: 'r1' })).toEqual({
      ok: false,
      failure: { reason: 'path-outside', path: outside },
    });
  });
});

describe('insideRoot', () => {
  it('gives a path as it is seen from the root', () => {
    const folder = tempFolder({ 'a/b.md': '' });
    const session = sessionAt(folder);
    expect(insideRoot(session, 'a/../a/b.md')).toEqual({ ok: true, value: 'a/b.md' });
    expect(insideRoot(session, join(folder, 'a'))).toEqual({ ok: true, value: 'a' });
    expect(insideRoot(session, '.')).toEqual({ ok: true, value: '.' });
    expect(insideRoot(session, 'not/there/yet.md')).toEqual({ ok: true, value: 'not/there/yet.md' });
    expect(insideRoot(session, '..hidden')).toEqual({ ok: true, value: '..hidden' });
  });

  it('refuses what would come to lie behind a link that leads out, or nowhere', () => {
    const folder = tempFolder({ 'a.md': '' });
    symlinkSync(tempFolder(), join(folder, 'out'));
    symlinkSync(join(folder, 'gone'), join(folder, 'nowhere'));
    symlinkSync('a.md', join(folder, 'in'));
    const session = sessionAt(folder);
    expect(insideRoot(session, 'out/new.md')).toMatchObject({ failure: { reason: 'path-outside' } });
    expect(insideRoot(session, 'nowhere/new.md')).toMatchObject({ failure: { reason: 'path-outside' } });
    expect(insideRoot(session, 'in')).toEqual({ ok: true, value: 'in' });
  });

  it('refuses what lies in the workspace, and not in the folder that it is asked of', () => {
    const folder = tempFolder({ 'a.md': '', 'below/b.md': '' });
    const session = sessionAt(folder);
    const below = join(folder, 'below');
    expect(insideRoot(session, 'b.md', below)).toEqual({ ok: true, value: 'b.md' });
    expect(insideRoot(session, join(below, 'b.md'), below)).toEqual({ ok: true, value: 'b.md' });
    expect(insideRoot(session, '../a.md', below)).toMatchObject({ failure: { reason: 'path-outside' } });
  });
});
