import type { InputSpec, OutputRef, OutputSpec, Unit } from '../../model/definition.ts';
import { ownFileInput, ownFileReference } from '../../model/names.ts';
import { checkName, type LoadContext, splitReference } from '../context.ts';
import type { ManifestPhase } from '../schema/manifest.ts';
import { nearest, suggestion } from '../text/problems.ts';
import { findCycles } from '../units/graph.ts';
import type { EarlierPhase } from '../units/units.ts';
import type { GateLoop } from './gates.ts';

/** What a phase can see of its stage. */
export interface StageView {
  readonly units: readonly Unit[];
  /** Its units have a file of their own. */
  readonly haveFiles: boolean;
  /** Phase names as listed. */
  readonly listed: readonly string[];
  readonly outputs: ReadonlyMap<string, readonly OutputSpec[]>;
  readonly loops: ReadonlyMap<string, GateLoop>;
  /** The phases of the stages before. */
  readonly earlier: ReadonlyMap<string, EarlierPhase>;
}

/** Reads the inputs that a phase names. */
export function resolveInputs(
  context: LoadContext,
  view: StageView,
  phase: string,
  inputs: NonNullable<ManifestPhase['inputs']>,
  at: string,
): InputSpec[] {
  return Object.entries(inputs).map(([name, written]): InputSpec => {
    const path = `${at}.${name}`;
    checkName(context, name, path);
    const ref = typeof written === 'object' && 'from' in written ? written.from : written;
    if (ref === ownFileReference && isOwnFile(context, view, ref))
      return ownFile(
        context,
        view,
        name,
        typeof written === 'object' && 'from' in written ? written : {},
        path,
      );
    if (typeof written === 'string') {
      if (context.files.has(written)) return { kind: 'file', name, file: written };
      if (findEarlier(view, written) !== undefined)
        return elsewhere(context, view, name, { from: written }, path);
      return { kind: 'artifact', name, from: resolveRef(context, view, phase, written, path) };
    }
    if (!Array.isArray(written)) return elsewhere(context, view, name, written, path);
    const from = written.flatMap((ref, nth) => resolveRef(context, view, phase, ref, `${path}[${nth}]`));
    return { kind: 'artifact', name, from };
  });
}

type WrittenElsewhere = Exclude<NonNullable<ManifestPhase['inputs']>[string], string | string[]>;

/** An input that other units make. */
function elsewhere(
  context: LoadContext,
  view: StageView,
  name: string,
  { from, of, on_change }: WrittenElsewhere,
  at: string,
): InputSpec {
  const onChange = on_change === 'keep' || on_change === 'tell' ? 'keep' : 'rerun';
  if (on_change === 'refuse' || on_change === 'ask')
    context.problems.add('not-one-of', `${at}.on_change`, { found: on_change, valid: ['rerun', 'keep'] });
  if (of === 'previous') {
    const ref = splitReference(from, (phase) => hasOutput(view, phase, from.slice(phase.length + 1)));
    if (ref === undefined) sayUnknown(context, view, from, `${at}.from`);
    return {
      kind: 'elsewhere',
      name,
      of,
      from: { phase: ref?.name ?? '', output: ref?.rest ?? '' },
      onChange,
    };
  }
  const found = findEarlier(view, from);
  if (found === undefined) sayUnknown(context, view, from, `${at}.from`);
  else if (of === undefined && found.units !== 1) {
    context.problems.add('not-the-only-unit', at, { found: from, stage: found.stage, units: found.units });
  }
  if (of === 'every' && found !== undefined && found.units > everyMax)
    context.problems.add('out-of-range', at, { found: found.units, maximum: everyMax });
  const ref = found?.ref ?? { phase: '', output: '' };
  return { kind: 'elsewhere', name, of: of ?? 'only', from: ref, onChange };
}

/** A declared file or an output of that name goes first. */
function isOwnFile({ files }: LoadContext, view: StageView, written: string): boolean {
  const isOutput = view.outputs.get('unit')?.some(({ name }) => name === 'file') === true;
  return !files.has(written) && !isOutput && findEarlier(view, written) === undefined;
}

function ownFile(
  context: LoadContext,
  view: StageView,
  name: string,
  { of, on_change }: Partial<WrittenElsewhere>,
  at: string,
): InputSpec {
  if (!view.haveFiles) context.problems.add('no-unit-file', at, { found: ownFileReference });
  if (of !== undefined)
    context.problems.add('unknown-key', `${at}.of`, { found: 'of', other: ownFileReference }, 'key');
  return { kind: 'unit-file', name, onChange: on_change === 'tell' ? 'keep' : on_change };
}

