/** The parts of `plan --json` that tests look at. */
export interface PlannedSteps {
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
export function plannedSteps({ plan }: PlannedSteps): Record<string, PlannedDecision> {
  return Object.fromEntries(
    plan.units.flatMap(({ cells: steps }) =>
      steps.map(({ unit, phase, decision }) => [`${unit}/${phase}`, decision]),
    ),
  );
}
