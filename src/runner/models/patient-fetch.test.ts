import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { patientFetch } from './ai-sdk.ts';

it('sets how long a server may be silent', async () => {
  let answer: () => void = () => undefined;
  const server = createServer((_, response) => {
    answer = () => response.end('late');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    // Only a limit that is heeded ends this one: the server never answers it.
    await expect(patientFetch(1)(url)).rejects.toThrow();
    const asked = new Promise((resolve) => server.once('request', resolve));
    const patient = patientFetch()(url);
    await asked;
    answer();
    expect(await (await patient).text()).toBe('late');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
