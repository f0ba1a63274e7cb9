import { excerpt, type Report } from './findings.ts';
import { fenceOf, type Heading, headingOf, isRule, splitHeading } from './lines.ts';
import {
  addFields,
  addSaid,
  type Entries,
  newOutlineState,
  type OutlineState,
  openSection,
} from './outline-state.ts';
import { isTableLine, takeTableLine } from './outline-table.ts';
import { takeText } from './outline-text.ts';
import { fieldOf, keyOf, sectionOf } from './words.ts';

/** Sorts the lines of a page, Markdown or YAML, into its parts. */
export function outlineOf(lines: readonly string[], report: Report): Entries {
  const state = newOutlineState(report);
  const frontMatterEnd = endOfFrontMatter(lines);
  state.isYaml = frontMatterEnd > 0;
  for (let at = 0; at < lines.length; at++) {
    if (frontMatterEnd > 0 && at === frontMatterEnd) {
      state.isYaml = false;
      openSection(state, 'facts', 0);
    } else takeLine(state, lines[at] ?? '', lines[at + 1], at + 1);
  }
  tellUnknown(state);
  return state.entries;
}

/** The line that closes it; 0: there is none. */
function endOfFrontMatter(lines: readonly string[]): number {
  if (lines[0]?.trim() !== '---') return 0;
  const end = lines.findIndex((line, at) => at > 0 && (line.trim() === '---' || line.trim() === '...'));
  return Math.max(0, end);
}

function takeLine(state: OutlineState, line: string, next: string | undefined, number: number): void {
  const text = line.trim();
  if (isInComment(state, text) || isPassedOver(state, text)) return;
  if (text === '') {
    state.table = undefined;
    return;
  }
  if (state.isYaml && text.startsWith('#')) return;
  const heading = state.isYaml ? undefined : (headingOf(text) ?? underlined(text, next));
  if (heading !== undefined) takeHeading(state, heading, number);
  else if (isRule(text)) state.table = undefined;
  else if (isTableLine(state, text, next)) takeTableLine(state, text, number);
  else takeText(state, line.length - line.trimStart().length, text.replace(/^>\s?/, ''), number);
}

function isInComment(state: OutlineState, text: string): boolean {
  if (!state.isComment && !text.startsWith('<!--')) return false;
  state.isComment = !text.includes('-->');
  return true;
}

/** Blocks of YAML and Markdown are read as if they had no fence; others are no part of what the page says. */
function isPassedOver(state: OutlineState, text: string): boolean {
  const found = fenceOf(text);
  if (state.fence === undefined) {
    if (found === undefined) return false;
    const isYaml = found.language === 'yaml' || found.language === 'yml';
    const isRead = isYaml || found.language === 'markdown' || found.language === 'md';
    state.fence = { fence: found.fence, isRead };
    state.isYaml = isYaml;
    return true;
  }
  if (found?.language === '' && found.fence.startsWith(state.fence.fence)) {
    state.fence = undefined;
    state.isYaml = false;
    return true;
  }
  return !state.fence.isRead && state.section.kind !== 'notes';
}

/** A heading of two lines; only with a name that is known, since `---` is a rule as well. */
function underlined(text: string, next: string | undefined): Heading | undefined {
  const below = next?.trim() ?? '';
  const [first = ' '] = below;
  if (!'=-'.includes(first) || below.includes(' ') || !isRule(below)) return undefined;
  if (sectionOf(keyOf(text)) === undefined) return undefined;
  return { level: first === '=' ? 1 : 2, text };
}

function takeHeading(state: OutlineState, { level, text }: Heading, line: number): void {
  const isKnown = sectionOf(keyOf(text)) !== undefined;
  const { key, value } = isKnown ? { key: text, value: '' } : splitHeading(text);
  const name = keyOf(key);
  const kind = sectionOf(name);
  const isTitle = !state.isTitled && level === 1;
  state.isTitled = true;
  if (kind === undefined && state.section.kind === 'notes' && level > state.section.level) {
    addSaid(state, line, text);
    return;
  }
  if (kind === undefined && !isTitle) state.unknown.push({ heading: text, line });
  openSection(state, kind ?? (isTitle ? 'facts' : 'unknown'), level);
  const section = state.section;
  const field =
    section.kind === 'facts' || section.kind === 'current' ? fieldOf(section.kind, name) : undefined;
  if (field !== undefined && value !== '') addFields(state, line, [[field, value]]);
  else if (!isTitle && field === 'status') section.awaits = field;
}

function tellUnknown({ unknown, report }: OutlineState): void {
  const [first] = unknown;
  if (first === undefined) return;
  const headings = unknown.slice(0, headingsToldMax).map(({ heading }) => excerpt(heading));
  report(first.line, { code: 'sections-unknown', headings, count: unknown.length });
}

const headingsToldMax = 20;
