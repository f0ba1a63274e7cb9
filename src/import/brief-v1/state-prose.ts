import type { RunStatus } from '../../model/status.ts';
import { isSameName, phaseNamed } from '../../projections/brief/staleness.ts';

/** What the prose of `current_state` proves. */
export interface ProseState {
  readonly phase?: number;
  readonly name?: string;
  readonly status?: Status;
  /** What is said besides. */
  readonly activity: string;
  /** All of the prose is in these fields: without it nothing would be lost. */
  readonly isWhole: boolean;
}

/**
 * `Phase 3 (Implementation) in progress: the parser`, `WORKFLOW COMPLETE. All gates passed.`, `ACTIVE`. Only the beginning of
 * the prose is read, and only where it can mean one thing: what is at work, and how the whole stands. That a phase is
 * complete does not say how the workflow stands; a phase that is pending is not the current one.
 */
export function readState(prose: string, phases: readonly string[]): ProseState {
  const text = prose.trim();
  const nothing: ProseState = { activity: text, isWhole: false };
  if (text.length > lengthMax) return nothing;
  const lead = workflowAtStart.exec(text)?.[0] ?? '';
  const whole = readStatusAt(text.slice(lead.length));
  if (whole !== undefined) {
    if (!isSaidOfAll(whole, lead)) return nothing;
    const inner = phaseAtWork(whole.rest, phases);
    const isAtWork = whole.status === 'running' && inner?.isWhole === true;
    if (isAtWork) return { ...inner, status: whole.status };
    return { status: whole.status, activity: whole.rest, isWhole: true };
  }
  return (lead === '' ? phaseAtWork(text, phases) : undefined) ?? nothing;
}

/**
 * `DONE: the audit` and `COMPLETE (3/5)` are about a part. What is at work is at work, and what has not started may well
 * be pending. Of everything else it has to be clear that the workflow is meant, and all of it: `WORKFLOW COMPLETE.` is.
 */
function isSaidOfAll({ status, end, rest }: StatusAtStart, lead: string): boolean {
  if (status === 'running') return true;
  if (lead === '') return '.!'.includes(end) && !isInDoubt(status, rest);
  return '.!'.includes(end) || (':;,(–—-'.includes(end) && !isInDoubt(status, rest));
}

function isInDoubt(status: Status, rest: string): boolean {
  if (status === 'not_started') return false;
  return doubts.test(rest) || Array.from(rest.matchAll(fraction)).some(([, part, whole]) => part !== whole);
}

function phaseAtWork(text: string, phases: readonly string[]): ProseState | undefined {
  const match = phaseAtStart.exec(text);
  if (match === null) return undefined;
  const [whole, digits = '', total, aside] = match;
  const phase = Number(digits);
  const written = aside === undefined ? nameAt(text.slice(whole.length), phases[phase - 1]) : undefined;
  const name = written?.name ?? nameIn(aside?.trim(), phases);
  const isWholeText = total === undefined && (aside === undefined || name !== undefined);
  const rest = text.slice(whole.length + (written?.length ?? 0));
  const found = { phase, ...(name !== undefined && { name }) };
  if (/^[\s.]*$/.test(rest)) return { ...found, activity: isWholeText ? '' : text, isWhole: isWholeText };
  const said = readStatusAt(rest.replace(betweenPhaseAndStatus, ''));
  if (said === undefined || said.status === 'not_started') return undefined;
  if (said.status !== 'running')
    return otherPhase(text, phase, anyPhase) ? undefined : { ...found, activity: text, isWhole: false };
  if (otherPhase(said.rest, phase, phaseInProgress)) return undefined;
  const status = { ...found, status: said.status };
  if (!isWholeText) return { ...status, activity: text, isWhole: false };
  return { ...status, activity: said.rest, isWhole: true };
}

/** In parentheses behind the number: a name, or some remark. Where the pipeline is known, it says which. */
function nameIn(aside: string | undefined, phases: readonly string[]): string | undefined {
  if (aside === undefined || readStatusAt(aside) !== undefined) return undefined;
  if (phases.length > 0) return phaseNamed(phases, aside) === undefined ? undefined : aside;
  return plainName.test(aside) && aside.split(/\s+/).length <= nameWordsMax ? aside : undefined;
}

