import { telemetrySettings } from '../telemetry/settings.ts';
import { type DoctorFinding, good, warning } from './finding.ts';
import type { Ground } from './ground.ts';

/** Whether what OpenTelemetry is told by variables can be used; nothing where nothing is asked for. */
export function checkTelemetry({ machine }: Pick<Ground, 'machine'>): DoctorFinding[] {
  const settings = telemetrySettings(machine.variables);
  if (settings === undefined) return [];
  const { traces, metrics, unusable } = settings;
  if (unusable.length > 0) return [warning('telemetry-variables', { names: unusable })];
  const sends = [...(traces ? (['traces'] as const) : []), ...(metrics ? (['metrics'] as const) : [])];
  return [good('telemetry-variables', { sends })];
}
