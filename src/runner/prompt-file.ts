import type { RenderedPrompt } from '../pipeline/loaded.ts';

/** What is kept on disk of a prompt: what was sent, readable. */
export function promptFile({ system, text }: RenderedPrompt): string {
  return turnsFile(system, [{ role: 'user', text }]);
}

/** The same of all that was said. */
export function turnsFile(
  system: string | undefined,
  turns: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[],
): string {
  const first = system === undefined ? '' : `<!-- system -->\n${system}\n`;
  const said = turns.map(({ role, text }) => `<!-- ${role === 'user' ? 'prompt' : 'answer'} -->\n${text}\n`);
  return `${first}${said.join('')}`;
}
