import type { Channel } from './definition.ts';

/** Who made a decision, from where. Every field is optional because earlier versions of Pawl recorded less. */
export interface DecidedBy {
  /** The name of the user on that host. */
  readonly by?: string;
  readonly host?: string;
  readonly channel?: Channel;
  /** The name given with `--actor` or `PAWL_ACTOR`; without one, the coding agent whose shell ran the command. */
  readonly agent?: string;
}

/** The same of a decision that is made now. */
export type Decider = DecidedBy & Required<Pick<DecidedBy, 'by' | 'host' | 'channel'>>;
