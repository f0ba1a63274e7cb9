import { findPackage, loadPackage, type Package, packageSpec } from '../../runner/models/packages.ts';
import type { TelemetrySettings } from './settings.ts';

/** All that OpenTelemetry's packages export. */
export type OpenTelemetry = typeof import('@opentelemetry/api') &
  typeof import('@opentelemetry/resources') &
  typeof import('@opentelemetry/sdk-trace-base') &
  typeof import('@opentelemetry/sdk-metrics') &
  (
    | typeof import('@opentelemetry/exporter-trace-otlp-http')
    | typeof import('@opentelemetry/exporter-trace-otlp-proto')
  ) &
  (
    | typeof import('@opentelemetry/exporter-metrics-otlp-http')
    | typeof import('@opentelemetry/exporter-metrics-otlp-proto')
  );

/** The packages are optional: they are looked for in the workspace first, and beside this program then. */
export function loadOpenTelemetry(root: string, settings: TelemetrySettings): OpenTelemetry {
  return Object.assign({}, ...packagesOf(settings).map((one) => loadPackage(findPackage(root, one) ?? '')));
}

/** As they are installed. */
export function missingPackages(root: string, settings: TelemetrySettings): string[] {
  const missing = packagesOf(settings).filter((one) => findPackage(root, one) === undefined);
  return missing.map(packageSpec);
}

function packagesOf({ protocol }: TelemetrySettings): Package[] {
  const encoding = protocol === 'http/protobuf' ? 'proto' : 'http';
  const pack = (name: string, major: number, minor: number) => ({
    name: `@opentelemetry/${name}`,
    major,
    minor,
  });
  return [
    // Not the newest, because the SDK does not accept 1.10.
    pack('api', 1, 9),
    ...['resources', 'sdk-trace-base', 'sdk-metrics'].map((name) => pack(name, 2, 9)),
    ...['trace', 'metrics'].map((signal) => pack(`exporter-${signal}-otlp-${encoding}`, 0, 220)),
  ];
}
