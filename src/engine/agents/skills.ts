import { packageRoot } from '../../base/program.ts';
import type { Environment } from '../open/environment.ts';

/** What an agent can be taught about Pawl. */
export interface Skill {
  readonly name: string;
  readonly text: string;
}

/** Those that ship with the package. */
export function shippedSkills({ disk }: Environment): readonly Skill[] {
  return skillNames.flatMap((name) => {
    const bytes = disk.read(`${packageRoot}skills/${name}/SKILL.md`);
    return bytes === undefined ? [] : [{ name, text: new TextDecoder().decode(bytes) }];
  });
}

const skillNames = ['author-pipeline', 'diagnose-run', 'resume-run'] as const;
