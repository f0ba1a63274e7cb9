import type { Channel } from '../../model/definition.ts';
import type { Asked, DecidedBy, QuestionKind, RecurringPattern, StructuredFile } from '../../model/event.ts';
import {
  type Check,
  type Checks,
  isHash,
  isListOf,
  isMapOf,
  isNumber,
  isOneOf,
  isOptional,
  isRecord,
  isText,
} from './field-check.ts';

/* Parts that several events share, and parts of what people write into the brief. */

const isStructuredFile = isRecord<StructuredFile>({
  path: isText,
  priority: isNumber,
  purpose: isText,
  sections: isListOf(isText),
});

export const isAuthoredFile: Check = (value) => isText(value) || isStructuredFile(value);

export const isPattern = isRecord<RecurringPattern>({
  pattern: isText,
  resolution: (value) => value === null || isText(value),
});

export const isChannel = isOneOf<Channel>({
  terminal: true,
  page: true,
  script: true,
  mcp: true,
  import: true,
});
/** Either the actor that was named, or the coding agent whose shell ran the command. */
export const agent = isOptional(isText);
/** Who decided; absent in journals of earlier versions. */
export const decided: Checks<DecidedBy> = {
  by: isOptional(isText),
  host: isOptional(isText),
  channel: isOptional(isChannel),
  agent,
};

export const asked: Checks<Asked> = {
  id: isText,
  question: isOneOf<QuestionKind>({
    approval: true,
    gate: true,
    change: true,
    attempts: true,
    interruptions: true,
    budget: true,
  }),
  unit: isText,
  phase: isText,
  place: isText,
  shown: isMapOf(isHash),
};
