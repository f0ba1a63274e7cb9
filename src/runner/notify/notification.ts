import type { JsonObject } from '../../base/json.ts';
import type { Notifier, NotifyEvent } from '../../model/definition.ts';
import type { RunStatus } from '../../model/status.ts';
import type { RunContext } from '../context.ts';

/** What a notifier works with. */
export interface NotifyGround extends Pick<RunContext, 'clock' | 'process' | 'root'> {
  /** Writes to the terminal that a person looks at; undefined: there is none. */
  readonly terminal: ((text: string) => void) | undefined;
  /** Fires: notifications that were not sent yet are given up. */
  readonly signal: AbortSignal;
}

/** What is sent to people and other programs at the end of an invocation. */
export interface NotificationPayload {
  readonly event: NotifyEvent;
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: RunStatus;
  /** One line for people. */
  readonly message: string;
  /** The same, by the name that webhooks of chats look for. */
  readonly text: string;
  /** What a person has to decide. */
  readonly waiting: readonly WaitingFor[];
  /** What the command ends with. */
  readonly exitCode?: number;
  /** Absent when the invocation broke off. */
  readonly counts?: NotificationCounts;
  readonly at: string;
}

/** One question to a person. */
export interface WaitingFor {
  /** What an answer names: `C1`. */
  readonly id?: string;
  /** Empty for what concerns every unit. */
  readonly unit: string;
  readonly phase: string;
  readonly question: string;
}

export interface NotificationCounts {
  readonly units: number;
  readonly unitsFinished: number;
  readonly cells: number;
  readonly done: number;
  readonly skipped: number;
  /** Attempts of this invocation. */
  readonly succeeded: number;
  readonly failed: number;
}

/** One notifier that was to tell, and whether it could. */
export type Notification = {
  readonly via: Notifier['kind'];
  /** The program, the host of the webhook or the variable that names it; never the whole address. */
  readonly to: string;
  readonly event: NotifyEvent;
} & ({ readonly ok: true } | ({ readonly ok: false } & NotificationTrouble));

/** Why a notification was not sent. */
export interface NotificationTrouble {
  readonly reason: NotificationTroubleReason;
  readonly facts?: JsonObject;
  /** The end of what a command said, without secrets. */
  readonly message?: string;
}

export type NotificationTroubleReason =
  | 'command-not-found'
  | 'command-not-executable'
  | 'command-failed'
  | 'command-killed'
  | 'timed-out'
  /** A person wanted to go on, and not to wait for it. */
  | 'interrupted'
  /** The webhook answered, and not with yes; a redirection is not followed. */
  | 'http-status'
  | 'unreachable'
  /** A variable that the manifest names is not there. */
  | 'variable-missing'
  /** What a variable holds is no address of the web, or no header. */
  | 'variable-unusable'
  /** It was never tried: there is no folder for it, or no descriptor. */
  | 'cannot-start';
