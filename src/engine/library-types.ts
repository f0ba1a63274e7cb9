/* Types of use cases that the library exports by name. */

export type {
  CostAnswer,
  CostBy,
  CostRow,
  PromptAnswer,
} from './calls/call-answers.ts';
export type {
  CheckpointsAnswer,
  CheckpointView,
  DecideAnswer,
  ShowAnswer,
} from './checkpoints/answers.ts';
export type { HistoryEntry, StoryEntry } from './history/entry.ts';
export type { HistoryAnswer, HistoryRequest } from './history/show.ts';
export type { DiffAttemptsAnswer, DiffAttemptsRequest } from './show/diff-attempts.ts';
export type { DiffRunsAnswer, DiffRunsRequest, StepDifference } from './show/diff-runs.ts';
export type { PartDifference } from './show/part-difference.ts';
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
