import { fail, ok, type Result } from '../../base/result.ts';
import type { SelectionRequest } from '../../engine/open/requests.ts';
import type { Notifying, RunAnswer, RunRequest } from '../../engine/run/run-request.ts';
import type { ResumeReport } from '../../engine/show/resume.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { endingWords, stoppingWords } from '../../text/live/progress.ts';
import { endOf } from '../../text/phrases/outcome.ts';
import { exitCodeOfRun, runText } from '../../text/run.ts';
import { type Call, flagOption, isPath, targetOf, textOption } from '../call.ts';
import { chooseForExisting, chooseRun } from '../choose.ts';
import { environmentOf, type Outcome, present } from '../command.ts';
import { confirm } from '../confirm.ts';
import type { Face } from '../face.ts';
import { recordedTo } from '../line-writer.ts';
import { overridesOf, pacingOf, reuseOf, selectionOf, typedOptions } from '../selection.ts';
import { watchSignals } from '../signals.ts';
import { openView } from '../views.ts';
import { presentPlan } from './plan.ts';

/** `run` and `resume`. They differ in one point: `resume` never starts a new run. */
export async function performRun(call: Call, face: Face): Promise<Outcome> {
  if (flagOption(call, 'watch')) return await (await import('./perform-watch.ts')).watchAndRun(call, face);
  const choice = choiceOf(call);
  if (!choice.ok) return choice;
  if (face.io.process.variables.PAWL_WATCHED !== undefined)
    await (await import('./perform-watch.ts')).reportSources(face, { path: choice.value.path });
  if (flagOption(call, 'dryRun')) return await showPlan(call, face, choice.value);
  const start = call.command === 'resume' ? reportAndResume : runAnswered;
  const tried = await start(call, face, choice.value);
  const path = pathAfterResume(call, face, tried);
  const outcome =
    path === undefined ? tried : await start(call, face, { ...choice.value, path, run: undefined });
  if (outcome.ok) return outcome;
  if (outcome.failure.reason === 'which-run') {
    const run = await chooseRun(face, outcome.failure.candidates);
    return run === undefined ? outcome : await start(call, face, { ...choice.value, run });
  }
  if (outcome.failure.reason !== 'outputs-exist') return outcome;
  const answer = await chooseForExisting(face, outcome.failure);
  return answer === undefined ? outcome : await start(call, face, { ...choice.value, ...answer });
}

/** In `--resume WORD` the word is a path where no run has that id and the path exists. `--resume=ID` is an id. */
function pathAfterResume(call: Call, face: Face, tried: Outcome): string | undefined {
  const word = textOption(call, 'resume');
  if (tried.ok || word === undefined || call.arguments.length > 0 || call.attached?.has('--resume')) return;
  return isPath(face.place.cwd, word, tried.failure) ? word : undefined;
}

/** Runs, and lets a person answer what stopped the run from starting: a stale run, or changes to finished steps. */
async function runAnswered(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const outcome = await runOnce(call, face, choice);
  if (outcome.ok || !face.canAsk) return outcome;
  const { failure } = outcome;
  if (failure.reason === 'run-stale') {
    const { staleQuestion } = await import('../../text/resume.ts');
    const confirmed = await confirm(call, face, staleQuestion(failure));
    if (!confirmed.ok) return confirmed;
    return await runAnswered(call, face, { ...choice, run: failure.run, acceptStale: true });
  }
  if (failure.reason !== 'refused' && failure.reason !== 'rerun-above') return outcome;
  // More changed while the question was open, so all changes are asked about again.
  if (choice.answering !== undefined) return await runAnswered(call, face, withoutAnswer(choice));
  const { answerChanges } = await import('../choose.ts');
  const answer = await answerChanges(call, face, { ...overridesOf(call), ...choice }, failure);
  if (answer === undefined) return outcome;
  return answer.ok ? await runAnswered(call, face, { ...choice, ...answer.value }) : answer;
}

function withoutAnswer({ answering: _a, rerunChanged: _r, keepChanged: _k, ...choice }: Choice): Choice {
  return choice;
}

/** Shows where the run stands, then resumes it. */
async function reportAndResume(call: Call, face: Face, choice: Choice): Promise<Outcome> {
  const { resumeReport } = await import('../../engine/show/resume.ts');
  const report = await resumeReport(await environmentOf(face), {
    ...choice,
    ...overridesOf(call),
    ...reuseOf(call),
  });
  // Without a run there may be a status page to make one of: `runAnswered` finds out.
  if (!report.ok) return report.failure.reason === 'no-run' ? await runAnswered(call, face, choice) : report;
  const { status } = report.value.heading;
  if (status === 'completed') return await runAnswered(call, face, choice);
  const { resumeText } = await import('../../text/resume.ts');
  const { stale, next } = report.value;
  const isSure = stale === undefined || choice.acceptStale === true;
  const isSound = report.value.findings.every(({ weight }) => weight === 'quiet');
  const goesOn = isSure && isSound && next.code !== 'refused';
  if (!face.json && !face.quiet) face.err(resumeText(report.value, face.errStyle, { goesOn }));
  const resumed = report.value;
  const outcome = await runAnswered(call, face, { ...choice, run: resumed.heading.run, resumed });
  return outcome.ok ? outcome : { ...outcome, resumed };
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
  > & {
    /** The report that `resume` showed: it is part of the answer. */
    readonly resumed?: ResumeReport;
  };

async function runOnce(call: Call, face: Face, { resumed, ...choice }: Choice): Promise<Outcome> {
  const { runPipeline } = await import('../../engine/run/run.ts');
  const env = { ...(await environmentOf(face)), ...(flagOption(call, 'events') && recordedTo(face.lines)) };
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
    const outcome = presentRun(command, { ...answer.value, ...(resumed && { resumed }) });
    return isInterrupted ? { ...outcome, exitCode: signals.exitCode() } : outcome;
  } finally {
    view.close();
    signals.ignore();
    await notifying.tellMissed();
  }
}

/** Reads which run is meant, and how much of it is to run. */
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
  const request = { ...choice, ...overridesOf(call), ...reuseOf(call) };
  return presentPlan(await planPipeline(await environmentOf(face), request), typedOptions(call));
}

export function presentRun(
  command: 'run' | 'resume',
  answer: RunAnswer & { readonly resumed?: ResumeReport | undefined },
): Outcome {
  return present(command, ok(answer), {
    loadText: async () => runText,
    loadFacts: async () => (await import('../../text/json.ts')).runFacts,
    exitCode: exitCodeOfRun,
  });
}

type Missed = Parameters<NonNullable<Notifying['missed']>>[0];

/** Notifications in the words of the command. */
interface CommandNotifying extends Notifying {
  /** Reports which notifications failed. Called when nothing is drawn any more, because a drawn run would hide it. */
  tellMissed(): Promise<void>;
}

/** The terminal is notified only where a person looks at it: not with `--json` or `--quiet`. */
function openNotifying(face: Face): CommandNotifying {
  const missed: Missed[] = [];
  const isForPerson = face.canDraw && !face.json && !face.quiet;
  return {
    words: async (end) => (await import('../../text/notify.ts')).notificationWords(end),
    terminal: isForPerson ? (text) => void face.io.stderr.write(text) : undefined,
    missed: (notification) => void missed.push(notification),
    tellMissed: async () => {
      if (missed.length === 0) return;
      const { missedWords } = await import('../../text/notify.ts');
      for (const notification of missed) face.err(missedWords(notification, face.errStyle));
    },
  };
}
