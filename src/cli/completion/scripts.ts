import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import type { Completion } from './model.ts';
import type { Shell } from './values.ts';
import { zshScript } from './zsh.ts';

/** By shell, what makes its script. */
export const scripts: Readonly<Record<Shell, (completion: Completion) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
