import type { Ledger } from '../ledger/ledger.ts';
import type { EventBody } from '../model/event.ts';
import { stepName } from '../model/names.ts';
import type { GuardName, OutdatedPart, PartChange, Refusal, RefusalOf } from '../model/reason.ts';
import { changeKey, changeName } from '../model/refusal.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { keepDespitePolicy, rerunOutdated } from './answered.ts';
import { missingSources } from './begin.ts';
import { planContext } from './context.ts';
import type { Facts } from './facts.ts';
import { type Guard, guardRules } from './guards.ts';
import {
  type GeneralAnswer,
  type GuardOpening,
  inFewEvents,
  type NamedChanges,
  type Opener,
  type OverrideSite,
  type Overrides,
  used,
} from './overrides.ts';
import { outdatedBy, type Plan, rerunChanges } from './plan.ts';
import { isChange } from './policy.ts';
import { discardedBy, rerunEvents, rerunSelected, retryFailed } from './rerun.ts';

/** The refusals that nothing opens: while there is one, nothing is recorded and nothing runs. */
export function stillRefused(loaded: LoadedPipeline, plan: Plan, overrides: Overrides): Refusal[] {
  const openerOf = findOpener(loaded, plan, overrides);
  const refused = plan.refusals.filter((refusal) => openerOf(refusal) === undefined);
  // While the manifest itself is refused, it stands for everything that follows from it.
  if (refused.some(({ guard }) => guard === 'manifest-changed')) return refused;
  return [...refused, ...behindManifest(plan).filter((refusal) => openerOf(refusal) === undefined)];
}

/** The name of every change of a plan that a person can answer. */
export function changeNames(plan: Plan): Set<string> {
  const names = new Set([...plan.refusals, ...behindManifest(plan)].flatMap(changeName));
  for (const { cells: steps } of plan.units.values())
    for (const { unit, phase, decision } of steps) {
      if (plan.scope?.isIn(unit, phase) === false) continue;
      for (const part of [...outdatedBy(decision), ...rerunChanges(decision)])
        for (const name of changeName(part)) names.add(name);
    }
  return names;
}

/** Files without which steps cannot run that these events run again: while there is one, nothing is recorded. */
export function missingForReruns(
  loaded: LoadedPipeline,
  ledger: Ledger,
  facts: Facts,
  events: readonly EventBody[],
): readonly Refusal[] {
  const again = new Set<string>(
    events.flatMap((event) => (event.type === 'results_superseded' ? event.steps : [])),
  );
  if (again.size === 0) return [];
  const context = planContext(loaded, ledger, facts);
  return loaded.pipeline.stages.flatMap(({ units, phases }) =>
    units.flatMap((unit) =>
      phases
        .filter(({ name }) => again.has(stepName(unit.id, name)))
        .flatMap((phase) => missingSources({ context, unit }, phase)),
    ),
  );
}

/**
 * Steps whose definition changed with the manifest. A plan lists them as that one change; answers by name or by
 * `--rerun-changed` and `--keep-changed` are about each of them.
 */
function behindManifest({ refusals, units }: Plan): RefusalOf<'definition-changed'>[] {
  if (!refusals.some(({ guard }) => guard === 'manifest-changed')) return [];
  const listed = new Set(refusals);
  return [...units.values()].flatMap((unit) =>
    unit.refusals.filter((one) => one.guard === 'definition-changed' && !listed.has(one)),
  ) as RefusalOf<'definition-changed'>[];
}

/**
 * The events that make these overrides true, and what the manifest and a person's answers have opened. They are recorded
 * before anything runs, so that a crash right after them changes nothing: the next plan, without any flag, is the same.
 * `revision` is the one now in force.
 */
export function overrideEvents(
  input: { readonly loaded: LoadedPipeline; readonly ledger: Ledger; readonly facts: Facts },
  plan: Plan,
  overrides: Overrides,
  revision: number,
): EventBody[] {
  const openerOf = findOpener(input.loaded, plan, overrides);
  const { loaded, ledger, facts } = input;
  const isKept = keptBy(overrides);
  const site: OverrideSite = { loaded, ledger, facts, plan, revision, openerOf, isKept };
  // `--force` opens the manifest as a whole, and with it every definition that nothing else answers.
  const behind = behindManifest(plan).filter((refusal) => openerOf(refusal) !== 'force');
  const opened = [...plan.refusals, ...behind].map((refusal) => ({ refusal, by: openerOf(refusal) }));
  const events = guardNames.flatMap((guard) =>
    openers.flatMap((by) => {
      const own = opened.filter((one) => one.refusal.guard === guard && one.by === by);
      const refusals = own.map(({ refusal }) => refusal);
      const opening = refusals.length === 0 ? undefined : openingOf(guard, by);
      return opening?.becomes(site, refusals, reasonOf(overrides, by)) ?? [];
    }),
  );
  // These come last: a rerun discards also what was kept before it.
  return inFewEvents([...events, ...openers.flatMap((by) => wishes[by](site, overrides))]);
}

