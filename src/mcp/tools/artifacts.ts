import { z } from 'zod';
import { fail, ok } from '../../base/result.ts';
import { type Artifact, readArtifact } from '../../engine/show/artifact.ts';
import { pictureKind } from '../../engine/show/page/picture.ts';
import { plain } from '../../text/style/plain.ts';
import { short, bytes as shownBytes } from '../../text/style/words.ts';
import type { Outcome, ToolAnswer } from '../answer.ts';
import { markedAsData, showHidden } from '../data.ts';
import { textWindow } from '../parts.ts';
import { type Session, targetIn } from '../session.ts';
import { chosen, nameInput, numberInput, pathInput } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';

const windowBytesMax = 256 * 1024;
const windowBytesUsual = 64 * 1024;
/** Models take no larger pictures, and clients no larger messages. */
const pictureBytesMax = 4 * 1024 * 1024;

/** Reading what attempts have recorded. */
export function offerArtifacts(connection: Connection): void {
  offer(connection, {
    name: 'artifact_read',
    title: 'Read an artifact',
    description:
      'The recorded content of an output of a phase, as data between marks. Name it by unit, phase and output, or by its path; of several attempts the newest that counts, unless `attempt` is given. Long texts come in parts: go on at the offset that is told.',
    effect: 'looks',
    input: z.strictObject({
      ...chosen,
      unit: nameInput.optional(),
      phase: nameInput.optional(),
      output: nameInput.optional(),
      path: pathInput.optional().describe('The path of an output, relative to the folder of the manifest.'),
      attempt: numberInput.optional(),
      offset: numberInput.default(0).describe('The first byte.'),
      length: z.int().min(1).max(windowBytesMax).default(windowBytesUsual).describe('At most so many bytes.'),
    }),
    // What it answers has to be read as it is: a second copy as a document would only be paid for twice.
    output: undefined,
    async answer({ offset, length, run, manifest, path: file, ...choice }, { session }): Promise<Outcome> {
      const target = targetIn(session, { run, manifest });
      if (!target.ok) return target;
      const read = await readArtifact(session.env, { ...target.value, ...choice, file });
      if (!read.ok) return read;
      const { artifact, bytes, shown: text } = read.value;
      const shown = textAnswer(session, artifact, text, offset, length) ?? pictureAnswer(artifact, bytes);
      const { path, hash, size } = artifact;
      return shown === undefined ? fail({ reason: 'artifact-not-text', path, hash, size }) : ok(shown);
    },
  });
}

function textAnswer(
  session: Session,
  artifact: Artifact,
  bytes: Uint8Array,
  offset: number,
  length: number,
): ToolAnswer | undefined {
  const window = textWindow(bytes, offset, length);
  if (window === undefined) return undefined;
  const { text, from, to } = window;
  const isWhole = from === 0 && to === bytes.length;
  const extent = isWhole ? `${bytes.length} bytes` : `bytes ${from} to ${to} of ${bytes.length}`;
  const rest = to < bytes.length ? `; it goes on at offset ${to}` : '';
  const marked = markedAsData(
    showHidden(text),
    `${artifact.path}, ${extent}`,
    session.env.ids.random(markLength),
  );
  return {
    text: `${heading(artifact)}, ${extent}${rest}`,
    document: undefined,
    more: [{ type: 'text', text: marked, ...asData(artifact) }],
  };
}

const markLength = 12;

function pictureAnswer(artifact: Artifact, bytes: Uint8Array): ToolAnswer | undefined {
  const kind = bytes.length > pictureBytesMax ? undefined : pictureKind(bytes);
  if (kind === undefined) return undefined;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  return {
    text: `${heading(artifact)}, a picture of ${shownBytes(bytes.length)}`,
    document: undefined,
    more: [{ type: 'image', data, mimeType: kind.type, ...asData(artifact) }],
  };
}

function heading({ unit, phase, name, attempt, path, hash }: Artifact): string {
  return `${plain(`${unit}/${phase} ${name}`)} of attempt ${attempt}: ${plain(path)} (${short(hash)})`;
}

/** The same mark for programs: content that comes from a file, and from which run of it. */
function asData({ unit, phase, name, attempt, hash }: Artifact) {
  return {
    annotations: { audience: ['assistant' as const] },
    _meta: { 'pawl/data': true, 'pawl/artifact': { unit, phase, output: name, attempt, hash } },
  };
}
