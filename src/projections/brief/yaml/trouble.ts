import { placeAtOffset } from '../../../pipeline/text/problems.ts';

/** Why a section cannot be read or written. The text is left alone. */
export interface SectionTrouble {
  readonly reason: SectionTroubleReason;
  readonly facts: SectionTroubleFacts;
}

export type SectionTroubleReason =
  /** The text has more bytes, or the section more values, than are read. */
  | 'too-large'
  /** Something nests deeper than is read. */
  | 'too-deep'
  /** There are more aliases than are followed. */
  | 'too-many-aliases'
  /** It is no YAML, or means two things; `detail` is the parser's code. */
  | 'bad-yaml'
  /** The file holds more than one document. */
  | 'many-documents'
  /** The document or the section is something else than a map. */
  | 'not-a-map'
  /** Every way of writing it would have changed something else; `detail` is what the last one led to. */
  | 'cannot-patch';

export interface SectionTroubleFacts {
  /** Counted from 1. */
  readonly line?: number;
  /** Counted from 1, in UTF-16 code units. */
  readonly column?: number;
  readonly detail?: string;
  /** The key that stands twice in one map. */
  readonly key?: string;
  readonly limit?: number;
}

/** A trouble at a place of a text. */
export function troubleAt(
  text: string,
  offset: number,
  reason: SectionTroubleReason,
  facts: SectionTroubleFacts = {},
): SectionTrouble {
  const { line, column } = placeAtOffset('', text, offset);
  return { reason, facts: { line, column, ...facts } };
}
