import type { JsonObject } from '../../base/json.ts';
import { renderSection } from '../brief/yaml/render.ts';

/** The top-level key of the document, in our own file and in files of others. */
export const sectionKey = 'resumption';

/** The document as a file of the run. */
export function ownDocument(brief: JsonObject): Uint8Array {
  return new TextEncoder().encode(`${header}${renderSection(sectionKey, brief)}`);
}

const header = [
  '# Where this run stands, written by Pawl from its journal at every step. What is derived is set right again when it is',
  '# edited; next_step, files_to_read, decisions, summaries and recurring patterns are taken in.',
  '',
].join('\n');
