/* Types of use cases that the library exports by name. */

export type { HistoryAnswer, HistoryEntry } from './history/decisions.ts';
export type { HistoryRequest } from './history/show.ts';
export type {
  GraphAnswer,
  HandedTask,
  NextAnswer,
  NoTask,
  ResumeAnswer,
  TaskAnswer,
  TaskClaim,
  TaskCounts,
  TaskState,
  TaskView,
  ValidationRow,
} from './tasks/answers.ts';
export type { BroughtBackAnswer, BroughtBackStep } from './undo/answers.ts';
export type { RestoreRequest } from './undo/restore.ts';
export type { UndoRequest } from './undo/undo.ts';
