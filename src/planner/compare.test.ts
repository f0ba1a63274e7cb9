import { describe, expect, it } from 'vitest';
import type { Hash } from '../base/hash.ts';
import { changedCode, isKnownCode, isRecordedCode } from './compare.ts';

const [one, two] = ['sha256:1', 'sha256:2'] as const satisfies Hash[];

const changed = (
  before: Record<string, Hash | null> | undefined,
  now: Record<string, Hash | undefined> | undefined,
) => changedCode({ ...(before && { code: before }) }, { ...(now && { code: new Map(Object.entries(now)) }) });

describe('the changed files of code', () => {
  it('are those with another hash, and those that came or went', () => {
    const before = { 'a.mjs': one, 'b.mjs': one, 'c.mjs': null, 'd.mjs': one, 'e.mjs': null };
    const now = { 'a.mjs': one, 'b.mjs': two, 'c.mjs': one, 'd.mjs': undefined, 'e.mjs': undefined };
    expect(changed(before, now)).toEqual(['b.mjs', 'c.mjs', 'd.mjs']);
  });

  it('are none that only one of both knows: what names them has changed', () => {
    expect(changed({ 'a.mjs': one, 'old.mjs': one }, { 'a.mjs': one, 'new.mjs': one })).toEqual([]);
    expect(changed({}, { 'a.mjs': one })).toEqual([]);
  });

  it('are imports that lead nowhere any more', () => {
    expect(changed({ 'a.mjs': one, 'b.js': one }, { 'a.mjs': one, b: undefined })).toEqual(['b']);
  });

  it('are unknown where the code of one of both is', () => {
    expect(changed(undefined, { 'a.mjs': one })).toBeUndefined();
    expect(changed({ 'a.mjs': one }, undefined)).toBeUndefined();
  });

  it('are not read from what every object has', () => {
    expect(changed({}, { constructor: one })).toEqual([]);
  });
});

describe('recorded code', () => {
  it('is another with a file more or less, and where it becomes known', () => {
    const now = new Map([['a.mjs', one] as const, ['b.mjs', undefined] as const]);
    expect(isRecordedCode({ 'a.mjs': one, 'b.mjs': null }, now)).toBe(true);
    expect(isRecordedCode({ 'a.mjs': one }, now)).toBe(false);
    expect(isRecordedCode({ 'a.mjs': one, 'b.mjs': null, 'c.mjs': one }, now)).toBe(false);
    expect(isRecordedCode({ 'a.mjs': two, 'b.mjs': null }, now)).toBe(false);
    expect(isRecordedCode(undefined, now)).toBe(false);
    expect(isRecordedCode({}, undefined)).toBe(false);
    expect(isRecordedCode(undefined, undefined)).toBe(true);
    expect(isKnownCode(undefined, now)).toBe(true);
    expect(isKnownCode({ 'a.mjs': two }, now)).toBe(false);
  });
});
