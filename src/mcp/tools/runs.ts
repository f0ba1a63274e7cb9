import { z } from 'zod';
import { ok } from '../../base/result.ts';
import type { PlanAnswer } from '../../engine/show/plan.ts';
import { planPipeline } from '../../engine/show/plan.ts';
import { listRuns } from '../../engine/show/runs.ts';
import type { StatusAnswer } from '../../engine/show/status.ts';
import { showStatus } from '../../engine/show/status.ts';
import { whyStep } from '../../engine/show/why.ts';
import { isDone } from '../../model/status.ts';
import { planText } from '../../text/plan.ts';
import { runsText } from '../../text/runs.ts';
import { statusText } from '../../text/status.ts';
import { whyText } from '../../text/why.ts';
import { type Outcome, showResumeReport, toToolAnswer } from '../answer.ts';
import { cut, few } from '../parts.ts';
import { targetIn } from '../session.ts';
import { chosen, count, counts, facts, heading, nameMax, part, selection, stepInput } from '../shapes.ts';
import { type Connection, offer } from '../tool.ts';

/** What can be asked about runs. None of it changes anything, and none of it runs anything. */
export function offerRuns(connection: Connection): void {
  offerList(connection);
  offerStatus(connection);
  offerPlan(connection);
  offerWhy(connection);
  offerResume(connection);
}

function offerList(connection: Connection): void {
  offer(connection, {
    name: 'run_list',
    title: 'List runs',
    description:
      'Every run of the workspace with its status, units, cost and age, the newest first. A run that cannot be read is listed as damaged.',
    effect: 'looks',
    input: z.strictObject({ manifest: chosen.manifest, ...part }),
    output: { runs: facts, total: count },
    async answer({ offset, limit, ...request }, { session }) {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const listed = await listRuns(session.env, target.value);
      if (!listed.ok) return listed;
      const { items, total } = cut(listed.value.runs, offset, limit);
      return ok(toToolAnswer({ runs: items }, runsText, { runs: items, total }));
    },
  });
}

function offerStatus(connection: Connection): void {
  offer(connection, {
    name: 'run_status',
    title: 'Where a run stands',
    description:
      'Where a run stands now, from its journal and the disk: counts, and units with the status of each phase. Unfinished units only, unless `all` is set.',
    effect: 'looks',
    input: z.strictObject({
      ...chosen,
      ...selection,
      all: z.boolean().default(false).describe('Finished units too.'),
      ...part,
    }),
    output: {
      heading,
      phases: z.array(z.string()),
      counts: counts,
      finished: count,
      units: z.array(z.looseObject({ unit: z.string(), cells: facts })),
      total: count,
      refusals: facts,
      notices: facts,
      findings: facts,
    },
    async answer({ all, offset, limit, ...request }, { session }): Promise<Outcome> {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const { unit, phase, failed, outdated } = request;
      const status = await showStatus(session.env, { ...target.value, unit, phase, failed, outdated });
      if (!status.ok) return status;
      const answer = status.value;
      return ok(toToolAnswer(answer, statusText, statusDocument(answer, { all, offset, limit })));
    },
  });
}

function statusDocument(
  { units, extent, refusals, notices, findings, ...rest }: StatusAnswer,
  wanted: { readonly all: boolean; readonly offset: number; readonly limit: number },
): object {
  const open = wanted.all
    ? units
    : units.filter(({ cells: steps }) => !steps.every(({ status }) => isDone(status)));
  const { items, total } = cut(open, wanted.offset, wanted.limit);
  return {
    ...rest,
    finished: extent.units.filter(({ finished }) => finished).length,
    units: items,
    total,
    refusals: few(refusals),
    notices: few(notices),
    findings: few(findings),
  };
}