/** What each asks for by itself, whatever refuses; a new override does not compile until it is here. */
const wishes: Readonly<Record<Opener, (site: OverrideSite, overrides: Overrides) => readonly EventBody[]>> = {
  manifest: () => [],
  answer: () => [],
  rerunNamed: (site, { rerunNamed }) =>
    rerunNamed
      ? rerunOutdated(site, (part) => isNamed(part, rerunNamed), rerunNamed.reason, '--rerun-change')
      : [],
  keepNamed: (site, { keepNamed }) =>
    keepNamed
      ? keepDespitePolicy(site, (change) => isNamed(change, keepNamed), keepNamed.reason, '--keep-change')
      : [],
  force: () => [],
  allowPromptChange: () => [],
  forceResume: () => [],
  failed: (site, { failed }) => (failed ? retryFailed(site, failed.reason) : []),
  outdated: (site, { outdated }) => (outdated ? rerunSelected(site, outdated.reason) : []),
  pastLimits: ({ plan }, { pastLimits }) => (pastLimits ? passLimits(plan, pastLimits.reason) : []),
  rerun: (site, { rerun }) => (rerun ? rerunEvents(site, rerun) : []),
  // Last, because they answer what nothing else does.
  rerunChanged: (site, { rerunChanged, keepNamed }) => {
    if (rerunChanged === undefined) return [];
    const isLeft = (part: OutdatedPart) =>
      (isChange(part) || part.guard === 'pre-state-differs') &&
      !part.isAnswered &&
      isShown(rerunChanged, part) &&
      !(keepNamed && isNamed(part, keepNamed));
    return rerunOutdated(site, isLeft, rerunChanged.reason, '--rerun-changed');
  },
  keepChanged: (site, { keepChanged }) =>
    keepChanged ? keepDespitePolicy(site, site.isKept, keepChanged.reason, '--keep-changed') : [],
};

/** Which changes `--keep-change` names, and `--keep-changed` answers because nothing else does. */
function keptBy({ keepNamed, keepChanged, rerunNamed }: Overrides): (change: PartChange) => boolean {
  return (change) => {
    if (keepNamed !== undefined && isNamed(change, keepNamed)) return true;
    if (rerunNamed !== undefined && isNamed(change, rerunNamed)) return false;
    return keepChanged !== undefined && isShown(keepChanged, change);
  };
}

function isNamed(part: OutdatedPart, { names }: NamedChanges): boolean {
  return changeName(part).some((name) => names.has(name));
}

/** In the order of asking. */
const openers = Object.keys(wishes) as readonly Opener[];
const guardNames = Object.keys(guardRules) as readonly GuardName[];

/** The flags that answer every kind of change. */
const answers = ['rerunNamed', 'keepNamed', 'rerunChanged', 'keepChanged'] as const;

/** A refusal is opened once, by the first that may. */
function findOpener(
  loaded: LoadedPipeline,
  plan: Plan,
  overrides: Overrides,
): (refusal: Refusal) => Opener | undefined {
  const { rerun, rerunNamed, keepNamed } = overrides;
  const manifest = plan.refusals.find((refusal) => refusal.guard === 'manifest-changed');
  const isDiscarded = rerun === undefined ? () => false : discardedBy(loaded, rerun, plan.scope);
  const asked = openers.filter((by) => by === 'manifest' || by === 'answer' || overrides[by] !== undefined);
  return (refusal) =>
    asked.find((by) => {
      const opening = openingOf(refusal.guard, by);
      if (opening === undefined || !isMeant(by, refusal)) return false;
      return opening.opens?.({ loaded, isDiscarded, isRerunByPolicy }, refusal) ?? true;
    });

  function isRerunByPolicy(change: PartChange): boolean {
    // What a flag answers needs no policy.
    if (answers.some((by) => overrides[by] !== undefined && isMeant(by, change))) return false;
    const { phase } = change;
    const { stages, onChange } = loaded.pipeline;
    const own = stages.flatMap(({ phases }) => phases).find(({ name }) => name === phase)?.onChange;
    return (own ?? onChange) === 'rerun';
  }

  /** An answer by name is about the changes of that name only; a manifest is answered when all of its parts are. */
  function isMeant(by: Opener, refusal: Refusal): boolean {
    if (by === 'rerunChanged' || by === 'keepChanged')
      return isShown(overrides[by], refusal, refusal.guard === 'definition-changed' ? manifest : undefined);
    if (by !== 'rerunNamed' && by !== 'keepNamed') return true;
    const isOwn = (name: string) => overrides[by]?.names.has(name) === true;
    const isAny = (name: string) => rerunNamed?.names.has(name) || keepNamed?.names.has(name);
    const names = changeName(refusal);
    return names.length > 0 && names.every(refusal === manifest ? isAny : isOwn);
  }
}

/** What a person was not shown is not answered. A shown change of the manifest stands for the steps behind it. */
function isShown(
  answer: GeneralAnswer | undefined,
  change: Refusal | OutdatedPart,
  behind?: Refusal,
): boolean {
  if (answer?.only === undefined || answer.only.has(changeKey(change))) return true;
  return behind !== undefined && answer.only.has(changeKey(behind));
}

function openingOf(name: GuardName, by: Opener): GuardOpening<Refusal> | undefined {
  const guard: Guard<Refusal> = guardRules[name];
  return guard[by];
}

function reasonOf(overrides: Overrides, by: Opener): string | undefined {
  const override = by === 'manifest' || by === 'answer' ? undefined : overrides[by];
  return override !== undefined && 'reason' in override ? override.reason : undefined;
}

function passLimits({ limits, units }: Plan, reason: string): EventBody[] {
  const reached = limits.map(({ phase, limit, value }) => `${phase} ${limit} ${value}`);
  const paused = [...units.values()].flatMap(({ cells: steps }) =>
    steps.flatMap(({ unit, phase, decision }) =>
      decision.do === 'stop' && decision.why.code === 'paused' ? [`${unit}/${phase} paused`] : [],
    ),
  );
  const facts = [...reached, ...paused].slice(0, factsMax);
  return facts.length === 0 ? [] : [used('limit-reached', '--past-limits', reason, { limits: facts })];
}

const factsMax = 100;
