import type { StateSpec } from '../../model/definition.ts';
import { cleanPath, folderOf, usePath, usePathPattern } from '../paths.ts';
import type { LoadContext } from '../prompts/context.ts';
import type { Manifest, ManifestPhase } from '../shape/manifest.ts';
import type { StageUnits } from '../units/units.ts';

/** Reads the state that moves from unit to unit. */
export function resolveState(context: LoadContext, state: Manifest['state']): StateSpec | undefined {
  if (state === undefined) return undefined;
  const { reader, problems } = context;
  const path = usePath(reader, problems, state.path, 'state.path');
  const initial = usePath(reader, problems, state.initial, 'state.initial');
  const folder = folderOf(path);
  const snapshots = state.snapshots ?? `${folder === '' ? '' : `${folder}/`}state/{unit}.json`;
  return {
    path,
    initial,
    snapshots: usePathPattern(reader, problems, cleanPath(snapshots), 'state.snapshots'),
    cascade: state.cascade === 'rerun' ? 'rerun' : 'keep',
  };
}

/** One stage's phases, as far as they touch the state. */
export interface StateUse {
  readonly at: string;
  readonly unitsAt: string;
  readonly units: StageUnits;
  readonly phases: Readonly<Record<string, ManifestPhase>>;
}

/** A state is worth something only where one phase commits it and the units follow one another. */
export function checkStateUse(
  context: LoadContext,
  state: StateSpec | undefined,
  stages: readonly StateUse[],
): void {
  let writer: string | undefined;
  for (const { at, unitsAt, units, phases } of stages) {
    const users = Object.entries(phases).filter(([, phase]) => phase.state !== undefined);
    for (const [name, phase] of users) {
      const path = `${at}.${name}.state`;
      if (state === undefined) context.problems.add('state-missing', path, { found: phase.state ?? '' });
      if (phase.state !== 'write') continue;
      if (writer !== undefined)
        context.problems.add('state-two-writers', path, { found: name, other: writer });
      writer ??= name;
    }
    if (state !== undefined && users.length > 0 && units.order === 'free' && units.units.length > 1) {
      context.problems.add('state-needs-chain', unitsAt, { found: 'free', expected: 'chain' });
    }
  }
}