function offerPlan(connection: Connection): void {
  offer(connection, {
    name: 'run_plan',
    title: 'What would be done next',
    description:
      'What going on with the run would do with each phase of each unit, and why. Phases with nothing to do are only counted.',
    effect: 'looks',
    input: z.strictObject({
      ...chosen,
      ...selection,
      until: z.string().max(nameMax).optional().describe('No phase that is listed after this one.'),
      ...part,
    }),
    output: {
      heading,
      phases: z.array(z.string()),
      counts: counts,
      selection: z.looseObject({ selected: count, done: count }).optional(),
      cells: z.array(z.looseObject({ unit: z.string(), phase: z.string(), do: z.string() })),
      total: count,
      finished: z.boolean(),
      refusals: facts,
      notices: facts,
      limits: facts,
      findings: facts,
    },
    async answer({ offset, limit, ...request }, { session }): Promise<Outcome> {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const { unit, phase, failed, outdated, until } = request;
      const wanted = { ...target.value, unit, phase, failed, outdated, until };
      const planned = await planPipeline(session.env, wanted);
      if (!planned.ok) return planned;
      const answer = planned.value;
      return ok(toToolAnswer(answer, planText, planDocument(answer, offset, limit)));
    },
  });
}

function planDocument(
  { heading, plan, phases, counts, selection, findings }: PlanAnswer,
  offset: number,
  limit: number,
): object {
  const steps = [...plan.units.values()].flatMap((unit) => unit.cells);
  const moving = steps.filter(({ decision }) => decision.do !== 'reuse' && decision.do !== 'skip');
  const { items, total } = cut(moving, offset, limit);
  return {
    heading,
    phases,
    counts,
    ...(selection !== undefined && { selection }),
    cells: items.map(({ unit, phase, iteration, decision }) => ({
      unit,
      phase,
      iteration,
      do: decision.do,
      ...('why' in decision && { why: decision.why }),
      ...('for' in decision && { for: few(decision.for) }),
      ...('refusals' in decision && { guards: decision.refusals.map(({ guard }) => guard) }),
    })),
    total,
    finished: plan.finished,
    refusals: few(plan.refusals),
    notices: few(plan.notices),
    limits: plan.limits,
    findings: few(findings),
  };
}

function offerWhy(connection: Connection): void {
  offer(connection, {
    name: 'run_why',
    title: 'Why a phase is as it is',
    description:
      'What going on would do with one phase of one unit, why, every attempt and decision about it so far, and every part that its newest result was made from.',
    effect: 'looks',
    input: z.strictObject({ ...chosen, cell: stepInput }),
    output: {
      heading,
      unit: z.string(),
      phase: z.string(),
      status: z.string(),
      verdict: z.looseObject({ do: z.string() }),
      story: facts.describe('Attempts, with why each ran and what it cost, and decisions.'),
      parts: facts,
      outputs: facts,
    },
    async answer({ cell: step, ...request }, { session }) {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const why = await whyStep(session.env, { ...target.value, cell: step });
      return why.ok ? ok(toToolAnswer(why.value, whyText)) : why;
    },
  });
}

function offerResume(connection: Connection): void {
  offer(connection, {
    name: 'run_resume',
    title: 'What to know before going on',
    description:
      'The resume report: how far the run is, what was done last, what is in doubt, and what comes next. It only reports; it starts nothing.',
    effect: 'looks',
    input: z.strictObject(chosen),
    output: {
      heading,
      phase: z.looseObject({ number: count, name: z.string(), of: count }),
      tasks: counts,
      lastActivity: z.string(),
      lastCompleted: z.looseObject({ unit: z.string() }),
      nextAction: z.looseObject({ code: z.string() }),
      stale: z
        .looseObject({ idleMs: z.number() })
        .describe('Nothing has happened for long; what changed since.'),
      inDoubt: facts,
      validation: facts.describe('What was looked at, how it is, and what follows.'),
      notices: facts,
      findings: facts,
    },
    async answer(request, { session }) {
      const target = targetIn(session, request);
      if (!target.ok) return target;
      const reported = await showResumeReport(session.env, target.value);
      if (!reported.ok) return reported;
      const { text, report } = reported.value;
      const { next: nextAction, inDoubt, notices, findings, ...rest } = report;
      const lists = { inDoubt: few(inDoubt), notices: few(notices), findings: few(findings) };
      // `next` is what a refused call names as ways on, with every tool.
      return ok({ text, document: { ok: true, ...rest, nextAction, ...lists } });
    },
  });
}
