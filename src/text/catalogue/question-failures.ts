import { unreachable } from '../../base/result.ts';
import type { Failure, StatusTrouble } from '../../model/failure.ts';
import { hint } from '../phrases/hints.ts';
import { plain } from '../style/plain.ts';
import { list, time } from '../style/words.ts';

export type QuestionTrouble = Extract<
  Failure,
  {
    reason:
      | 'no-such-question'
      | 'question-closed'
      | 'channel-closed'
      | 'inside-phase'
      | 'status-unclear'
      | 'status-blocked';
  }
>;

export function questionTroubleTitle(trouble: QuestionTrouble): string {
  switch (trouble.reason) {
    case 'no-such-question':
      return `nobody is asked ${plain(trouble.id)}`;
    case 'question-closed':
      return `${plain(trouble.id)} can no longer be answered: ${closedWords(trouble)}`;
    case 'status-unclear':
      return `${plain(trouble.troubles[0]?.path ?? '')} says where the work stands, and cannot be understood: ${list(trouble.troubles.map(statusTroubleWords))}; nothing was started`;
    case 'status-blocked':
      return `${list(trouble.troubles.map(blockedWords))}; nothing was started`;
    case 'channel-closed':
      return trouble.agent === undefined
        ? `${plain(trouble.id)} has to be decided by a person, and not by way of ${channelWords(trouble.channel)}`
        : `${plain(trouble.id)} needs a person, and this shell belongs to ${plain(trouble.agent.client)} (${plain(trouble.agent.variable)} is set)`;
    case 'inside-phase':
      return `pawl ${plain(trouble.command)} was called by ${trouble.cell === undefined ? 'a process that Pawl started' : plain(trouble.cell)}: a phase cannot decide about a run`;
    default:
      return unreachable(trouble);
  }
}

export function questionTroubleNext(trouble: QuestionTrouble, path: string | undefined): string[] {
  const look = `to see what waits: ${hint('checkpoints', path)}`;
  switch (trouble.reason) {
    case 'no-such-question':
      return trouble.open.length === 0 ? [look] : [`what waits: ${list(trouble.open)}`, look];
    case 'question-closed':
      return trouble.why === 'decided'
        ? [`to go on: ${hint('run', path)}`]
        : [`to have it asked about what is there now: ${hint('run', path)}`, look];
    case 'status-unclear':
      return ['fix the page', `to start fresh: ${hint('run', path, undefined, '--fresh')}`];
    case 'status-blocked':
      return [
        ...new Set(trouble.troubles.flatMap(blockedNext)),
        `to start over: ${hint('run', path, undefined, '--fresh')}`,
      ];
    case 'inside-phase':
      return ['a person answers it in a terminal of their own'];
    case 'channel-closed':
      return [
        ...(trouble.agent === undefined ? [] : ['a person answers it in another terminal']),
        ...allowedWays(trouble.allowed.filter((channel) => channel !== 'page')),
        'the manifest says who may answer: channels',
      ];
    default:
      return unreachable(trouble);
  }
}

/** The channel `page` is left out before, because nothing serves a page yet. */
function allowedWays(channels: readonly string[]): string[] {
  return channels.length === 0 ? [] : [`it can be answered by: ${list(channels.map(channelWords))}`];
}

function closedWords({ why, decided, changes }: QuestionTrouble & { reason: 'question-closed' }): string {
  switch (why) {
    case 'decided':
      return `it was ${plain(decided?.decision ?? '')} by ${plain(decided?.by ?? '')} at ${time(decided?.at ?? '')}`;
    case 'changed':
      return `what it was about has changed since it was shown (${list(changes.map(({ label }) => plain(label)))})`;
    case 'superseded':
      return 'what it was about is no longer there, or no longer matters';
    case 'expired':
      return 'it was asked too long ago';
    default:
      return unreachable(why);
  }
}

function channelWords(channel: string): string {
  return channel === 'script' ? 'a program (script)' : channel === 'mcp' ? 'MCP' : `the ${plain(channel)}`;
}

function blockedWords({ path, line, code, facts }: StatusTrouble): string {
  const page = plain(path);
  const file = plain(String(facts.file ?? ''));
  switch (code) {
    case 'pages-contradict':
      return `${page} and ${plain(String(facts.other))} contradict each other (${list([facts.parts ?? []].flat().map((part) => plain(String(part))))})`;
    case 'complete-unproven':
      return `${page} says COMPLETE, but ${file} (line ${line}) ${facts.why === 'missing' ? 'is missing' : 'has other bytes than recorded'}`;
    default:
      return `cannot verify the spec: ${specWords(facts, `${page} line ${line}`)}`;
  }
}

function specWords({ file, why, value }: StatusTrouble['facts'], place: string): string {
  if (why === 'missing') return `${plain(String(file))} is missing`;
  const recorded = `the hash recorded for ${file === undefined ? 'it' : plain(String(file))} (${place}: ${plain(String(value))})`;
  if (why === 'unnamed') return `no file has ${recorded}, and the manifest does not name the spec`;
  return `${recorded} ${why === 'hash-shortened' ? 'is shortened' : 'is no sha256'}`;
}

function blockedNext({ path, code, facts }: StatusTrouble): string[] {
  const page = plain(path);
  const file = plain(String(facts.file ?? ''));
  switch (code) {
    case 'pages-contradict':
      return [`keep the page that is right, and move the other away: ${page}, ${plain(String(facts.other))}`];
    case 'complete-unproven':
      return [`put back ${file}, or correct ${page}`];
    default:
      return specNext(page, file, facts.why);
  }
}

function specNext(page: string, file: string, why: unknown): string[] {
  if (why === 'missing') return [`put back ${file}`];
  if (why === 'unnamed') return ['name the spec in the manifest: layout: { spec: PHASE.OUTPUT }'];
  if (file === '') return [`write the full sha256 of the spec on ${page}`];
  return [
    `if ${file} is the spec that the work was made from, write its full hash on ${page}: sha256sum ${file}`,
  ];
}

function statusTroubleWords({ line, code, facts }: StatusTrouble): string {
  const what = facts.value ?? facts.stage ?? facts.key ?? facts.first;
  return `line ${line}: ${plain(code.replaceAll('-', ' '))}${what === undefined ? '' : ` (${plain(String(what))})`}`;
}
