import { fail, ok, type Result } from '../../base/result.ts';
import type { SelectionRequest } from '../../engine/open/requests.ts';
import type { RunRequest } from '../../engine/run/run-request.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { endingWords, stoppingWords } from '../../text/live/progress.ts';
import { endOf } from '../../text/phrases/outcome.ts';
import { type Act, isPath, type Outcome, overridesOf, reuseOf, targetOf, typedOptions } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import { chooseForExisting, chooseRun, confirm } from '../confirm.ts';
import type { Face } from '../face.ts';
import { recordedTo } from '../line-writer.ts';
import { openNotifying } from '../notifying.ts';
import { pacingOf, selectionOf } from '../selection.ts';
import { watchSignals } from '../signals.ts';
import { openView } from '../views.ts';

/** `run` and `resume`: the same, but that `resume` never starts a new run. */
export const act: Act = async (call, face) => {
  if (flagOption(call, 'watch')) return await (await import('./run-watch.ts')).act(call, face);
  const choice = choiceOf(call);
  if (!choice.ok) return choice;
  if (face.io.process.variables.PAWL_WATCHED !== undefined)
    await (await import('./run-watch.ts')).reportSources(face, { path: choice.value.path });
  if (flagOption(call, 'dryRun')) return await showPlan(call, face, choice.value);
  const set = call.command === 'resume' ? resume : go;
  const tried = await set(call, face, choice.value);
  const path = pathAfterResume(call, face, tried);
  const outcome =
    path === undefined ? tried : await set(call, face, { ...choice.value, path, run: undefined });
  if (outcome.ok) return outcome;
  if (outcome.failure.reason === 'which-run') {
    const run = await chooseRun(face, outcome.failure.candidates);
    return run === undefined ? outcome : await set(call, face, { ...choice.value, run });
  }
  if (outcome.failure.reason !== 'outputs-exist') return outcome;
  const answer = await chooseForExisting(face, outcome.failure);
  return answer === undefined ? outcome : await set(call, face, { ...choice.value, ...answer });
};

/** `--resume WORD`: the manifest where no run is called so and such a file or folder exists. `--resume=ID` is an id. */
function pathAfterResume(call: Call, face: Face, tried: Outcome): string | undefined {
  const word = textOption(call, 'resume');
  if (tried.ok || word === undefined || call.arguments.length > 0 || call.attached?.has('--resume')) return;
  return isPath(face.place.cwd, word, tried.failure) ? word : undefined;
}

/**
 * A run in which nothing has happened for long is resumed only after a person says so; what changed is answered by a
 * person where there is one.
 */
async function go(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const outcome = await carryOut(call, face, choice);
  if (outcome.ok || !face.canAsk) return outcome;
  const { failure } = outcome;
  if (failure.reason === 'run-stale') {
    const { staleQuestion } = await import('../../text/resume.ts');
    const confirmed = await confirm(call, face, staleQuestion(failure));
    if (!confirmed.ok) return confirmed;
    return await go(call, face, { ...choice, run: failure.run, acceptStale: true });
  }
  if (failure.reason !== 'refused' && failure.reason !== 'rerun-above') return outcome;
  // More changed while the question was open: everything is asked about again.
  if (choice.answering !== undefined) return await go(call, face, withoutAnswer(choice));
  const { answerChanges } = await import('../change-question.ts');
  const answer = await answerChanges(call, face, { ...overridesOf(call), ...choice }, failure);
  if (answer === undefined) return outcome;
  return answer.ok ? await go(call, face, { ...choice, ...answer.value }) : answer;
}

function withoutAnswer({ answering: _a, rerunChanged: _r, keepChanged: _k, ...choice }: Choice): Choice {
  return choice;
}

