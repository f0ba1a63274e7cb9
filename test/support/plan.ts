/** The parts of `plan --json` that tests look at. */
export interface PlannedCells {
  readonly plan: {
    readonly units: readonly {
      readonly cells: readonly {
        readonly unit: string;
        readonly phase: string;
        readonly iteration: number;
        readonly decision: PlannedDecision;
      }[];
    }[];
    readonly refusals: readonly Readonly<Record<string, unknown>>[];
  };
}

export interface PlannedDecision {
  readonly do: 'reuse' | 'restore' | 'run' | 'wait' | 'skip' | 'refuse' | 'stop';
  readonly why?: { readonly code: string };
  readonly for?: readonly string[];
}

/** What would be done with each cell, by name. */
export function plannedCells({ plan }: PlannedCells): Record<string, PlannedDecision> {
  return Object.fromEntries(
    plan.units.flatMap(({ cells }) =>
      cells.map(({ unit, phase, decision }) => [`${unit}/${phase}`, decision]),
    ),
  );
}
