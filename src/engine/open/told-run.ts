import { readForeignLogs } from '../../import/foreign/foreign-log.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { RunCreated, StoredEvent } from '../../model/event.ts';
import type { Finding } from '../../model/failure.ts';
import { runFile } from '../../model/run-folder.ts';
import { foreignTranslator } from '../../pipeline/foreign.ts';
import type { Environment } from './environment.ts';

/*
 * A run folder may hold the logs of another tool beside Pawl's own journal, or nothing but these. They are only ever
 * read: what they say is translated by the manifest's own words, and stands by that word alone.
 */

/** What the logs of other tools say of a run. */
export interface ToldRun {
  readonly events: readonly StoredEvent[];
  readonly findings: readonly Finding[];
  /** Times of the first and the last event that was read, also of those that say nothing of work. Undefined: none. */
  readonly span: { readonly first: string; readonly last: string } | undefined;
}

/** Undefined: there are none, or the manifest has no words for them. */
export function readTold(
  env: Environment,
  root: string,
  folder: string,
  pipeline: Pipeline | undefined,
): ToldRun | undefined {
  if (pipeline?.foreign === undefined) return undefined;
  const read = readForeignLogs(env.disk, `${root}/${runFile(folder, 'events')}`, { base: root });
  if (read.events.length === 0 && read.findings.length === 0) return undefined;
  const translate = foreignTranslator(pipeline.foreign, pipeline.stages);
  const events: StoredEvent[] = [];
  const findings = [...read.findings];
  for (const { name, actor, at, fields, file, line } of read.events) {
    const bodies = translate({ name, fields });
    if (bodies === 'unknown')
      findings.push({ code: 'unknown-event', file, line, detail: name, weight: 'quiet' });
    else for (const body of bodies) events.push({ ...body, seq: 0, at, actor, epoch: 0 });
  }
  const [first, last] = [read.events[0], read.events.at(-1)];
  return { events, findings, span: first && last && { first: first.at, last: last.at } };
}

/** What a run is for that only other tools have written to: that of the manifest in whose place it lies. */
export function toldCreation(
  env: Environment,
  { name, identity, durability }: Pipeline,
  { id, folder }: { readonly id: string; readonly folder: string },
): RunCreated {
  const boot = env.host.self.boot;
  return { type: 'run_created', run: id, pipeline: name, identity, durability, manifest: '', folder, boot };
}

/** Two lists of events by time; of two at the same moment what others told comes first. */
export function* inOrderOfTime(
  own: Iterable<StoredEvent>,
  told: readonly StoredEvent[],
): Generator<StoredEvent> {
  let next = 0;
  for (const event of own) {
    for (let one = told[next]; one !== undefined && one.at <= event.at; one = told[++next]) yield one;
    yield event;
  }
  yield* told.slice(next);
}
