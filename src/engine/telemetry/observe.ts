import { randomBytes } from 'node:crypto';
import { ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import type { RunAnswer } from '../answers.ts';
import type { Environment } from '../environment.ts';
import { programName } from '../program.ts';
import type { Board, RunObserver, RunRequest } from '../requests.ts';
import { telemetrySettings } from './settings.ts';
import { createTelemetry, type Telemetry, type TelemetryTrouble } from './telemetry.ts';

/** Tells OpenTelemetry of a sitting, where an endpoint is configured. What goes wrong with that is a notice. */
export async function observed(
  env: Environment,
  request: RunRequest,
  variables: NodeJS.ProcessEnv,
  sit: (request: RunRequest) => Promise<Result<RunAnswer, Failure>>,
): Promise<Result<RunAnswer, Failure>> {
  const settings = telemetrySettings(variables);
  if (settings === undefined) return await sit(request);
  const version = programName()?.split(' ')[0];
  let trouble: TelemetryTrouble | undefined;
  const telemetry = createTelemetry(settings, {
    clock: env.clock,
    randomBytes: (size) => randomBytes(size),
    ...(version !== undefined && { version }),
    onTrouble: (first) => {
      trouble = first;
    },
  });
  const sat = await sit({ ...request, observer: both(telemetry, request.observer) });
  await telemetry.ended(...endOf(sat));
  if (!sat.ok || trouble === undefined) return sat;
  return ok({ ...sat.value, notices: [...sat.value.notices, noticeOf(trouble)] });
}

function both(telemetry: Telemetry, other: RunObserver | undefined): RunObserver {
  return {
    begun(board: Board) {
      const { run: id, pipeline, identity } = board.heading;
      telemetry.begun({ id, pipeline, identity, kind: board.kind === 'new' ? 'new' : 'resumed' });
      other?.begun(board);
    },
    progress(progress) {
      telemetry.progress(progress);
      other?.progress(progress);
    },
  };
}

/** A run is an error where something failed, not where somebody is asked. */
function endOf(sat: Result<RunAnswer, Failure>): [status: string, failure?: string] {
  if (!sat.ok) return ['broke-off', sat.failure.reason];
  const { heading, stops, interrupted } = sat.value;
  const failed = stops.flatMap(({ why }) => ('failure' in why ? [why.failure] : []))[0];
  const status = interrupted ? 'interrupted' : heading.status;
  return failed === undefined ? [status] : [status, failed];
}

function noticeOf(trouble: TelemetryTrouble): Notice {
  const to = 'to' in trouble ? trouble.to : trouble.names.join(', ');
  return { code: 'telemetry-failed', why: trouble.reason, to };
}
