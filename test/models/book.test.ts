import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Finished, pawl, pawlJson, start } from '../support/command.ts';
import { events, eventsOf, type RawEvent } from '../support/journal.ts';
import {
  calls,
  copyOfBook,
  edit,
  finalFiles,
  hashes,
  projectRoot,
  read,
  type TestWorkspace,
  withEnv,
  write,
} from '../support/workspace.ts';
import { type Fault, faultsOfAnswers, faultsOfCalls, spoiled } from './book-faults.ts';
import { type Asked, latch, type ModelServer, modelServer, type Turn } from './server.ts';

/* The example of the project is written twice over the network, with every fault on its way, and is the same book. */

const faults = [...faultsOfCalls, ...faultsOfAnswers];
/** The key is not taken for a moment: the run stops, and the next sitting goes on. */
const lockedOut = 'ch002_sc002/continuity_pack';
/** Here the command dies while the model speaks. */
const killedIn = 'ch002_sc002/write';
const key = 'sk-test-2f7c1b9e5d3a8046';

let whole: TestWorkspace;

beforeAll(async () => {
  vi.stubEnv('BOOK_PAUSE_MS', '0');
  whole = copyOfBook();
  const finished = await pawl(whole, 'run');
  expect(finished.code, finished.stderr).toBe(0);
}, 60_000);

afterAll(() => void vi.unstubAllEnvs());

describe('the book with the stand-in', () => {
  it('is written in one sitting, for nothing', () => {
    expect(Object.keys(finalFiles(whole))).toContain('draft/ch002_sc003.md');
    const spent = eventsOf(whole, 'attempt_succeeded').filter(asksModel);
    expect(spent).toHaveLength(answers());
    for (const { cost } of spent) {
      expect(cost).toMatchObject({
        usd: 0,
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
      });
    }
  });
});

