import { programVersion } from '../../base/program.ts';
import { ok, type Result } from '../../base/result.ts';
import { asksModel } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import type { RunStatus } from '../../model/status.ts';
import {
  loadOpenTelemetry,
  missingPackages,
  telemetrySettings,
} from '../../projections/telemetry/settings.ts';
import { Telemetry } from '../../projections/telemetry/telemetry.ts';
import type { Stop } from '../../runner/outcome.ts';
import type { Environment } from '../open/environment.ts';
import type { Workspace } from '../open/workspace.ts';

/** The part of an invocation's answer that is reported. */
interface ReportedAnswer {
  readonly heading: { readonly status: RunStatus };
  readonly stops: readonly Stop[];
  readonly interrupted: boolean;
  readonly notices: readonly Notice[];
}

type Answer<T extends ReportedAnswer> = Result<T | undefined, Failure>;

/** Reports an invocation to OpenTelemetry, where an endpoint is configured. What goes wrong with that is a notice. */
export async function observed<T extends ReportedAnswer>(
  workspace: Workspace,
  variables: NodeJS.ProcessEnv,
  invoke: (workspace: Workspace) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const settings = telemetrySettings(variables);
  if (settings === undefined) return await invoke(workspace);
  const { env, root, loaded } = workspace;
  const { name: pipeline, identity, stages } = loaded.pipeline;
  const to = (settings.traces ?? settings.metrics)?.host ?? '';
  const packages = missingPackages(root, settings);
  if (packages.length > 0)
    return noticed(await invoke(workspace), { ...failed, why: 'packages-missing', to, packages });

  const phases = new Map(stages.flatMap((stage) => stage.phases).map((phase) => [phase.name, phase]));
  const parametersOf = (name: string) => {
    const phase = phases.get(name);
    return phase && asksModel(phase) ? phase.executor.parameters : {};
  };
  const parts = { run: { pipeline, identity, parametersOf }, clock: env.clock, version: programVersion() };
  let telemetry: Telemetry | undefined;
  let isBroken = false;
  const broken = () => {
    isBroken = true;
  };
  const onRecorded: Environment['onRecorded'] = (id, events) => {
    // The journal's writer calls this, and an exception would end it.
    try {
      if (!isBroken) telemetry ??= new Telemetry(loadOpenTelemetry(root, settings), settings, parts);
      if (!isBroken) telemetry?.add(id, events);
    } catch {
      broken();
    }
    return env.onRecorded?.(id, events);
  };
  const answer = await invoke({ ...workspace, env: { ...env, onRecorded } });
  await telemetry?.end(...endOf(answer)).catch(broken);
  const trouble = telemetry?.trouble ?? (isBroken ? { reason: 'broken' as const, to } : undefined);
  return trouble === undefined ? answer : noticed(answer, { ...failed, why: trouble.reason, to: trouble.to });
}

const failed = { code: 'telemetry-failed' } as const;

function noticed<T extends ReportedAnswer>(answer: Answer<T>, notice: Notice): Answer<T> {
  if (!answer.ok || answer.value === undefined) return answer;
  return ok({ ...answer.value, notices: [...answer.value.notices, notice] });
}

/** A run is an error where something failed, not where a person is asked. */
function endOf(answer: Answer<ReportedAnswer>): [status: string, failure?: string] {
  if (!answer.ok) return ['broke-off', answer.failure.reason];
  const { heading, stops = [], interrupted = false } = answer.value ?? {};
  const failure = stops.flatMap(({ why }) => ('failure' in why ? [why.failure] : []))[0];
  const status = interrupted ? 'interrupted' : (heading?.status ?? '');
  return failure === undefined ? [status] : [status, failure];
}
