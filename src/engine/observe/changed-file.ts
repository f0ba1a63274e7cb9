import { unreachable } from '../../base/result.ts';
import type { Refusal } from '../../model/reason.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';

/** A file, or a place in the manifest, that is not as it was when results were made. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'changed' | 'edited' | 'missing' | 'damaged';
  /** The run that wrote it; absent: a person did, or nobody knows. */
  readonly writtenBy?: string;
}

/** What a guard has found to be another one; undefined where nothing has changed. */
export function refusedChange(
  { loaded, manifest }: { readonly loaded: LoadedPipeline; readonly manifest: string },
  refusal: Refusal,
): ChangedFile | undefined {
  const { name, state } = loaded.pipeline;
  switch (refusal.guard) {
    case 'manifest-changed':
      return { path: manifest === '' ? name : manifest, change: 'changed' };
    case 'prompt-changed':
    case 'file-changed':
      return { path: refusal.path, change: refusal.after === undefined ? 'missing' : 'changed' };
    case 'output-edited':
    case 'state-edited':
      return {
        path: refusal.path,
        change: 'edited',
        ...(refusal.writtenBy !== undefined && { writtenBy: refusal.writtenBy }),
      };
    case 'pre-state-differs':
      return state && { path: state.path, change: 'changed' };
    // As places in the manifest: no file of their own stands for them.
    case 'definition-changed':
      return { path: `phases.${refusal.phase}`, change: 'changed' };
    case 'unit-changed':
      if (refusal.file !== undefined)
        return { path: refusal.file, change: refusal.isMissing ? 'missing' : 'changed' };
      return { path: `units.${refusal.unit}`, change: 'changed' };
    case 'code-changed':
      return { path: refusal.paths[0] ?? `code.${refusal.phase}`, change: 'changed' };
    // It is told with the attempts in doubt, and nothing has changed.
    case 'in-doubt':
      return undefined;
    default:
      return unreachable(refusal);
  }
}
