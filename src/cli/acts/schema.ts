import { ok } from '../../base/result.ts';
import type { Act } from '../act.ts';

export const act: Act = async () => {
  const { manifestJsonSchema } = await import('../../engine/index.ts');
  return ok({ command: 'schema', answer: await manifestJsonSchema() });
};
