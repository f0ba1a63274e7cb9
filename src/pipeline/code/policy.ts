import type { ChangePolicy, CodePolicy } from '../../model/definition.ts';
import { declaredFileBytesMax, type LoadContext } from '../context.ts';
import { checkPath, usePath } from '../paths.ts';
import type { ManifestPhase } from '../schema/manifest.ts';

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
      files: files.map((file, nth) => useCodeFile(context, file, `${at}.files[${nth}]`)),
    }),
  };
}

/** A file that is not there is a fact, and not a problem. */
function useCodeFile({ reader, problems, sources }: LoadContext, written: string, at: string): string {
  const path = usePath(reader, problems, written, at);
  if (checkPath(written) !== undefined) return path;
  const read = sources.hashOf(path, declaredFileBytesMax);
  if (read.kind === 'unusable') problems.add(read.code, at, read.facts);
  return path;
}

/**
 * The policy of a phase: what it says of its code, else what it says of every change, else what the pipeline says of
 * code. Code that the pipeline does not track is tracked only where a phase says so of its code.
 */
export function codePolicy(
  phase: WrittenCode,
  onChange: ChangePolicy | undefined,
  pipeline: WrittenCode,
): CodePolicy {
  const general = pipeline.onChange === 'ignore' ? 'ignore' : (onChange ?? pipeline.onChange);
  return { files: [], ...pipeline, ...phase, onChange: phase.onChange ?? general };
}
