import type { Face } from '../../src/cli/face.ts';
import { placeOf } from '../../src/cli/place.ts';
import { plainStyle } from '../../src/text/style/style.ts';
import { type TestCall, testIo } from './test-io.ts';

/** A face without a terminal that prints nowhere, but for what the test says. */
export function testFace(more: Partial<Face> = {}, call: Partial<TestCall> = {}): Face {
  const io = testIo({ cwd: '/', variables: {}, ...call });
  return {
    io,
    place: placeOf(io, undefined),
    typed: [],
    json: false,
    quiet: false,
    outStyle: plainStyle,
    errStyle: plainStyle,
    canAsk: false,
    canDraw: false,
    outAsIs: () => undefined,
    out: () => undefined,
    err: () => undefined,
    isRead: () => true,
    ...more,
  };
}
