import { formatTime } from '../../../base/clock.ts';
import { ok, type Result } from '../../../base/result.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import type { Failure } from '../../../model/failure.ts';
import type { InspectedAttempt, InspectedOutput, InspectedUnit } from '../../observe/inspected.ts';
import { judgesOf } from '../../observe/judges.ts';
import { selectSteps } from '../../observe/select.ts';
import type { Environment } from '../../open/environment.ts';
import { createRunHeading } from '../../open/find-run.ts';
import { shownFindings } from '../../open/open-run.ts';
import type { SelectionRequest, Target } from '../../open/requests.ts';
import { narrowUnits, readRunAttempts, totalsOf } from '../inspect.ts';
import { Gallery, type GalleryLimits, galleryLimits } from './gallery.ts';
import type { PagePicture, PageStage, PageText, PageTry, PageUnit, ReportPage } from './page.ts';

export interface PageRequest extends Target, SelectionRequest {
  readonly limits?: Partial<PageLimits> | undefined;
}

export interface PageLimits extends GalleryLimits {
  readonly unitsMax: number;
}

const pageLimits: PageLimits = { ...galleryLimits, unitsMax: 1_000 };

/** Gathers all that a page about a run shows. Changes nothing. */
export async function gatherPage(
  env: Environment,
  request: PageRequest,
): Promise<Result<ReportPage, Failure>> {
  const history = await readRunAttempts(env, request);
  if (!history.ok) return history;
  const { opened, seen, units: all } = history.value;
  const chosen = selectSteps(seen, request);
  if (!chosen.ok) return chosen;
  const units = narrowUnits(all, chosen.value);
  const { workspace, ledger, plan, store } = seen;
  const { stages, layout } = workspace.loaded.pipeline;
  const limits = { ...pageLimits, ...request.limits };
  const gallery = new Gallery(workspace, store, limits);
  const shown = chooseUnits(units, limits.unitsMax);
  const drafts = [...stages.map(({ name }) => name), undefined].map((name) =>
    draftStage(
      name,
      shown.filter(({ stage }) => stage === name),
      stages.length > 1 && name === stages.at(-1)?.name,
      gallery,
    ),
  );
  return ok({
    heading: createRunHeading(workspace, opened),
    root: workspace.root,
    folder: opened.folder,
    unitKey: layout.unitKey,
    doneKey: layout.doneKey,
    madeAt: formatTime(env.clock.now()),
    manifests: manifestsOf(ledger),
    resumes: ledger.resumes,
    totals: totalsOf(units),
    refusals: plan.refusals,
    notices: plan.notices,
    findings: shownFindings(opened),
    stages: fillStages(drafts, gallery),
    unitsLeftOut: units.length - shown.length,
    pictures: gallery.counts,
  });
}

const resultUnitsMax = 6;

/** Of very many units those that somebody will look for, in the order of the pipeline. */
function chooseUnits(units: readonly InspectedUnit[], unitsMax: number): readonly InspectedUnit[] {
  if (units.length <= unitsMax) return units;
  const open = units.filter(
    ({ status }) => status !== 'succeeded' && status !== 'outdated' && status !== 'pending',
  );
  const retried = units.filter(({ attemptsMost }) => attemptsMost > 1);
  const first = new Set<InspectedUnit>();
  for (const unit of [...open, ...retried, ...units]) if (first.size < unitsMax) first.add(unit);
  return units.filter((unit) => first.has(unit));
}

function manifestsOf({ revisions }: Ledger): ReportPage['manifests'] {
  const manifests: { hash: string; at: string }[] = [];
  for (const { manifest, at } of revisions.values())
    if (manifests.at(-1)?.hash !== manifest) manifests.push({ hash: manifest, at });
  return manifests;
}

/** A stage of which it is known what to show, before any room is given to pictures. */
interface DraftStage {
  readonly name: string | undefined;
  readonly isResult: boolean;
  readonly units: readonly DraftUnit[];
}

interface DraftUnit {
  readonly unit: InspectedUnit;
  readonly final: readonly InspectedOutput[];
  readonly tries: readonly (Omit<PageTry, 'pictures'> & { readonly pictures: readonly InspectedOutput[] })[];
  readonly texts: readonly PageText[];
}

