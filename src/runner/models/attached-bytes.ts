import type { TaskInputs } from '../input-file.ts';
import type { Redactor } from '../redaction.ts';
import { isTextType } from './media-type.ts';
import type { AttachedFile } from './prepared-call.ts';

/** The bytes of an attached file as they are sent: a key that has got into a text is left out. */
export function attachedBytes(
  { name, mediaType }: Pick<AttachedFile, 'name' | 'mediaType'>,
  { inputs, every }: Pick<TaskInputs, 'inputs' | 'every'>,
  { redactValues }: Pick<Redactor, 'redactValues'>,
): Uint8Array {
  const [input = '', unit] = name.split('/', 2);
  const file = unit === undefined ? inputs[input] : every[input]?.find((one) => one.unit === unit);
  if (file === undefined) throw new Error(`nothing is attached as ${name}`);
  const bytes = file.bytes();
  return isTextType(mediaType)
    ? new TextEncoder().encode(redactValues(new TextDecoder().decode(bytes)))
    : bytes;
}
