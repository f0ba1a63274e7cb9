import type { InputFile, TaskInputs } from '../input-file.ts';
import type { Redactor } from '../redaction.ts';
import { isTextType } from './media-type.ts';
import type { AttachedFile } from './prepared-call.ts';

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
