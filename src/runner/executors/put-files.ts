import { ok, type Result } from '../../base/result.ts';
import type { OutputSpec } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Made, MadeOutput } from '../assignment.ts';
import { collectOutputs } from '../collect.ts';
import type { ExecutorHost } from '../executor-host.ts';
import { runnableOf } from '../promotion.ts';

/** Puts declared outputs, files by output name in a folder of the scratch folder, into the content store. */
export async function putFiles(
  { disk, content, scratch }: Pick<ExecutorHost, 'disk' | 'content' | 'scratch'>,
  folder: string,
  specs: readonly OutputSpec[],
): Promise<Result<Made, AttemptFailure>> {
  const collected = await collectOutputs(
    disk,
    content,
    `${scratch}/${folder}`,
    specs.map(({ name, optional }) => ({ name, file: name, optional })),
  );
  if (!collected.ok) return collected;
  const outputs: Record<string, MadeOutput> = {};
  for (const found of collected.value) {
    if (found === undefined) continue;
    const { name } = found;
    outputs[name] =
      found.kind === 'held'
        ? { hash: content.put(found.bytes), ...runnableOf(found) }
        : { hash: found.hash, file: `${folder}/${name}`, ...runnableOf(found) };
  }
  return ok({ outputs });
}
