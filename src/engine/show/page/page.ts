import type { Finding } from '../../../model/failure.ts';
import type { Notice, Refusal } from '../../../model/reason.ts';
import type { AttemptTotals, InspectedAttempt, InspectedUnit } from '../../observe/inspected.ts';
import type { RunHeading } from '../../open/find-run.ts';

/** A run with the bytes that a page shows of it. `report/html` makes the page. */
export interface ReportPage {
  readonly heading: RunHeading;
  /** The workspace, absolute. */
  readonly root: string;
  /** The run's own folder, relative to the workspace. */
  readonly folder: string;
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  readonly madeAt: string;
  /** Each manifest that was in force, since when; the newest last. */
  readonly manifests: readonly { readonly hash: string; readonly at: string }[];
  readonly resumes: number;
  readonly totals: AttemptTotals;
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
  readonly stages: readonly PageStage[];
  readonly unitsLeftOut: number;
  readonly pictures: { readonly shown: number; readonly leftOut: number };
}

export interface PageStage {
  /** Undefined: of units that the pipeline does not list any more. */
  readonly name: string | undefined;
  /** What the whole run was for: few units behind all others. */
  readonly isResult: boolean;
  readonly units: readonly PageUnit[];
}

export interface PageUnit {
  readonly unit: InspectedUnit;
  /** Of the newest attempt that has any and stands. */
  readonly final: readonly PagePicture[];
  readonly tries: readonly PageTry[];
  readonly texts: readonly PageText[];
}

/** An attempt that people want to look at: it made pictures, was judged, or came to nothing. */
export interface PageTry {
  readonly attempt: InspectedAttempt;
  /** The gate's attempt that judged what this one made; itself when it is the gate's. */
  readonly judged: InspectedAttempt | undefined;
  readonly pictures: readonly PagePicture[];
}

export interface PagePicture {
  readonly output: string;
  readonly path: string;
  readonly content: EmbeddedPicture | PictureLeftOut;
}

export interface EmbeddedPicture {
  readonly kind: 'embedded';
  readonly type: string;
  readonly base64: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

export interface PictureLeftOut {
  readonly kind: 'left-out';
  /** `too-much`: the page would become too large. */
  readonly because: 'too-much' | 'missing' | 'damaged';
  readonly size: number;
}

/** The beginning of an output that is text. */
export interface PageText {
  readonly phase: string;
  readonly output: string;
  readonly path: string;
  readonly text: string;
  readonly isCut: boolean;
}
