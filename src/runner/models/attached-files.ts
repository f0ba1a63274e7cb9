import type { AttachedFile } from '../executors/assignment.ts';
import type { InputFile, TaskInputs } from '../executors/input-file.ts';
import type { Redactor } from '../redaction.ts';

/** The input that is attached as a file. */
export function attachedInput(
  { name }: Pick<AttachedFile, 'name'>,
  { inputs, every }: Pick<TaskInputs, 'inputs' | 'every'>,
): InputFile {
  const [input = '', unit] = name.split('/', 2);
  const file = unit === undefined ? inputs[input] : every[input]?.find((one) => one.unit === unit);
  if (file === undefined) throw new Error(`nothing is attached as ${name}`);
  return file;
}

/** The bytes of an attached file as they are sent: a key that has got into a text is left out. */
export function attachedBytes(
  file: Pick<AttachedFile, 'name' | 'mediaType'>,
  inputs: Pick<TaskInputs, 'inputs' | 'every'>,
  { redactValues }: Pick<Redactor, 'redactValues'>,
): Uint8Array {
  const bytes = attachedInput(file, inputs).bytes();
  return isTextType(file.mediaType)
    ? new TextEncoder().encode(redactValues(new TextDecoder().decode(bytes)))
    : bytes;
}

/** What kind of file it is: by its first bytes, for a name may say anything; else by its name. */
export function mediaTypeOf(path: string, bytes: Uint8Array): string {
  for (const [type, ...starts] of signatures)
    if (starts.some(({ at, text }) => startsAt(bytes, at, text))) return type;
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return byExtension.get(extension) ?? (isText(bytes) ? 'text/plain' : 'application/octet-stream');
}

/** What is read as it is; few providers take it as a file, and none takes a drawing as a picture. */
export function isTextType(mediaType: string): boolean {
  return mediaType.startsWith('text/') || textTypes.has(mediaType);
}

const textTypes: ReadonlySet<string> = new Set(['application/json', 'image/svg+xml']);

/** Whatever is sent as text has to be some. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

interface Start {
  readonly at: number;
  readonly text: string;
}

const signatures: readonly (readonly [string, ...Start[]])[] = [
  ['image/png', { at: 0, text: '\x89PNG\r\n\x1a\n' }],
  ['image/jpeg', { at: 0, text: '\xff\xd8\xff' }],
  ['image/gif', { at: 0, text: 'GIF87a' }, { at: 0, text: 'GIF89a' }],
  ['image/webp', { at: 8, text: 'WEBP' }],
  ['application/pdf', { at: 0, text: '%PDF-' }],
];

const byExtension: ReadonlyMap<string, string> = new Map([
  ['md', 'text/markdown'],
  ['json', 'application/json'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['svg', 'image/svg+xml'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['mp4', 'video/mp4'],
]);

function startsAt(bytes: Uint8Array, at: number, text: string): boolean {
  if (bytes.length < at + text.length) return false;
  for (let nth = 0; nth < text.length; nth++) if (bytes[at + nth] !== text.charCodeAt(nth)) return false;
  return true;
}