/** Behind the number or a colon: only a name that the pipeline has for it. */
function nameAt(
  text: string,
  name: string | undefined,
): { readonly name: string; readonly length: number } | undefined {
  const start = /^\s*[:–—-]?\s+/.exec(text)?.[0].length ?? 0;
  if (name === undefined || start === 0) return undefined;
  const found = text.slice(start, start + name.length);
  const isName = isSameName(found, name) && !/^[\p{L}\p{N}]/u.test(text.slice(start + name.length));
  return isName ? { name: found, length: start + name.length } : undefined;
}

function otherPhase(text: string, phase: number, pattern: RegExp): boolean {
  return Array.from(text.matchAll(pattern)).some(([, digits]) => Number(digits) !== phase);
}

const lengthMax = 10_000;
const nameWordsMax = 4;
const plainName = /^\p{L}[\p{L} &/-]{0,39}$/u;
const phaseAtStart =
  /^phase[\s_#-]{0,3}(\d{1,4})(?!\.?\d)(?!\p{L})(?: of (\d{1,4}))?(?:\s?\(([^()]{1,60})\))?/iu;
const betweenPhaseAndStatus = /^(?:\s*[:–—-]\s+|[\s_]+)(?:is |now ){0,2}/i;
const anyPhase = /\bphases?[\s_#-]{0,3}(\d{1,4})/gi;
const phaseInProgress =
  /\bphase[\s_#-]{0,3}(\d{1,4})[^.;\n\d]{0,40}\b(?:in[\s_-]?progress|active|running|started)\b/gi;
/** `3/5` and `3 of 5` are a part, `12/12` is all of it, and `0/1/2A` is a list. */
const fraction = /(?<![\d/.])(\d+) ?(?:\/|of) ?(\d+)(?![\w/])/gi;
/** Words that qualify a `COMPLETE`, or a `FAILED` that was continued. */
const doubts =
  /\b(?:resumed|except|but|besides|however|although|pending|remain|remains|remaining|left|awaiting|waiting|outstanding|still|not|blocked|failing|todo)\b/i;

/** How the whole stands, as `workflow_status` says it: in the words for a run, and two that no run of ours needs. */
export type Status = RunStatus | 'not_started' | 'blocked';

export interface StatusAtStart {
  readonly status: Status;
  /** The sign behind it; empty: there is nothing behind it. */
  readonly end: string;
  readonly rest: string;
}

/**
 * The status that a text begins with, in any spelling, and what follows it. It has to end where a clause may end:
 * `COMPLETE but for security` and `DONE?` begin with none.
 */
function readStatusAt(text: string): StatusAtStart | undefined {
  for (const [status, pattern] of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const behind = text.slice(match[0].length).trim();
    return { status, end: behind.slice(0, 1), rest: behind.replace(separators, '') };
  }
  return undefined;
}

/** A whole text that is nothing but a status. */
export function readStatus(text: string): Status | undefined {
  const found = readStatusAt(text.trim());
  return found?.rest === '' ? found.status : undefined;
}

/** The same of a text that may say first what it is about: `WORKFLOW_COMPLETE`, `Run status: paused`. */
export function readWholeStatus(text: string): Status | undefined {
  return readStatus(text.trim().replace(workflowAtStart, ''));
}

const workflowAtStart =
  /^(?:the )?(?:workflow|run|pipeline|orchestration)(?:[\s_]status)?(?:[\s_]is|:|[\s_]-)?[\s_]/i;

/** What people write. Words that could mean two of them (pending, ready, error) are not among these. */
const spellings: Readonly<Record<Status, readonly string[]>> = {
  not_started: ['not started', 'not yet started'],
  running: ['running', 'in progress', 'active', 'ongoing', 'underway', 'under way', 'started'],
  waiting_human: [
    'waiting human',
    'waiting for human',
    'waiting for approval',
    'awaiting human',
    'awaiting approval',
    'needs human',
  ],
  paused: ['paused'],
  blocked: ['blocked'],
  stopped: ['stopped'],
  interrupted: ['interrupted', 'aborted'],
  completed: ['completed', 'complete', 'done', 'finished'],
  failed: ['failed'],
  cancelled: ['cancelled', 'canceled'],
};

const endOfClause = '(?=\\s*(?:$|[.!](?:\\s|$)|[:;,(–—]|-{1,3}\\s))';
const separators = /^[\s.:;,!–—-]+/;

const patterns: readonly (readonly [Status, RegExp])[] = Object.entries(spellings).map(([status, words]) => {
  const forms = words.map((form) => form.replaceAll(' ', '[\\s_-]{0,2}')).join('|');
  return [status as Status, new RegExp(`^(?:${forms})${endOfClause}`, 'i')];
});
