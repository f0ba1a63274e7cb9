import type { JsonObject } from '../../base/json.ts';
import { renderSection } from '../brief/yaml/render.ts';

/** The key that the document stands under, in a file of ours as in one of somebody else's. */
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
