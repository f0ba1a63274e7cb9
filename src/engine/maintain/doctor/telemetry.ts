import { missingPackages, telemetrySettings } from '../../../projections/telemetry/settings.ts';
import { type DoctorFinding, good, warning } from './finding.ts';
import type { DoctorScope } from './ground.ts';

/** Whether telemetry can be sent as the variables of OpenTelemetry ask; nothing where they ask for none. */
export function checkTelemetry({ machine, start }: Pick<DoctorScope, 'machine' | 'start'>): DoctorFinding[] {
  const settings = telemetrySettings(machine.variables);
  if (settings === undefined) return [];
  const { traces, metrics, unusable } = settings;
  if (unusable.length > 0) return [warning('telemetry-variables', { names: unusable })];
  const packages = missingPackages(start, settings);
  if (packages.length > 0) return [warning('telemetry-variables', { names: [], packages })];
  const sends = [...(traces ? (['traces'] as const) : []), ...(metrics ? (['metrics'] as const) : [])];
  return [good('telemetry-variables', { sends })];
}