describe.each([
  ['OpenAI-compatible', 'local: { base_url: $BOOK_URL, key: $BOOK_KEY }', 'chat'],
  ['Anthropic', 'local: { api: anthropic, base_url: $BOOK_URL, key: $BOOK_KEY }', 'anthropic'],
] as const)('the book by a provider that is %s and has a bad day', (_, provider, protocol) => {
  let server: ModelServer;
  let book: TestWorkspace;
  let sittings: Finished[];
  const hanging = latch();
  const ahead = badDay(hanging.open);

  beforeAll(async () => {
    server = await modelServer((asked) => answerOf(asked, ahead), { key });
    book = withEnv(overTheWire(provider), { BOOK_URL: `${server.url}/v1`, BOOK_KEY: key });
    sittings = await threeSittings(book, hanging.opened);
  }, 120_000);

  afterAll(() => server.close());

  it('is written in three sittings: locked out, killed in the middle of a call, done', () => {
    const [first, second, third] = sittings;
    expect(first).toMatchObject({ code: 1, stderr: expect.stringContaining('BOOK_KEY') });
    expect(second).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(third, third?.stderr).toMatchObject({ code: 0, signal: null });
    const tries = eventsOf(book, 'attempt_started').filter((event) => stepOf(event) === killedIn);
    expect(tries.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('is the very book in the end', async () => {
    expect(finalFiles(book)).toEqual(finalFiles(whole));
    expect(madeIn(book)).toEqual(madeIn(whole));
    expect(await pawlJson(book, 'run')).toMatchObject({ ok: true, kind: 'unchanged' });
    expect((await pawl(book, 'verify')).code).toBe(0);
  });

  it('has met every fault, and has it on record', () => {
    expect([...ahead.keys()]).toEqual([]);
    for (const { cell: step, told } of faults) {
      const [type, reason] = told;
      const ends = [...eventsOf(book, 'attempt_failed'), ...eventsOf(book, 'attempt_paused')];
      const first = ends.filter((event) => stepOf(event) === step).map((end) => [end.type, end.reason]);
      expect([step, ...first]).toEqual([step, [type, reason]]);
    }
  });

  it('asks no more often than it has to, and as the provider wants to be asked', () => {
    expect(server.rejected).toEqual([]);
    expect(server.asked.every((asked) => asked.protocol === protocol && asked.stream)).toBe(true);
    // What went wrong once is asked once more. Nothing else is.
    expect(server.asked).toHaveLength(answers() + faults.length + 2);
  });

  it('says what was wrong with an answer that could not be used, and only then', () => {
    const repairs = server.asked.filter(({ messages }) => messages.length > 1);
    const repaired = faults.filter(({ isRepaired }) => isRepaired === true);
    expect(repairs.map(stepAsked).toSorted()).toEqual(repaired.map(({ cell: step }) => step).toSorted());
    for (const { messages } of repairs) {
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
      expect(messages[1]?.text).toContain(spoiled);
      expect(messages[2]?.text).toMatch(/^That answer cannot be used \((answer-unparsable|check-failed)/);
    }
  });

  it('keeps answers that are none with their attempts, and nothing of them anywhere else', () => {
    const files = Object.keys(hashes(book)).filter((path) => read(book, path).includes(spoiled));
    const isOfRun = (path: string) => /^\.pawl\/runs\/[^/]+\/(attempts|events)\//.test(path);
    expect(files.filter((path) => !isOfRun(path))).toEqual([]);
    // What could not be read is quoted where it is told.
    const telling = events(book).filter((event) => JSON.stringify(event).includes(spoiled));
    expect(new Set(telling.map(({ type }) => type))).toEqual(new Set(['attempt_failed']));
    for (const { cell: step } of faultsOfAnswers.filter(
      ({ cell: step }) => step !== 'ch001_sc003/continuity_pack',
    )) {
      expect(files.filter((path) => path.endsWith(`/attempts/${step}/1/response.txt`))).toHaveLength(1);
    }
  });

  it('has counted what it cost, also what was in vain, and has nowhere written down its key', async () => {
    const paid = [
      ...eventsOf(book, 'attempt_succeeded').filter(asksModel),
      ...eventsOf(book, 'attempt_failed'),
    ];
    const usd = paid.map(({ cost }) => (cost as { usd?: number } | undefined)?.usd ?? 0);
    expect(usd.filter((one) => one > 0)).toHaveLength(answers() + faultsOfAnswers.length);
    const files = Object.keys(hashes(book)).filter((path) => read(book, path).includes(key));
    expect(files).toEqual([]);
    for (const { stdout, stderr } of sittings) expect(`${stdout}${stderr}`).not.toContain(key);
  });
});

/** The example with its models elsewhere, and with more patience. */
function overTheWire(provider: string): TestWorkspace {
  const book = copyOfBook();
  edit(book, 'pawl.yaml', 'writer: stand-in/writer', 'writer: local/writer');
  edit(
    book,
    'pawl.yaml',
    'stand-in: { function: ./standin.mjs#answer }',
    `${provider}\n  prices: { local/writer: { input: 2, output: 10 } }`,
  );
  const patient = read(book, 'pawl.yaml').replaceAll(
    /^( +)model: .*$/gm,
    '$&\n$1retries: { attempts: 6, backoff: 1ms }',
  );
  expect(patient.match(/retries:/g)).toHaveLength(5);
  write(book, 'pawl.yaml', patient);
  return book;
}

/** One that the provider ends, one that is killed while the model speaks, and the last. */
async function threeSittings(book: TestWorkspace, hanging: Promise<void>): Promise<Finished[]> {
  const first = await pawl(book, 'run');
  const second = start(book, ['run']);
  await Promise.race([hanging, second.ended]);
  second.kill('SIGKILL');
  return [first, await second.ended, await pawl(book, 'run')];
}

/** What is to go wrong, by cell: once each. */
function badDay(hangs: () => void): Map<string, Fault['turn']> {
  return new Map<string, Fault['turn']>([
    ...faults.map(({ cell: step, turn }) => [step, turn] as const),
    [lockedOut, () => ({ do: 'refuse', status: 401, message: 'This key is not taken.' })],
    [
      killedIn,
      (right) => {
        hangs();
        return { do: 'hang', after: 2, until: new Promise(() => undefined), text: `${spoiled} ${right}` };
      },
    ],
  ]);
}

async function answerOf(asked: Asked, ahead: Map<string, Fault['turn']>): Promise<Turn> {
  const text = await rightAnswer(asked);
  const step = stepAsked(asked);
  const turn = ahead.get(step);
  ahead.delete(step);
  return turn === undefined ? { do: 'answer', text } : turn(text);
}

interface StandIn {
  answer(request: {
    system: string;
    turns: readonly { role: string; text: string }[];
    signal: AbortSignal;
  }): AsyncIterable<string>;
}

/** What the stand-in says to the very same question. */
async function rightAnswer({ system, messages }: Asked): Promise<string> {
  const module = pathToFileURL(join(projectRoot, 'examples/book/standin.mjs')).href;
  const { answer } = (await import(module)) as StandIn;
  let text = '';
  const { signal } = new AbortController();
  for await (const piece of answer({ system, turns: messages, signal })) text += piece;
  return text;
}

function stepAsked({ messages }: Asked): string {
  const text = messages[0]?.text ?? '';
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  return `${field('Scene')}/${field('Phase')}`;
}

/** How often the stand-in was asked for the whole book. */
function answers(): number {
  return calls(whole).filter(({ attempt }) => attempt === undefined).length;
}

/** The hashes of what each phase of each round has made, as the journal has them. */
function madeIn(book: TestWorkspace): Record<string, string> {
  const made = eventsOf(book, 'attempt_succeeded').flatMap((event) => {
    const outputs = Object.entries(event.outputs as Record<string, { hash: string }>);
    return outputs.map(([name, { hash }]) => [`${stepOf(event)}.${name} ${event.round ?? 1}`, hash]);
  });
  return Object.fromEntries(made);
}

function asksModel({ call }: RawEvent): boolean {
  return call !== undefined;
}

function stepOf({ unit, phase }: RawEvent): string {
  return `${unit}/${phase}`;
}
