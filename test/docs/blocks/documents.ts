import { expect } from 'vitest';
import { isHash } from '../../../src/base/hash.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { parseResult } from '../../../src/runner/executors/result-file.ts';
import type { NotificationPayload } from '../../../src/runner/notify/notification.ts';
import { isCallRecord, isCost } from '../../../src/store/records/event-check.ts';

/** Holds a JSON document that a page shows against what reads or writes such documents. */
export function checkDocument(text: string): void {
  const document = JSON.parse(text) as JsonObject;
  if ('call' in document) checkAnswer(document);
  else if ('cost_usd' in document) expect(parseResult(text, Date.now())).toMatchObject({ ok: true });
  else if ('event' in document) expect(Object.keys(document).sort()).toEqual(notificationKeys.toSorted());
  else checkSettings(document);
}

/** The settings of a client of the MCP server, whatever the client calls them. */
function checkSettings(document: JsonObject): void {
  const [servers] = Object.values(document) as { pawl?: { command: string; args: string[] } }[];
  expect(servers?.pawl?.command).toBe('npx');
  expect(servers?.pawl?.args.slice(0, 3)).toEqual(['--no-install', 'pawl', 'mcp']);
}

/** As `src/runner/models/answer-files.ts` and `answer-index.ts` read them. */
function checkAnswer({ version, key, prompt, hash, source, response, call, cost }: JsonObject): void {
  expect(version).toBe(1);
  expect([key, ...(source === undefined ? [prompt, hash] : [response])].every(isHash)).toBe(true);
  expect(isCallRecord(call)).toBe(true);
  expect(isCost(cost)).toBe(true);
}

/** Every one of them: a new key does not compile before it is listed. */
const notificationKeys = Object.keys({
  event: true,
  run: true,
  pipeline: true,
  identity: true,
  status: true,
  message: true,
  text: true,
  waiting: true,
  exitCode: true,
  counts: true,
  at: true,
} satisfies Readonly<Record<keyof NotificationPayload, true>>);
