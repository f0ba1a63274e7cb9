import type { Ledger } from '../ledger/ledger.ts';
import type { EventBody } from '../model/event.ts';
import type { GuardName, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import type { Facts } from './facts.ts';
import { type Guard, guards } from './guards.ts';
import { inFewEvents, type Opener, type Opening, type Site, used } from './opening.ts';
import type { Overrides } from './overrides.ts';
import type { Plan } from './plan.ts';
import { discardedBy, rerunEvents } from './rerun.ts';

/** The refusals that nothing opens: while there is one, nothing is recorded and nothing runs. */
export function stillRefused(loaded: LoadedPipeline, plan: Plan, overrides: Overrides): Refusal[] {
  const openerOf = findOpener(loaded, overrides);
  return plan.refusals.filter((refusal) => openerOf(refusal) === undefined);
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
  const site: Site = { loaded: input.loaded, ledger: input.ledger, facts: input.facts, plan, revision };
  const openerOf = findOpener(input.loaded, overrides);
  const opened = plan.refusals.map((refusal) => ({ refusal, by: openerOf(refusal) }));
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
const wishes: Readonly<Record<Opener, (site: Site, overrides: Overrides) => readonly EventBody[]>> = {
  manifest: () => [],
  answer: () => [],
  force: () => [],
  allowPromptChange: () => [],
  forceResume: () => [],
  pastLimits: ({ plan }, { pastLimits }) => (pastLimits ? passLimits(plan, pastLimits.reason) : []),
  rerun: (site, { rerun }) => (rerun ? rerunEvents(site, rerun) : []),
};

/** In the order of asking. */
const openers = Object.keys(wishes) as readonly Opener[];
const guardNames = Object.keys(guards) as readonly GuardName[];

/** A refusal is opened once, by the first that may. */
function findOpener(loaded: LoadedPipeline, overrides: Overrides): (refusal: Refusal) => Opener | undefined {
  const { rerun } = overrides;
  const isDiscarded = rerun === undefined ? () => false : discardedBy(loaded, rerun);
  const asked = openers.filter((by) => by === 'manifest' || by === 'answer' || overrides[by] !== undefined);
  return (refusal) =>
    asked.find((by) => {
      const opening = openingOf(refusal.guard, by);
      return opening !== undefined && (opening.opens?.({ loaded, isDiscarded }, refusal) ?? true);
    });
}

function openingOf(name: GuardName, by: Opener): Opening<Refusal> | undefined {
  const guard: Guard<Refusal> = guards[name];
  return guard[by];
}

function reasonOf(overrides: Overrides, by: Opener): string | undefined {
  const override = by === 'manifest' || by === 'answer' ? undefined : overrides[by];
  return override !== undefined && 'reason' in override ? override.reason : undefined;
}

function passLimits({ limits, units }: Plan, reason: string): EventBody[] {
  const reached = limits.map(({ phase, limit, value }) => `${phase} ${limit} ${value}`);
  const paused = [...units.values()].flatMap(({ cells }) =>
    cells.flatMap(({ unit, phase, decision }) =>
      decision.do === 'stop' && decision.why.code === 'paused' ? [`${unit}/${phase} paused`] : [],
    ),
  );
  const facts = [...reached, ...paused].slice(0, factsMax);
  return facts.length === 0 ? [] : [used('limit-reached', '--past-limits', reason, { limits: facts })];
}

const factsMax = 100;
