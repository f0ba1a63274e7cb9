import type { Hash } from '../../base/hash.ts';
import { ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import { findStep, newestResult, type Step } from '../../ledger/ledger.ts';
import { modelName } from '../../model/calls.ts';
import { asksModel } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import { attemptFolder, type RunView } from '../../runner/context.ts';
import { promptFile, turnsFile } from '../../runner/executors/scratch.ts';
import { attachedBytes, attachedInput } from '../../runner/models/attached-files.ts';
import { redactorOf } from '../../runner/redaction.ts';
import { findStepTarget } from '../observe/cell-target.ts';
import { planUnitsAfterDefaults } from '../observe/plan-units.ts';
import { type CallPreview, type PreviewFailure, previewCall } from '../observe/see-call.ts';
import { diffLines } from '../observe/text-diff.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, findRun } from '../open/find-run.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace } from '../open/workspace.ts';
import type { PromptAnswer } from './call-answers.ts';

export interface PromptRequest extends Target {
  readonly cell: string;
  /** Also how it differs from the one that was used last. */
  readonly diff?: boolean | undefined;
}

/** The resolved prompt of a cell as it would be sent now. Changes nothing. */
export async function showPrompt(
  env: Environment,
  request: PromptRequest,
): Promise<Result<PromptAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = findRun(workspace.value, request);
  if (!found.ok) return found;
  const opened = found.value;
  const placed = await resolvePipelineForRun(workspace.value, opened);
  const target = findStepTarget(placed, request.cell);
  if (!target.ok) return target;
  const { unit, phase } = target.value;
  const seen = await planUnitsAfterDefaults(placed, opened, new Set([unit.id]));
  const planned = seen.plan.units.get(unit.id)?.cells.find((step) => step.phase === phase.name);
  if (planned === undefined) throw new Error(`no plan for ${request.cell}`);
  const { ledger, store, workspace: shown } = seen;
  const run = {
    disk: env.disk,
    process: env.process,
    root: placed.root,
    folder: opened?.folder ?? '',
    loaded: shown.loaded,
    ledger,
    store,
  };
  const step = findStep(ledger, unit.id, phase.name);
  const last = step === undefined || step.attempts === 0 ? undefined : step.attempts;
  const about = {
    heading: opened && createRunHeading(placed, opened),
    unit: unit.id,
    phase: phase.name,
    attempt: last,
    model: asksModel(phase) ? modelName(phase.executor) : undefined,
    lastHash: step && lastPrompt(step),
  };
  const call =
    phase.prompt === undefined
      ? ({ ok: false, failure: { reason: 'no-prompt', message: '' } } as const)
      : await previewCall(run, target.value, planned);
  if (!call.ok) return ok({ ...about, ...unseen(call.failure) });
  const sent =
    last === undefined
      ? undefined
      : sentText(env, `${placed.root}/${attemptFolder(run, unit.id, phase.name, last)}/prompt.md`);
  const diff = request.diff ? unified(sent ?? '', textOf(call.value)) : undefined;
  return ok({ ...about, ...seenPrompt(run, call.value), diff });
}

function seenPrompt(
  run: Pick<RunView, 'loaded' | 'process'>,
  { prompt, call, taken }: CallPreview,
): Omit<PromptAnswer, 'heading' | 'unit' | 'phase' | 'attempt' | 'model' | 'lastHash' | 'diff'> {
  const redactor = redactorOf(run);
  return {
    system: call?.system ?? prompt.system,
    text: call?.turns.map(({ text }) => text).join('\n\n') ?? prompt.text,
    hash: prompt.hash,
    tokens: call?.inputTokens ?? tokensIn(`${prompt.system ?? ''}\n${prompt.text}`),
    estimate: call?.atStake,
    attachments: (call?.files ?? []).map((file) => ({
      name: file.name,
      path: attachedInput(file, taken).path,
      size: attachedBytes(file, taken, redactor).length,
    })),
  };
}

function unseen(why: PreviewFailure | { readonly reason: 'no-prompt'; readonly message: string }) {
  const { reason, message } = why;
  const facts = 'facts' in why ? why.facts : undefined;
  const place = facts?.path === undefined ? '' : `${facts.path}:${facts.line ?? 1}:${facts.column ?? 1}: `;
  return {
    system: undefined,
    text: '',
    hash: 'sha256:' as const,
    tokens: 0,
    estimate: undefined,
    attachments: [],
    diff: undefined,
    unavailable: { reason, detail: `${place}${message}` },
  };
}

const promptBytesMax = 16 * 1024 * 1024;

function sentText({ disk }: Environment, path: string): string | undefined {
  if ((disk.stat(path)?.size ?? Number.POSITIVE_INFINITY) > promptBytesMax) return undefined;
  const bytes = disk.read(path);
  const text = bytes && new TextDecoder().decode(bytes);
  // What was said to an answer that could not be used stands behind the prompt.
  const answer = text?.indexOf('\n<!-- answer -->\n') ?? -1;
  return answer === -1 ? text : text?.slice(0, answer + 1);
}

/** Of the newest attempt that was sent one. */
function lastPrompt(step: Step): Hash | undefined {
  const sent = [step.running, step.failure, step.paused, newestResult(step)].flatMap((one) =>
    one?.prompt === undefined ? [] : [{ attempt: one.attempt, prompt: one.prompt }],
  );
  return sent.sort((a, b) => b.attempt - a.attempt)[0]?.prompt;
}

/** Without what was said to an answer that could not be used. */
function textOf({ prompt, call }: CallPreview): string {
  return call === undefined ? promptFile(prompt) : turnsFile(call.system, call.turns.slice(0, 1));
}

/** The lines that differ, each with its sign; empty: none does. */
function unified(before: string, after: string): string {
  const lines = diffLines(before, after);
  if (lines.every(({ kind }) => kind === 'same' || kind === 'gap')) return '';
  const sign = { same: ' ', removed: '-', added: '+', gap: '@' };
  return lines.map(({ kind, text }) => (kind === 'gap' ? '@@' : `${sign[kind]}${text}`)).join('\n');
}
