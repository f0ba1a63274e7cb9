import { Writable } from 'node:stream';

/**
 * Keeps stdout for the protocol. A check that is a function of the user's runs in this process, and whatever it prints
 * would end up in the middle of a message: from here on everybody else who writes to stdout writes to stderr.
 */
export function takeStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // A client that is gone is told by the stream below; a second complaint would end the process as a crash.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return new Writable({
    decodeStrings: false,
    write: (chunk, encoding, done) => void write(chunk, encoding, done),
  });
}
