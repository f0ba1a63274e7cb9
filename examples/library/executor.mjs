// An executor of one's own: a function that makes phases which ask a service over HTTP and pay for each answer.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { artifact, cost, definePipeline, endOf, run } from 'pawl';

/** Whatever it throws is a failed attempt: retries, timeouts, resumes and the record of it all are Pawl's. */
const asks = (url) => async (task) => {
  const response = await fetch(url, {
    method: 'POST',
    // The same for every attempt at the same work, so that whoever charges for it can charge once.
    headers: { 'idempotency-key': task.idempotencyKey },
    body: JSON.stringify({ text: task.inputs.source?.text() ?? task.unit.id, ...task.params }),
    // Fires at the phase's timeout, and when the run is told to end.
    signal: task.signal,
  });
  const body = await response.text();
  // The raw answer is kept with the attempt, whatever becomes of it.
  task.respond(body);
  if (!response.ok) throw new Error(`the service says ${response.status}`);
  const { text, usd } = JSON.parse(body);
  task.cost({ usd });
  return { text };
};

// Stands in for the service, and is busy when it is asked for the first time.
let calls = 0;
const server = createServer(async (incoming, outgoing) => {
  const { text, style } = JSON.parse((await incoming.toArray()).join(''));
  calls += 1;
  outgoing.statusCode = calls === 1 ? 503 : 200;
  outgoing.end(JSON.stringify({ text: style === 'loud' ? `${text}!`.toUpperCase() : text, usd: 0.25 }));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const shout = asks(`http://127.0.0.1:${server.address().port}/`);

const output = { path: 'shouted/{unit}.txt', check: { regex: '^[A-Z]+!$' } };
const retries = { attempts: 3, backoff: '10ms' };
const pipeline = definePipeline({
  pawl: 1,
  pipeline: 'shouts',
  units: ['ahoy', 'hello'],
  phases: {
    shout: { run: shout, params: { style: 'loud' }, timeout: '30s', retries, outputs: { text: output } },
  },
});

const request = { pipeline, path: mkdtempSync(join(tmpdir(), 'shouts-')) };
const answer = await run(request);
if (!answer.ok) throw new Error(answer.failure.reason);
const made = await artifact({ ...request, unit: 'ahoy', output: 'text' });
console.log(endOf(answer.value), made.ok && new TextDecoder().decode(made.value.bytes), `${calls} calls`);
const spent = await cost(request);
if (spent.ok) console.log('spent', spent.value.total.spent);
server.close();
rmSync(request.path, { recursive: true });
