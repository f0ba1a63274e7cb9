import type { Asked, CheckpointDecided } from '../model/event.ts';

/** What a person was asked, and what came of it. */
export interface QuestionRecord extends Asked {
  name: string;
  readonly at: string;
  readonly expires?: string;
  /** Absent: nobody has answered. */
  decided?: Answered;
  /** Somebody has asked for it to be done again since: what was said then is history. */
  over?: boolean;
}

export type Answered = Pick<
  CheckpointDecided,
  'decision' | 'redo' | 'restart' | 'by' | 'host' | 'channel' | 'note'
> & { readonly at: string };

/** What was said of an earlier result: whoever does the phase again is told all of it. */
export interface Feedback {
  /** The question that was answered so, or the `PHASE#ATTEMPT` that asked for it. */
  readonly from: string;
  readonly kind: 'rejection' | 'revision';
  readonly text: string;
  /** What it was said of, by label. */
  readonly shown?: Asked['shown'];
  readonly by: string;
  readonly at: string;
}