function draftStage(
  name: string | undefined,
  units: readonly InspectedUnit[],
  isLast: boolean,
  gallery: Gallery,
): DraftStage {
  const isResult =
    isLast && units.length <= resultUnitsMax && units.some(({ attempts }) => attempts.length > 0);
  const drafts = units.map((unit) => draftUnit(unit, gallery));
  const withTexts = drafts.map((draft, at) =>
    isResult || draft.final.length === 0
      ? { ...draft, texts: textsOf(units[at] as InspectedUnit, gallery) }
      : draft,
  );
  return { name, isResult, units: withTexts };
}

function draftUnit(unit: InspectedUnit, gallery: Gallery): DraftUnit {
  const picturesOf = ({ outputs }: InspectedAttempt) => outputs.filter((output) => gallery.isPicture(output));
  const newest = unit.attempts.findLast(
    (attempt) => attempt.superseded === undefined && picturesOf(attempt).length > 0,
  );
  const final = newest === undefined ? [] : picturesOf(newest);
  const judges = judgesOf(unit.attempts);
  const told = new Set<InspectedAttempt>();
  const made = unit.attempts.map((attempt) => ({
    attempt,
    judged: judges(attempt),
    pictures: picturesOf(attempt).filter(({ hash }) => !isConsumed(attempt, hash)),
  }));
  for (const { attempt, judged, pictures } of made)
    if (pictures.length > 0 && judged !== undefined && judged !== attempt) told.add(judged);
  const tries = made.filter(
    ({ attempt, pictures }) =>
      pictures.length > 0 ||
      attempt.outcome !== 'succeeded' ||
      wasAgain(attempt) ||
      (attempt.verdict !== undefined && !told.has(attempt)),
  );
  return { unit, final, tries, texts: [] };
}

/** It was started for a reason that people ask about later. */
function wasAgain({ why }: InspectedAttempt): boolean {
  return why !== undefined && why.code !== 'never-ran' && why.code !== 'not-recorded';
}

/** A phase that hands on what it took has made nothing new to look at. */
function isConsumed({ inputs }: InspectedAttempt, hash: string): boolean {
  return Object.values(inputs).some((ref) => ref.endsWith(` ${hash}`));
}

function textsOf({ attempts }: InspectedUnit, gallery: Gallery): PageText[] {
  const newest = new Map<string, InspectedAttempt>();
  for (const attempt of attempts)
    if (attempt.outcome === 'succeeded' && attempt.superseded === undefined)
      newest.set(attempt.phase, attempt);
  return [...newest.values()].flatMap(({ phase, outputs }) =>
    outputs.flatMap((output) => {
      const beginning = gallery.isPicture(output) ? undefined : gallery.text(output);
      return beginning === undefined ? [] : [{ phase, output: output.name, path: output.path, ...beginning }];
    }),
  );
}

/** Room is given to what counts most: results, then what each unit came to, then the ways there. */
function fillStages(drafts: readonly DraftStage[], gallery: Gallery): PageStage[] {
  const ordered = [
    ...drafts.filter(({ isResult }) => isResult),
    ...drafts.filter(({ isResult }) => !isResult),
  ];
  const show = (outputs: readonly InspectedOutput[]): PagePicture[] =>
    outputs.map((output) => gallery.show(output));
  const finals = new Map<DraftUnit, PagePicture[]>();
  for (const { units } of ordered) for (const unit of units) finals.set(unit, show(unit.final));
  const fill = (draft: DraftUnit): PageUnit => {
    const isOnlyOne = draft.tries.length === 1 && sameOutputs(draft.tries[0]?.pictures ?? [], draft.final);
    const tries = draft.tries.map((attempt) => ({
      ...attempt,
      // What the only attempt made is what is shown of the unit.
      pictures: isOnlyOne ? [] : show(attempt.pictures),
    }));
    return { ...draft, final: finals.get(draft) ?? [], tries };
  };
  return ordered
    .filter(({ units }) => units.length > 0)
    .map((stage) => ({ ...stage, units: stage.units.map(fill) }));
}

function sameOutputs(a: readonly InspectedOutput[], b: readonly InspectedOutput[]): boolean {
  return a.length === b.length && a.every(({ hash }, at) => hash === b[at]?.hash);
}
