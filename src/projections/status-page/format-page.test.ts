import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Hash } from '../../base/hash.ts';
import {
  type ReadHash,
  type ReadPage,
  readStatusPage,
  type StatusCode,
} from '../../import/status-page/read.ts';
import { renderStatusPage } from './render.ts';
import type { StatusPage } from './status-page.ts';

const text = readFileSync(new URL('../../../docs/formats/status.md', import.meta.url), 'utf8');

/** Every one of them: a new code does not compile before it is listed. */
const codes: Readonly<Record<StatusCode, true>> = {
  'page-too-large': true,
  'no-known-key': true,
  'status-missing': true,
  'status-unknown': true,
  'status-contradicts': true,
  'key-contradicts': true,
  'placeholder-left': true,
  'keys-unknown': true,
  'sections-unknown': true,
  'stage-unknown': true,
  'stage-listed-twice': true,
  'stage-without-artifact': true,
  'stage-status-unknown': true,
  'current-stage-contradicts': true,
  'current-stage-contradicts-status': true,
  'hash-abbreviated': true,
  'hash-unreadable': true,
  'hash-missing': true,
  'time-unreadable': true,
  'count-unreadable': true,
  'box-unreadable': true,
  'box-missing': true,
  'checkpoint-listed-twice': true,
  'entry-unreadable': true,
  'columns-unknown': true,
  'too-many-entries': true,
  'hidden-characters': true,
};

describe('the page on the format', () => {
  it.each(Object.keys(codes))('names %s', (code) => {
    expect(text).toContain(`\`${code}\``);
  });

  it('shows a page as it is written', () => {
    const shown = /```markdown\n(.*?)```/s.exec(text)?.[1] ?? '';
    const { page, findings } = readStatusPage(shown);
    expect(findings).toEqual([]);
    expect(renderStatusPage(asWritten(page))).toBe(shown);
  });
});

/** A page of ours leaves out nothing but what may be missing. */
function asWritten(page: ReadPage): StatusPage {
  const hashOf = (hash: ReadHash | undefined) => (hash?.kind === 'full' ? hash.hash : undefined);
  const completed = page.completed.map(({ artifact, ...row }) => ({
    ...row,
    artifact: artifact && { path: artifact.path, hash: hashOf(artifact.hash) as Hash },
  }));
  return { ...page, specHash: hashOf(page.specHash), completed } as StatusPage;
}
