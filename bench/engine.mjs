import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distFolder } from './measure.mjs';
import { workloadPipeline } from './workload.mjs';

/** Runs the workload through the engine as a library, in this process. */
export async function runWorkload(
  /** @type {string} */ root,
  /** @type {{ units: number, durability: string, artifactBytes?: number, stopAfter?: number }} */ options,
) {
  const pawl = await import(pathToFileURL(join(distFolder, 'index.js')).href);
  const pipeline = workloadPipeline(pawl.definePipeline, options);
  const env = { ...pawl.systemEnvironment(), cwd: root };
  const began = performance.now();
  const result = await pawl.run({ path: root, pipeline, ...stopping(options.stopAfter) }, env);
  const ms = performance.now() - began;
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  const { kind, cells, ran } = result.value;
  return { ms, kind, cells, ran };
}

/** Asks the engine to stop, as a signal would, once so many cells have succeeded. */
function stopping(/** @type {number | undefined} */ stopAfter) {
  if (stopAfter === undefined) return {};
  const stop = new AbortController();
  let succeeded = 0;
  const progress = (/** @type {{ type: string }} */ { type }) => {
    if (type === 'attempt-succeeded' && ++succeeded === stopAfter) stop.abort();
  };
  return { stop: stop.signal, observer: { begun: () => undefined, progress } };
}
