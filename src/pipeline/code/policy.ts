import type { CodePolicy } from '../../model/definition.ts';
import { usePath } from '../paths.ts';
import type { LoadContext } from '../prompts/context.ts';
import type { ManifestPhase } from '../shape/manifest.ts';

/** What one place of a manifest says of code: a key that it leaves out is decided elsewhere. */
export type WrittenCode = Partial<CodePolicy>;

/** Reads `code` of the pipeline or of a phase. `at` is its path. */
export function resolveCode(context: LoadContext, written: ManifestPhase['code'], at: string): WrittenCode {
  if (written === undefined) return {};
  if (typeof written === 'string') return { onChange: written };
  const { on_change: onChange, files } = written;
  return {
    ...(onChange !== undefined && { onChange }),
    ...(files && {
      files: files.map((file, nth) => usePath(context.reader, context.problems, file, `${at}.files[${nth}]`)),
    }),
  };
}

/** The policy of a phase: each key is the phase's own, or else the pipeline's. */
export function codePolicy(phase: WrittenCode, pipeline: WrittenCode): CodePolicy {
  return { onChange: 'keep', files: [], ...pipeline, ...phase };
}
