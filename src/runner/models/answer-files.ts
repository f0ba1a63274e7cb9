import { hashBytes, isHash } from '../../base/hash.ts';
import { isJsonObject, parseJson } from '../../base/json.ts';
import type { Disk, OpenFile } from '../../disk/disk.ts';
import { makeFolderDurable, replaceFile, writeAll } from '../../disk/write.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import { isCallRecord, isCost } from '../../store/records/event-check.ts';
import type { Assignment, KeptAnswer } from '../executors/assignment.ts';
import type { ExecutorHost } from '../executors/host.ts';

/*
 * An answer in the folder of its attempt: `response.txt` grows while it arrives; `answer.json` is put beside it when it
 * is whole, and says so by its hash. Both files with a matching hash are a paid answer, also when it was not
 * recorded yet.
 */

const responseName = 'response.txt';
const answerName = 'answer.json';
const answerVersion = 1;

/** How long an answer may be. */
export const answerBytesMax = 16 * 1024 * 1024;

/** Writes the answer of an attempt down, as durably as its run is. */
export async function openAnswer(
  { disk, scratch }: Pick<ExecutorHost, 'disk' | 'scratch'>,
  { isDurable }: Pick<Assignment, 'isDurable'>,
): Promise<AnswerFile> {
  return await AnswerFile.open(disk, scratch, isDurable);
}

/** Writes an answer down while it arrives. */
export class AnswerFile {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #file: OpenFile;
  readonly #isDurable: boolean;
  #text = '';
  #half = '';
  bytes = 0;

  /** A durable one has a durable folder: a name that nothing leads to is lost. */
  static async open(disk: Disk, folder: string, isDurable: boolean): Promise<AnswerFile> {
    if (isDurable) await makeFolderDurable(disk, folder);
    else disk.makeFolder(folder);
    return new AnswerFile(disk, folder, isDurable);
  }

  private constructor(disk: Disk, folder: string, isDurable: boolean) {
    this.#disk = disk;
    this.#folder = folder;
    this.#isDurable = isDurable;
    this.#file = disk.append(`${folder}/${responseName}`);
  }

  get text(): string {
    return this.#text;
  }

  push(piece: string): void {
    const text = this.#half + piece;
    // Half a character has no bytes of its own.
    const isHalf = /[\uD800-\uDBFF]$/.test(text);
    this.#half = isHalf ? text.slice(-1) : '';
    this.#write(isHalf ? text.slice(0, -1) : text);
  }

  /** Everything has arrived. Durable at return, as far as the run is. */
  async complete(answer: Omit<KeptAnswer, 'text'>): Promise<void> {
    if (this.#half !== '') this.#write(this.#half);
    this.#half = '';
    // The bytes before what vouches for them.
    if (this.#isDurable) await this.#file.sync();
    this.#file.close();
    const { key, prompt, call, cost } = answer;
    const said = {
      version: answerVersion,
      key,
      ...(prompt !== undefined && { prompt }),
      hash: hashBytes(this.#text),
      call,
      cost,
    };
    const bytes = new TextEncoder().encode(`${JSON.stringify(said, null, 2)}\n`);
    await replaceFile(this.#disk, `${this.#folder}/${answerName}`, bytes, { durable: this.#isDurable });
  }

  close(): void {
    this.#file.close();
  }

  #write(text: string): void {
    if (text === '') return;
    const bytes = new TextEncoder().encode(text);
    this.#text += text;
    this.bytes += bytes.length;
    writeAll(this.#file, bytes, `${this.#folder}/${responseName}`);
  }
}

/** The whole answer that an attempt has left; undefined: there is none, or it is not as it says. */
export function readAnswer(disk: Disk, folder: string): KeptAnswer | undefined {
  const said = parseJson(readText(disk, `${folder}/${answerName}`, metaBytesMax));
  if (!isJsonObject(said) || said.version !== answerVersion) return undefined;
  const { key, prompt, hash, call, cost } = said;
  if (!isHash(key) || !isHash(hash) || !isCallRecord(call) || !isCost(cost)) return undefined;
  const text = readText(disk, `${folder}/${responseName}`, answerBytesMax);
  if (text === undefined || hashBytes(text) !== hash) return undefined;
  return {
    key,
    prompt: isHash(prompt) ? prompt : undefined,
    text,
    call: call as unknown as CallRecord,
    cost: cost as Cost,
  };
}

const metaBytesMax = 64 * 1024;

function readText(disk: Disk, path: string, bytesMax: number): string | undefined {
  if ((disk.stat(path)?.size ?? Number.POSITIVE_INFINITY) > bytesMax) return undefined;
  const bytes = disk.read(path);
  try {
    return bytes && strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What is not as it was written must not look as if it were. */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
