import type { TaskState } from '../../engine/observe/task-answers.ts';

/** Of a state: the colour of its words and marks, and that of what is behind them. */
interface Tint {
  readonly ink: string;
  readonly back: string;
}

interface Palette {
  readonly page: string;
  readonly band: string;
  readonly sheet: string;
  readonly edge: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly doubt: Tint;
  readonly states: Readonly<Record<TaskState, Tint>>;
}

/** Colours for a light page. Mermaid pictures always use them, because they do not know their page. */
export const lightPalette: Palette = {
  page: '#f6f6f4',
  band: '#eeeeeb',
  sheet: '#ffffff',
  edge: '#dcdcd8',
  text: '#23262a',
  quiet: '#666b70',
  line: '#8d9398',
  doubt: { ink: '#8d5f0c', back: '#f8edd5' },
  states: {
    done: { ink: '#2c7a51', back: '#e3f1e8' },
    implemented: { ink: '#15767a', back: '#dcf1f1' },
    in_progress: { ink: '#2a66a8', back: '#e2edf9' },
    claimed: { ink: '#6552ad', back: '#ece8f9' },
    ready: { ink: '#3c4247', back: '#e4e5e4' },
    failed: { ink: '#b23b32', back: '#fae6e3' },
    blocked: { ink: '#a3470f', back: '#fbe8d9' },
    pending: { ink: '#767b80', back: '#efefec' },
  },
};

const darkPalette: Palette = {
  page: '#131518',
  band: '#1a1d21',
  sheet: '#22262b',
  edge: '#363c42',
  text: '#e4e5e3',
  quiet: '#979da3',
  line: '#6a7178',
  doubt: { ink: '#deb15e', back: '#3b2e16' },
  states: {
    done: { ink: '#74c596', back: '#1c3a2a' },
    implemented: { ink: '#66c3c7', back: '#17383a' },
    in_progress: { ink: '#84b7f1', back: '#1c3350' },
    claimed: { ink: '#b3a3f2', back: '#312a52' },
    ready: { ink: '#d3d6d8', back: '#3a4047' },
    failed: { ink: '#ee8b81', back: '#452422' },
    blocked: { ink: '#f0a06a', back: '#44291a' },
    pending: { ink: '#8f959b', back: '#2c3136' },
  },
};

/**
 * The style of an SVG picture, light and dark by the reader's own setting. Without variables: some programs that draw SVG
 * do not know them, and what they do not know of the dark half they leave out.
 */
export function pictureStyle(): string {
  return `${layoutRules}${colourRules(lightPalette)}@media (prefers-color-scheme: dark) {
${colourRules(darkPalette)}}
`;
}

const mono =
  'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace';

const layoutRules = `
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; }
.mono { font-family: ${mono}; }
.strong { font-weight: 600; }
.small { font-size: 11.5px; }
.name { font-size: 25px; font-weight: 650; letter-spacing: -.4px; }
.stage { font-size: 15px; font-weight: 650; }
.chip text { font-size: 11px; }
.box { stroke-width: 1; }
.runnable .box { stroke-width: 2; }
.open { stroke-width: 1.5; stroke-dasharray: 6 5; }
.way { fill: none; stroke-width: 1.4; }
.chips .way { stroke-width: 1; }
.met { opacity: .55; }
.end { text-anchor: end; }
.middle { text-anchor: middle; }
`;

function colourRules({ page, band, sheet, edge, text, quiet, line, doubt, states }: Palette): string {
  const tints = Object.entries({ ...states, doubt }).map(
    ([state, { ink, back }]) => `.${state} { color: ${ink}; }
.${state} .back { fill: ${back}; }
`,
  );
  return `.page { fill: ${page}; }
.band { fill: ${band}; }
.box { fill: ${sheet}; stroke: ${edge}; }
.runnable .box { stroke: ${text}; }
text { fill: ${text}; }
.quiet { fill: ${quiet}; }
.startable { color: ${text}; }
.way, .barrier, .open { stroke: ${line}; }
.tip { fill: ${line}; }
${tints.join('')}.ink { fill: currentColor; }
.on-ink { color: ${sheet}; }
.pending .title { fill: ${quiet}; }
`;
}
