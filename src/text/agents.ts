import type { AgentsAnswer, InstallChange } from '../engine/agents/answers.ts';
import type { AgentState } from '../engine/agents/states.ts';
import { agentTroubleTitle, installNoteWords } from './catalogue/settings-problems.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table } from './style/table.ts';
import { diffLine } from './style/text-diff.ts';
import { count, list } from './style/words.ts';

export function agentsText(answer: AgentsAnswer, style: Style): string {
  return answer.action === 'list' ? listText(answer.agents, style) : changedText(answer, style);
}

/** Asked before anything is written. */
export function installQuestion({ changes }: { readonly changes: readonly InstallChange[] }): string {
  return `Write ${count(changes.length, 'file')}?`;
}

/** Every change, line by line, to be looked at first. */
export function installDiff(changes: readonly InstallChange[], style: Style): string {
  return changes
    .flatMap(({ path, change, diff }) => [
      style.paint.bold(`${plain(path)} (${change})`),
      ...diff.map((line) => diffLine(line, style)),
      '',
    ])
    .join('\n');
}

function changedText(answer: Exclude<AgentsAnswer, { action: 'list' }>, style: Style): string {
  const { action, agent, changes, notes, isApplied } = answer;
  const { paint, symbols } = style;
  const verb = action === 'install' ? 'installed' : 'removed';
  const files = list(
    changes.map(({ path }) => plain(path)),
    filesMax,
  );
  const last =
    changes.length === 0
      ? `${paint.green(symbols.good)} ${agent}: nothing to change`
      : isApplied
        ? `${paint.green(symbols.good)} ${paint.bold(`${agent}: ${verb}`)}; ${files}`
        : `${paint.yellow(symbols.warning)} ${paint.bold(`${agent}: nothing was written`)}; ${files} would change`;
  return [
    ...(isApplied ? [] : [installDiff(changes, style)]),
    ...notes.map((note) => `${paint.yellow(symbols.warning)} ${installNoteWords(note)}`),
    last,
  ].join('\n');
}

const filesMax = 12;

function listText(agents: readonly AgentState[], style: Style): string {
  const rows = agents
    .filter(({ scope, isInstalled, trouble }) => scope === 'project' || isInstalled || trouble !== undefined)
    .map(({ agent, scope, ...state }) => [agent, scope, stateWords(state)]);
  return [
    ...table(rows),
    `${style.symbols.becomes} to see what one would change, and be asked: pawl agents install ${agents[0]?.agent ?? 'claude'}`,
  ].join('\n');
}

function stateWords({
  isInstalled,
  outdated,
  trouble,
}: Pick<AgentState, 'isInstalled' | 'outdated' | 'trouble'>): string {
  if (trouble !== undefined) return agentTroubleTitle(trouble);
  if (!isInstalled) return 'not installed';
  return outdated.length === 0
    ? 'installed'
    : `installed, out of date: ${list(outdated.map(plain), filesMax)}`;
}
