import { describe, expect, it } from 'vitest';
import { Turns } from './tool.ts';

/** Work that lasts until the test lets it end. */
function work(name: string, log: string[]) {
  const { promise, resolve, reject } = withResolvers();
  const start = async () => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { start, end: () => resolve(), fail: () => reject(new Error(name)) };
}

function withResolvers() {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve: () => resolve(), reject: (error: Error) => reject(error) };
}

describe('turns', () => {
  it('are taken one after another, in the order of the calls', async () => {
    const log: string[] = [];
    const turns = new Turns();
    const [a, b] = [work('a', log), work('b', log)];
    const first = turns.inTurn(a.start);
    const second = turns.inTurn(b.start);
    b.end();
    a.end();
    await Promise.all([first, second]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('go on after one that failed', async () => {
    const log: string[] = [];
    const turns = new Turns();
    const [a, b] = [work('a', log), work('b', log)];
    const first = turns.inTurn(a.start);
    const second = turns.inTurn(b.start);
    a.fail();
    b.end();
    await expect(first).rejects.toThrow('a');
    await second;
    expect(log).toEqual(['a begins', 'b begins', 'b ends']);
  });

  it('do not keep those waiting who only look', async () => {
    const log: string[] = [];
    const turns = new Turns();
    const [slow, look] = [work('slow', log), work('look', log)];
    const first = turns.inTurn(slow.start);
    look.end();
    await turns.beside(look.start);
    slow.end();
    await first;
    expect(log.slice(-2)).toEqual(['look ends', 'slow ends']);
  });

  it('are idle when all that was begun is over, however it ended', async () => {
    const log: string[] = [];
    const turns = new Turns();
    const [a, b] = [work('a', log), work('b', log)];
    const failing = turns.beside(a.start);
    void turns.inTurn(b.start);
    let isIdle = false;
    const idle = turns.idle().then(() => {
      isIdle = true;
    });
    a.fail();
    await expect(failing).rejects.toThrow('a');
    expect(isIdle).toBe(false);
    b.end();
    await idle;
    expect(log).toContain('b ends');
  });
});