/** Shows where the run stands, then resumes it. */
async function resume(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const { resumeReport } = await import('../../engine/show/resume.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const report = await resumeReport(systemEnvironment(face.place), {
    ...choice,
    ...overridesOf(call),
    ...reuseOf(call),
  });
  // There may be a page that a run can be made of: whoever goes on finds out.
  if (!report.ok) return report.failure.reason === 'no-run' ? await go(call, face, choice) : report;
  const { status } = report.value.heading;
  if (status === 'completed') return await go(call, face, choice);
  const { resumeText } = await import('../../text/resume.ts');
  const { stale, next } = report.value;
  const isSure = stale === undefined || choice.acceptStale === true;
  const isSound = report.value.findings.every(({ weight }) => weight === 'quiet');
  const goesOn = isSure && isSound && next.code !== 'refused';
  if (!face.json && !face.quiet) face.err(resumeText(report.value, face.errStyle, { goesOn }));
  const outcome = await go(call, face, { ...choice, run: report.value.heading.run });
  if (!outcome.ok) return { ...outcome, resumed: report.value };
  if (outcome.value.command !== 'resume') return outcome;
  return {
    ...outcome,
    value: { command: 'resume', answer: { ...outcome.value.answer, resumed: report.value } },
  };
}

type Choice = SelectionRequest &
  Pick<
    RunRequest,
    | 'path'
    | 'run'
    | 'existingOnly'
    | 'fresh'
    | 'acceptStale'
    | 'adoptExisting'
    | 'replaceExisting'
    | 'answering'
    | 'rerunChanged'
    | 'keepChanged'
    | 'jobs'
    | 'maxUsd'
  >;

async function carryOut(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const { runPipeline } = await import('../../engine/run/run.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = { ...systemEnvironment(face.place), ...(flagOption(call, 'events') && recordedTo(face.lines)) };
  const view = await openView(face);
  const notifying = openNotifying(face);
  const signals = watchSignals(face.io, {
    stopping: () => {
      face.lines?.release();
      view.tell(stoppingWords);
    },
    ending: () => view.tell(endingWords),
    leaving: () => view.close(),
  });
  try {
    const answer = await runPipeline(env, {
      ...overridesOf(call),
      ...reuseOf(call),
      ...choice,
      takeover: flagOption(call, 'takeover'),
      canAsk: face.canAsk,
      wait: flagOption(call, 'wait'),
      observer: view,
      notifying,
      stop: signals.stop,
      interrupt: signals.interrupt,
    });
    if (!answer.ok) return answer;
    const command = call.command === 'resume' ? 'resume' : 'run';
    const isInterrupted = endOf(answer.value) === 'interrupted';
    return {
      ...ok({ command, answer: answer.value }),
      exitCode: isInterrupted ? signals.exitCode() : undefined,
    };
  } finally {
    view.close();
    signals.ignore();
    await notifying.tellMissed();
  }
}

/** Which run, of those that there are or might be. */
function choiceOf(call: Call): Result<Choice, Trouble> {
  const { path, run } = targetOf(call);
  const resume = flagOption(call, 'resume') ? true : textOption(call, 'resume');
  const fresh = flagOption(call, 'fresh');
  const named = [run !== undefined && '--run', resume !== undefined && '--resume', fresh && '--fresh'];
  const flags = named.filter((flag) => flag !== false);
  if (flags.length > 1) return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags } });
  const existingOnly = call.command === 'resume' || resume !== undefined;
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const pacing = pacingOf(call);
  if (!pacing.ok) return pacing;
  return ok({
    ...selection.value,
    ...pacing.value,
    path,
    run: resume === true ? run : (resume ?? run),
    existingOnly,
    fresh,
    acceptStale: flagOption(call, 'yes'),
  });
}

async function showPlan(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const { planPipeline } = await import('../../engine/show/plan.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await planPipeline(systemEnvironment(face.place), {
    ...choice,
    ...overridesOf(call),
    ...reuseOf(call),
  });
  return answer.ok ? ok({ command: 'plan', answer: answer.value, options: typedOptions(call) }) : answer;
}
