import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { exitCodes, exitCodesOfSignals } from '../catalogue/exit-codes.ts';
import { exitCodeHelpText, exitCodeLines } from './exit-code-help.ts';

describe('the exit codes', () => {
  it('are all there, the smallest first', () => {
    const codes = exitCodeLines().map(({ code }) => code);
    expect(codes).toEqual([...new Set(Object.values(exitCodes))].sort((a, b) => a - b));
  });

  it.each([...exitCodesOfSignals])('after %s is what a shell would say', (signal, code) => {
    expect(code).toBe(128 + constants.signals[signal]);
  });

  it('have a meaning and an example each', () => {
    const lines = exitCodeLines();
    expect(lines.filter(({ means, example }) => means === '' || example === '')).toEqual([]);
    expect(new Set(lines.map(({ means }) => means)).size).toBe(lines.length);
    expect(new Set(lines.map(({ example }) => example)).size).toBe(lines.length);
  });

  it('are printed in lines that fit a screen', () => {
    const lines = exitCodeHelpText().split('\n');
    expect(lines).toContain('    3  a person has to decide');
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(40);
  });
});
