import type { ChangePolicy, Phase } from '../model/definition.ts';
import { type StepName, stepName } from '../model/names.ts';
import type {
  OutdatedPart,
  PartChange,
  PolicySource,
  Refusal,
  RefusalOf,
  RunReason,
} from '../model/reason.ts';
import { changeName } from '../model/refusal.ts';
import type { PlanContext } from './context.ts';
import type { StepOf } from './overrides.ts';
import { type Plan, rerunChanges, type StepPlan } from './plan.ts';

/** How a change is treated, and who says so. */
export interface Policy {
  readonly answer: ChangePolicy;
  readonly source: PolicySource;
}

/** The changes of one step, by what becomes of its result. */
export interface TreatedChanges {
  /** A person has to answer these. */
  readonly refusals: readonly PartChange[];
  /** The step runs again because of these, as its policy says. */
  readonly reasons: readonly RunReason[];
  /** The same as changes, for a person who keeps the result all the same. */
  readonly rerun: readonly PartChange[];
  /** The result stays, and is outdated because of these. */
  readonly outdated: readonly (PartChange & { readonly isAnswered?: true })[];
}

export const noChanges: TreatedChanges = { refusals: [], reasons: [], rerun: [], outdated: [] };

/** Where several changes meet in one step, the strictest answer holds: refuse, ask, rerun, keep. */
export function treatChanges(context: PlanContext, changes: readonly PartChange[]): TreatedChanges {
  if (changes.length === 0) return noChanges;
  const treated = changes.map((change) => ({ change, policy: policyOf(context, change) }));
  const withAnswer = (answer: ChangePolicy) => treated.filter(({ policy }) => policy.answer === answer);
  // Whether changed checks re-run a step depends on the bytes: the manifest answers as a person would, on record.
  const rechecked = withAnswer('rerun').filter(({ change }) => isOfChecks(change));
  const refused = [...withAnswer('refuse'), ...withAnswer('ask'), ...rechecked];
  const rerun = withAnswer('rerun').filter(({ change }) => !isOfChecks(change));
  const again = {
    reasons: rerun.map(({ change, policy }) => rerunReason(change, policy.source)),
    rerun: rerun.map(({ change }) => change),
  };
  // Refused changes come with the reasons to run: a person who keeps these does not keep the others.
  if (refused.length > 0) return { ...noChanges, ...again, refusals: refused.map(({ change }) => change) };
  if (rerun.length > 0) return { ...noChanges, ...again };
  return { ...noChanges, outdated: changes };
}

function isOfChecks(change: PartChange): boolean {
  return change.guard === 'definition-changed' && change.checksOnly === true;
}

/** The nearest policy: of the input or the code, of the units' source, of the phase, of the pipeline. */
export function policyOf(context: PlanContext, change: PartChange): Policy {
  const { phase, stage } = context.placeOf(change.phase);
  const general = phase.onChange ?? context.loaded.pipeline.onChange;
  switch (change.guard) {
    case 'file-changed':
      return cannotRerun(change.after === undefined, policy(fileRule(context, change) ?? general, 'refuse'));
    case 'prompt-changed':
      return cannotRerun(change.after === undefined && !change.unused, policy(general, 'refuse'));
    case 'definition-changed':
      return policy(general, 'refuse');
    case 'unit-changed':
      if (change.file === undefined)
        return policy(stage.onChange ?? general, stage.isWritten ? 'refuse' : 'rerun');
      return cannotRerun(
        change.isMissing === true,
        policy(ownFileRule(phase) ?? stage.onChange ?? general, 'rerun'),
      );
    case 'code-changed': {
      const { onChange } = phase.code;
      const rule = onChange === 'ignore' ? undefined : onChange;
      return policy(rule ?? context.loaded.pipeline.onChange, 'keep');
    }
  }
}

/** The policy for a start state that is not the one that results were made from. */
export function statePolicy(context: PlanContext, phase: string): Policy {
  return policy(context.placeOf(phase).phase.onChange ?? context.loaded.pipeline.onChange, 'refuse');
}

