import { existsSync } from 'node:fs';
import { commandPath, median, timeNode } from '../measure.mjs';

/** How long `pawl --help` takes beside a Node that does nothing. Nothing while there is no command. */
export function measureStartUp(/** @type {{ rounds: number }} */ { rounds }) {
  if (!existsSync(commandPath)) return [];
  const help = [];
  const nothing = [];
  for (let round = 0; round < rounds; round++) {
    help.push(timeNode([commandPath, '--help']));
    nothing.push(timeNode(['-e', '0']));
  }
  const [ours, floor] = [median(help), median(nothing)];
  return [
    { figure: 'pawl --help beside node -e 0', target: 1.3, floor, ours, ratio: ours / floor, unit: 'ms' },
  ];
}