/** A phase that needs no other takes the file of its unit, unless another input has that name, or it says `inputs: {}`. */
export function withOwnFile(
  { haveFiles }: StageView,
  needs: readonly string[],
  written: ManifestPhase['inputs'],
  inputs: readonly InputSpec[],
): readonly InputSpec[] {
  const isNone = written !== undefined && inputs.length === 0;
  if (!haveFiles || needs.length > 0 || isNone) return inputs;
  if (inputs.some(({ kind, name }) => kind === 'unit-file' || name === ownFileInput)) return inputs;
  return [...inputs, { kind: 'unit-file', name: ownFileInput, onChange: undefined }];
}

/** What was taken is recorded with the attempt, unit by unit, in one line of the journal. */
const everyMax = 15_000;

function findEarlier(
  { earlier }: StageView,
  written: string,
): (EarlierPhase & { readonly ref: OutputRef }) | undefined {
  const ref = splitReference(written, (phase) => {
    const output = written.slice(phase.length + 1);
    return earlier.get(phase)?.outputs.some(({ name }) => name === output) ?? false;
  });
  const phase = ref && earlier.get(ref.name);
  return ref && phase && { ...phase, ref: { phase: ref.name, output: ref.rest } };
}

function hasOutput(view: StageView, phase: string, output: string): boolean {
  return view.outputs.get(phase)?.some((candidate) => candidate.name === output) ?? false;
}

/** Without `inputs` a phase takes everything that the phases it needs have made. */
export function defaultInputs(view: StageView, needs: readonly string[]): InputSpec[] {
  const refs = needs.flatMap((phase) =>
    (view.outputs.get(phase) ?? []).map(({ name }) => ({ phase, output: name })),
  );
  const isShared = (ref: OutputRef) => refs.some((other) => other.output === ref.output && other !== ref);
  return refs.map((ref): InputSpec => {
    const name = isShared(ref) ? `${ref.phase}.${ref.output}` : ref.output;
    return { kind: 'artifact', name, from: [ref] };
  });
}

function resolveRef(
  context: LoadContext,
  view: StageView,
  phase: string,
  written: string,
  at: string,
): OutputRef[] {
  const ref = splitReference(written, (name) => hasOutput(view, name, written.slice(name.length + 1)));
  if (ref === undefined) {
    if (context.files.has(written)) {
      context.problems.add('wrong-type', at, { expected: 'PHASE.OUTPUT', found: written });
    } else sayUnknown(context, view, written, at);
    return [];
  }
  const isLater = view.listed.indexOf(ref.name) >= view.listed.indexOf(phase);
  const loop = view.loops.get(phase);
  if (isLater && (loop === undefined || loop !== view.loops.get(ref.name))) {
    context.problems.add('input-from-later-phase', at, { found: written, phase });
  }
  return [{ phase: ref.name, output: ref.rest }];
}

function sayUnknown(context: LoadContext, view: StageView, written: string, at: string): void {
  const own = [...view.outputs].map(([phase, outputs]) => ({ phase, outputs }));
  const earlier = [...view.earlier].map(([phase, { outputs }]) => ({ phase, outputs }));
  const artifacts = [...own, ...earlier].flatMap(({ phase, outputs }) =>
    outputs.map(({ name }) => `${phase}.${name}`),
  );
  const valid = written.includes('.') ? artifacts : [...context.files.keys()];
  const near = suggestion(nearest(written, [...valid, ...artifacts, ...context.files.keys()]));
  const code = written.includes('.') ? 'unknown-input' : 'unknown-file';
  context.problems.add(code, at, { found: written, valid: valid.slice(0, 20), ...near });
}

/** What each phase of a stage needs: what it says, or the phase listed before it. */
export function resolveNeeds(
  context: LoadContext,
  phases: Readonly<Record<string, ManifestPhase>>,
  at: string,
): Map<string, readonly string[]> {
  const listed = Object.keys(phases);
  const needs = new Map<string, readonly string[]>();
  for (const [index, [name, phase]] of Object.entries(phases).entries()) {
    needs.set(name, [...new Set(phase.needs ?? listed.slice(Math.max(0, index - 1), index))]);
  }
  const cycles = findCycles(needs);
  for (const cycle of cycles) context.problems.add('need-cycle', `${at}.${cycle[0]}.needs`, { cycle });
  const inCycle = new Set(cycles.flat());
  for (const [index, [name, phase]] of Object.entries(phases).entries()) {
    phase.needs?.forEach((need, nth) => {
      const path = `${at}.${name}.needs[${nth}]`;
      const needed = listed.indexOf(need);
      if (needed === -1) {
        const facts = { found: need, valid: listed, ...suggestion(nearest(need, listed)) };
        context.problems.add('unknown-need', path, facts);
      } else if (needed >= index && !(inCycle.has(name) && inCycle.has(need))) {
        context.problems.add('unknown-need', path, { found: need, 'listed-later': need });
      }
    });
  }
  return needs;
}
