import type { Channel, Checkpoint, OutputRef, Phase } from '../../model/definition.ts';
import { type LoadContext, splitReference } from '../context.ts';
import { resolveDuration } from '../durations.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';
import type { StageView } from './inputs.ts';

/** What may answer where the manifest says nothing: only what a person has to be at. */
export const channelsDefault: readonly Channel[] = ['terminal', 'page'];

/** The phase that asks. `conditional`: those that may not run at all, so that nothing could be sent back to them. */
interface AskingPhase {
  readonly name: string;
  readonly needs: readonly string[];
  readonly inputs: Phase['inputs'];
  readonly conditional: ReadonlySet<string>;
}

/** Reads the points where a person decides. `at` is the path of the phase. */
export function resolveCheckpoints(
  context: LoadContext,
  view: StageView,
  phase: AskingPhase,
  written: ManifestPhase['checkpoint'],
  channels: readonly Channel[],
  at: string,
): Checkpoint[] {
  if (written === undefined) return [];
  const isList = Array.isArray(written);
  const points = isList ? written : [written];
  const places = new Map<string, number>();
  return points.map((point, nth) => {
    const path = isList ? `${at}.checkpoint[${nth}]` : `${at}.checkpoint`;
    const { name, when = 'after', ...given } = typeof point === 'string' ? { name: point } : point;
    // By name: one that is added before it must not take over what was said of it.
    const named = `${when} ${name}`;
    const count = (places.get(named) ?? 0) + 1;
    places.set(named, count);
    const show = (given.show ?? []).flatMap((ref, index) =>
      resolveShown(context, view, phase.name, when, ref, `${path}.show[${index}]`),
    );
    return {
      name,
      place: count === 1 ? named : `${named} ${count}`,
      when,
      show,
      backTo: resolveBackTo(context, view, phase, when, show, given.back_to, `${path}.back_to`),
      channels: given.channels ?? channels,
      expiresMs:
        given.expires === undefined
          ? undefined
          : resolveDuration(context, given.expires, 0, 1, `${path}.expires`),
    };
  });
}

/** Reads which earlier phases a phase may ask to be done again. */
export function resolveRevises(
  context: LoadContext,
  { listed }: StageView,
  phase: string,
  written: ManifestPhase['revises'],
  at: string,
): Phase['revises'] {
  const before = listed.slice(0, listed.indexOf(phase));
  written?.forEach((name, nth) => {
    if (!before.includes(name)) sayUnknown(context, name, before, `${at}.revises[${nth}]`);
  });
  return written ?? [];
}

/** Only what is there when the question is asked can be shown. */
function resolveShown(
  context: LoadContext,
  view: StageView,
  phase: string,
  when: Checkpoint['when'],
  written: string,
  at: string,
): OutputRef[] {
  const end = view.listed.indexOf(phase) + (when === 'after' ? 1 : 0);
  const before = view.listed.slice(0, end);
  const ref = splitReference(written, (name) => {
    const output = written.slice(name.length + 1);
    return before.includes(name) && (view.outputs.get(name)?.some((spec) => spec.name === output) ?? false);
  });
  if (ref !== undefined) return [{ phase: ref.name, output: ref.rest }];
  const valid = before.flatMap((name) =>
    (view.outputs.get(name) ?? []).map((output) => `${name}.${output.name}`),
  );
  const facts = { found: written, valid: valid.slice(0, 20), ...suggestion(nearest(written, valid)) };
  context.problems.add('unknown-input', at, facts);
  return [];
}

/** Without a word: the phase itself; before it starts, whatever has made what is shown. */
function resolveBackTo(
  context: LoadContext,
  { listed }: StageView,
  phase: AskingPhase,
  when: Checkpoint['when'],
  show: readonly OutputRef[],
  written: string | undefined,
  at: string,
): string | undefined {
  if (written === undefined) {
    if (when === 'after') return phase.name;
    const maker = show.at(-1)?.phase ?? lastTaken(phase, listed) ?? phase.needs.at(-1);
    return maker === undefined || phase.conditional.has(maker) ? undefined : maker;
  }
  const end = listed.indexOf(phase.name) + (when === 'after' ? 1 : 0);
  const before = listed.slice(0, end).filter((name) => !phase.conditional.has(name));
  if (!before.includes(written)) sayUnknown(context, written, before, at);
  return written;
}

/** Where a checkpoint names nothing, what the phase takes is shown: who made the last of that. */
function lastTaken(phase: AskingPhase, listed: readonly string[]): string | undefined {
  const before = listed.slice(0, listed.indexOf(phase.name)).filter((name) => !phase.conditional.has(name));
  return phase.inputs
    .flatMap((input) => (input.kind === 'artifact' ? [input.from] : []))
    .flatMap((from) => from.find((ref) => before.includes(ref.phase))?.phase ?? [])
    .at(-1);
}

function sayUnknown(context: LoadContext, found: string, valid: readonly string[], at: string): void {
  context.problems.add('not-one-of', at, { found, valid, ...suggestion(nearest(found, valid)) });
}
