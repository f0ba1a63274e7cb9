/* Types of use cases that the library exports by name. */

export type { HistoryEntry, StoryEntry } from './observe/history-entry.ts';
export type { CheckpointView } from './observe/questions.ts';
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
} from './observe/task-answers.ts';
export type { CheckpointsAnswer, DecideAnswer, ShowAnswer } from './people/checkpoints/answers.ts';
export type { BroughtBackAnswer, BroughtBackStep } from './people/undo/answers.ts';
export type { RestoreRequest } from './people/undo/restore.ts';
export type { UndoRequest } from './people/undo/undo.ts';
export type {
  CostAnswer,
  CostBy,
  CostRow,
  PromptAnswer,
} from './show/call-answers.ts';
export type { DiffAttemptsAnswer, DiffAttemptsRequest } from './show/diff-attempts.ts';
export type { DiffRunsAnswer, DiffRunsRequest, StepDifference } from './show/diff-runs.ts';
export type { HistoryAnswer, HistoryRequest } from './show/history.ts';
export type { PartDifference } from './show/part-difference.ts';
