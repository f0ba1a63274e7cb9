import type { TaskState } from '../../engine/observe/task-answers.ts';
import { type Markup, trusted } from '../style/markup.ts';

/** The mark of a state, drawn: a letter of a font may be missing where the picture is looked at. 12 by 12 pixels. */
const icons: Readonly<Record<TaskState | 'doubt' | 'startable', string>> = {
  done: stroke('M2.2 6.4 5 9.2 9.9 3.4'),
  implemented: `${stroke('M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9', 1.5)}${fill('M6 1.5a4.5 4.5 0 0 0 0 9z')}`,
  in_progress: fill('M3.2 1.8 10.2 6 3.2 10.2z'),
  claimed: `${stroke('M3 1.2V11', 1.6)}${fill('M3 1.6H10.2L8.4 4.2 10.2 6.8H3z')}`,
  ready: stroke('M6 2a4 4 0 1 1 0 8a4 4 0 1 1 0-8', 1.8),
  failed: stroke('M2.8 2.8 9.2 9.2M9.2 2.8 2.8 9.2'),
  blocked: `${stroke('M6 1.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9', 1.6)}${stroke('M2.9 9.1 9.1 2.9', 1.6)}`,
  pending: [2, 6, 10].map((x) => fill(`M${x - 1.2} 6a1.2 1.2 0 1 0 2.4 0a1.2 1.2 0 1 0-2.4 0`)).join(''),
  doubt: `${stroke('M3.6 4.2C3.6 2.4 4.7 1.6 6 1.6C7.4 1.6 8.4 2.5 8.4 3.8C8.4 5.6 6 5.6 6 7.6')}${fill('M4.9 10.2a1.1 1.1 0 1 0 2.2 0a1.1 1.1 0 1 0-2.2 0')}`,
  startable: stroke('M2 2H10V10H2z', 2),
};

/** Defines every mark once; a picture has each of them very often. */
export function iconDefinitions(): Markup {
  return trusted(
    Object.entries(icons)
      .map(([name, drawing]) => `<g id="pawl-${name}">${drawing}</g>`)
      .join('\n'),
  );
}

/** One of them, in the colour of what it stands in. */
export function icon(name: keyof typeof icons, x: number, y: number): Markup {
  return trusted(`<use href="#pawl-${name}" x="${x}" y="${y}"/>`);
}

function stroke(path: string, width = 1.9): string {
  return `<path d="${path}" fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function fill(path: string): string {
  return `<path d="${path}" fill="currentColor"/>`;
}
