import { createHash } from 'node:crypto';
import type { Hash } from '../../base/hash.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';

/** One hash over everything that a pipeline says now: its manifest, its units, the files that it names. */
export function hashPipeline({ locate: _, pipeline, ...said }: LoadedPipeline): Hash {
  const stages = pipeline.stages.map(({ units, ...stage }) => ({ ...stage, units: units.length }));
  const digest = createHash('sha256').update(textOf({ ...said, pipeline: { ...pipeline, stages } }));
  for (const { units } of pipeline.stages) {
    // Not all at once: what many units say may be longer than a string can be.
    for (let at = 0; at < units.length; at += unitsPerText)
      digest.update(textOf(units.slice(at, at + unitsPerText)));
  }
  return `sha256:${digest.digest('hex')}`;
}

const unitsPerText = 256;

/** As JSON, to which a map would be empty and a function nothing: whatever is added to a pipeline must count. */
function textOf(value: object): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'function') throw new Error('a pipeline is data and holds no function');
    return member instanceof Map ? [...member] : member;
  });
}
