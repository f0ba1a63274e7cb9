import { fail, ok, type Result } from '../../base/result.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { Failure, UsageProblem } from '../../model/failure.ts';
import type { Overrides } from '../../planner/overrides.ts';
import { isNamed, readSelection, selectionProblem } from '../../planner/selection.ts';
import type { OverrideRequest } from '../open/requests.ts';

/** What was typed, as overrides; or what cannot be meant by it. */
export function readOverrides(pipeline: Pipeline, request: OverrideRequest): Result<Overrides, Failure> {
  const {
    rerunFrom,
    rerunAll = false,
    rerunChanged = false,
    keepChanged = false,
    rerunChange = [],
    keepChange = [],
    allowPromptChange = false,
    forceResume = false,
    force = false,
    pastLimits = false,
    reason,
    answering,
  } = request;
  const usage = (problem: UsageProblem) => fail({ reason: 'usage' as const, problem });

  const selection = readSelection(request, pipeline);
  const wrong = selection && selectionProblem(pipeline, selection);
  if (wrong !== undefined) return usage(wrong);
  if (request.noDeps && selection === undefined)
    return usage({ code: 'needs-flag', flag: '--no-deps', with: '--unit' });
  if (allowPromptChange && !reason)
    return usage({ code: 'reason-required', flag: '--resume-allow-prompt-change' });
  if (rerunChanged && keepChanged)
    return usage({ code: 'flags-exclude', flags: ['--rerun-changed', '--keep-changed'] });
  const twice = rerunChange.find((name) => keepChange.includes(name));
  if (twice !== undefined) return usage({ code: 'two-answers', name: twice });
  const answers = {
    '--rerun-changed': rerunChanged,
    '--keep-changed': keepChanged,
    '--rerun-change': rerunChange.length > 0,
    '--keep-change': keepChange.length > 0,
  };
  const given = Object.entries(answers).find(([, isGiven]) => isGiven)?.[0];
  if (given !== undefined && !reason && !answering) return usage({ code: 'reason-required', flag: given });
  if (pastLimits && !reason) return usage({ code: 'reason-required', flag: '--past-limits' });
  if (forceResume && !reason) return usage({ code: 'reason-required', flag: '--force-resume' });

  const phases = pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  if (rerunFrom !== undefined && !phases.includes(rerunFrom))
    return usage({ code: 'unknown-phase', name: rerunFrom, valid: phases });
  const names = selection?.units;
  const units = names && ((unit: string) => isNamed(names, unit));
  const general = {
    reason: answering?.reason ?? reason ?? '',
    ...(answering && { only: answering.changes }),
  };
  return ok({
    // All phases include the later ones.
    rerun:
      rerunFrom === undefined && !rerunAll
        ? undefined
        : { from: rerunAll ? undefined : rerunFrom, units, reason: reason || undefined },
    rerunNamed: rerunChange.length > 0 ? { names: new Set(rerunChange), reason: reason ?? '' } : undefined,
    keepNamed: keepChange.length > 0 ? { names: new Set(keepChange), reason: reason ?? '' } : undefined,
    rerunChanged: rerunChanged ? general : undefined,
    keepChanged: keepChanged ? general : undefined,
    allowPromptChange: allowPromptChange ? { reason: reason ?? '' } : undefined,
    forceResume: forceResume ? { reason: reason ?? '' } : undefined,
    force: force ? { reason } : undefined,
    failed: request.failed ? { reason } : undefined,
    outdated: request.outdated ? { reason } : undefined,
    pastLimits: pastLimits ? { reason: reason ?? '' } : undefined,
  });
}
