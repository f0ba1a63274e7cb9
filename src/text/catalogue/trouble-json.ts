import { plainStyle, type Style } from '../style/style.ts';
import { exitCodeOfTrouble } from './exit-codes-of-troubles.ts';
import { nextSteps, type Trouble, troubleTitle } from './failures.ts';
import { problemSentence } from './problems.ts';

/** What went wrong as data: the shapes are described in `json.ts`. */
export function troubleJson(
  trouble: Trouble,
  command: string | undefined,
  { path, narrowing = [] }: Pick<Style, 'path' | 'narrowing'>,
): object {
  const style = { ...plainStyle, path, narrowing };
  return {
    ok: false,
    ...(command === undefined ? {} : { command }),
    exitCode: exitCodeOfTrouble(trouble),
    ...trouble,
    ...(trouble.reason === 'manifest-invalid'
      ? { problems: trouble.problems.map((problem) => ({ ...problem, message: problemSentence(problem) })) }
      : {}),
    message: troubleTitle(trouble, style),
    next: nextSteps(trouble, style),
  };
}
