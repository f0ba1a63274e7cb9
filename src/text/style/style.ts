/** Colours for one stream; the identity functions where there are none. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** How words are put on one stream. */
export interface Style {
  readonly paint: Paint;
  readonly symbols: Symbols;
  /** Characters in a line. */
  readonly width: number;
  /** The path as it was typed, for the commands that a message names. */
  readonly path: string | undefined;
  /** The run that the user named, for the commands that a message names; absent: the current one. */
  readonly run?: string;
  /** The options that narrow this call, as typed, so that no command of a message does more than was meant. */
  readonly narrowing?: readonly string[];
  /** A recorded time by the clock of the reader; absent: times are shown in UTC. */
  readonly localTime?: (recorded: string) => string | undefined;
}

export interface Symbols {
  readonly good: string;
  readonly bad: string;
  /** A unit with nothing left to do, among others in a row. */
  readonly full: string;
  readonly outdated: string;
  readonly warning: string;
  readonly asks: string;
  readonly runs: string;
  readonly cutOff: string;
  readonly waits: string;
  readonly ready: string;
  readonly paused: string;
  readonly skipped: string;
  readonly same: string;
  readonly differs: string;
  readonly becomes: string;
  readonly more: string;
  readonly spinner: readonly string[];
}

export const unicodeSymbols: Symbols = {
  good: '✓',
  bad: '✗',
  full: '▪',
  outdated: '≈',
  warning: '!',
  asks: '?',
  runs: '»',
  cutOff: '~',
  waits: '·',
  ready: '○',
  paused: '‖',
  skipped: '-',
  same: '=',
  differs: '≠',
  becomes: '→',
  more: '…',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

/** For terminals that do not speak UTF-8. */
export const asciiSymbols: Symbols = {
  good: '+',
  bad: 'x',
  full: '#',
  outdated: '%',
  warning: '!',
  asks: '?',
  runs: '>',
  cutOff: '~',
  waits: '.',
  ready: 'o',
  paused: 'z',
  skipped: '-',
  same: '=',
  differs: '#',
  becomes: '->',
  more: '...',
  spinner: ['|', '/', '-', '\\'],
};

const same = (text: string) => text;

export const noPaint: Paint = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

/** Without colours, for files, pipes and other programs. */
export const plainStyle: Style = { paint: noPaint, symbols: unicodeSymbols, width: 100, path: undefined };
