/** `pawl` alone where no pipeline is: what it is, and the two ways to begin. Printed with next to nothing loaded. */
export function welcomeText(version: string): string {
  return [
    `pawl ${version}: runs work that goes through phases; stop it and go on at any time`,
    '',
    'It keeps a journal of what happened, knows by hash what each result was made',
    'from, redoes only what is no longer true, and asks people once. There is no',
    'pipeline here yet; to begin:',
    '',
    '  pawl init             a small pipeline, into this folder; then: pawl run',
    '  pawl init book demo   a book, written scene by scene; then: pawl run demo',
    '                        also: sprites, agents, feature',
    '',
    'pawl help lists all commands.',
  ].join('\n');
}