function fileRule({ files }: PlanContext, { file }: RefusalOf<'file-changed'>): ChangePolicy | undefined {
  const rule = files.get(file)?.onChange;
  return rule === 'ignore' ? undefined : rule;
}

function policy(written: ChangePolicy | undefined, fallback: ChangePolicy): Policy {
  return written === undefined
    ? { answer: fallback, source: 'default' }
    : { answer: written, source: 'manifest' };
}

function ownFileRule({ inputs }: Phase): ChangePolicy | undefined {
  for (const input of inputs) if (input.kind === 'unit-file') return input.onChange;
  return undefined;
}

/** A step cannot run again without a file that it needs, whatever the policy says. */
function cannotRerun(isGone: boolean, { answer, source }: Policy): Policy {
  return { answer: isGone && answer === 'rerun' ? 'refuse' : answer, source };
}

function rerunReason(change: PartChange, source: PolicySource): RunReason {
  const { before, after } = change;
  if (change.guard === 'file-changed')
    return { code: 'file-changed', file: change.file, before, after, policy: source };
  // Hashes of fields and file in one are those of neither.
  const isOneHash = change.guard === 'unit-changed' && change.isOneHash === true;
  return {
    code: change.guard,
    reason: undefined,
    change: changeName(change)[0] ?? '',
    ...(!isOneHash && { before, after }),
    policy: source,
  };
}

/** Whether a refusal is about something that changed and that a policy could treat. */
export function isChange<One extends Refusal | OutdatedPart>(refusal: One): refusal is One & PartChange {
  switch (refusal.guard) {
    case 'prompt-changed':
    case 'file-changed':
    case 'definition-changed':
    case 'unit-changed':
    case 'code-changed':
      return true;
    default:
      return false;
  }
}

/** Steps that run again only because a policy says so. */
export interface PolicyReruns {
  /** In the order of the plan; with the steps that depend on them. */
  readonly steps: readonly (StepOf & { readonly source: PolicySource })[];
  /** What changed for them. */
  readonly changes: readonly PartChange[];
}

/**
 * What policies would run again. A step that never ran, or whose output is missing or corrupted, is no part of it.
 * `answered`: steps that what was asked for re-runs or keeps already.
 */
export function policyReruns(
  context: PlanContext,
  plan: Plan,
  answered: ReadonlySet<string>,
): PolicyReruns | undefined {
  const steps = new Map<StepName, StepOf & { readonly source: PolicySource }>();
  const changes: PartChange[] = [];
  const unitSources = new Map<string, PolicySource>();
  for (const { unit, cells } of plan.units.values())
    for (const step of cells) {
      const { phase } = step;
      if (answered.has(stepName(unit, phase))) continue;
      const own = rerunChanges(step.decision);
      const source = own.length > 0 ? sourceOf(context, own) : inheritedSource(step, steps, unitSources);
      if (source === undefined) continue;
      steps.set(stepName(unit, phase), { unit, phase, source });
      if (unitSources.get(unit) !== 'default') unitSources.set(unit, source);
      changes.push(...own);
    }
  return changes.length === 0 ? undefined : { steps: [...steps.values()], changes };
}

/** One change that only a default re-runs the step for is enough: the manifest does not ask for that. */
function sourceOf(context: PlanContext, changes: readonly PartChange[]): PolicySource {
  return changes.every((change) => policyOf(context, change).source === 'manifest') ? 'manifest' : 'default';
}

/** Of a step with a result that waits for one that runs again. */
function inheritedSource(
  { unit, decision }: StepPlan,
  steps: ReadonlyMap<StepName, { readonly source: PolicySource }>,
  unitSources: ReadonlyMap<string, PolicySource>,
): PolicySource | undefined {
  if (decision.do !== 'wait' || decision.had === undefined) return undefined;
  const sources = decision.for.map(
    (need) =>
      (steps.get(stepName(unit, need)) ?? steps.get(need as StepName))?.source ?? unitSources.get(need),
  );
  return sources.includes('default') ? 'default' : sources.find((source) => source !== undefined);
}
