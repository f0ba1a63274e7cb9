import { type Hash, hashBytes, hashJson } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import { findStep } from '../../ledger/ledger.ts';
import { isRepairable } from '../../model/attempt-failure.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import { estimateCall, priceOf } from '../../pipeline/phases/prices.ts';
import { attemptFolder, inWorkspace, type RunView } from '../context.ts';
import type { PreparedCall } from '../executors/assignment.ts';
import type { TaskInputs } from '../executors/input-file.ts';
import type { ModelTurn } from '../executors/model-client.ts';
import { readAnswer } from '../models/answer-files.ts';
import { schemaOf } from '../models/answer-parts.ts';
import { mediaTypeOf } from '../models/attached-files.ts';
import { redactorOf } from '../redaction.ts';
import type { ReadyStep } from './attempt.ts';
import { renderRepair } from './prompt.ts';

/** What will be asked, put together from the prompt, what was wrong with the last answer, and the files. */
export async function prepareCall(
  run: RunView,
  step: ReadyStep,
  executor: ModelCall,
  prompt: RenderedPrompt,
  taken: TaskInputs,
): Promise<Result<PreparedCall, AttemptFailure>> {
  const repair = await repairTurns(run, step, prompt, taken);
  if (!repair.ok) return repair;
  // A key that has got into an input is neither sent nor written down.
  const { redactValues } = redactorOf(run);
  const system = prompt.system === undefined ? undefined : redactValues(prompt.system);
  const turns = [{ role: 'user' as const, text: prompt.text }, ...repair.value].map(
    ({ role, text }): ModelTurn => ({ role, text: redactValues(text) }),
  );
  const files = attached(run, step, executor, taken);
  if (!files.ok) return files;
  const schema = schemaOf(step.phase.outputs);
  const sent = [system ?? '', ...turns.map(({ text }) => text)].join('\n');
  const inputTokens = tokensIn(sent) + files.value.length * fileTokensExpected;
  const price = priceOf(run.loaded.pipeline.models, modelName(executor));
  return ok({
    system,
    turns,
    schema,
    files: files.value,
    key: keyOf(executor, step, { system, turns, schema, files: files.value }),
    resultKey: keyOf(executor, step, { system, turns: turns.slice(0, 1), schema, files: files.value }),
    prompt: prompt.hash,
    inputTokens,
    atStake: estimateCall(price, inputTokens, executor.parameters.maxTokens),
  });
}

/** What providers count for a picture or a page, roughly. */
const fileTokensExpected = 1500;

/** Hash of all that an answer depends on, and of its checks. Without the unit, because another unit may ask the same. */
function keyOf(
  { parameters, ...executor }: ModelCall,
  { phase }: ReadyStep,
  { system, turns, schema, files }: Pick<PreparedCall, 'system' | 'turns' | 'schema' | 'files'>,
): Hash {
  const parts = {
    model: modelName(executor),
    parameters,
    system: system ?? null,
    turns,
    schema: schema ?? null,
    files: files.map(({ name, mediaType, hash }) => ({ name, mediaType, hash })),
    outputs: phase.outputs.map(({ name, from, check, optional }) => ({
      name,
      from: from ?? null,
      check: check ?? null,
      optional,
    })),
  };
  return hashJson(JSON.parse(JSON.stringify(parts)) as JsonValue);
}

/** After an answer to the same prompt that could not be used: that answer, and what the manifest has to say to it. */
async function repairTurns(
  run: RunView,
  step: ReadyStep,
  prompt: RenderedPrompt,
  taken: TaskInputs,
): Promise<Result<readonly ModelTurn[], AttemptFailure>> {
  const { unit, phase } = step;
  const failure = findStep(run.ledger, unit.id, phase.name)?.failure;
  if (phase.prompt?.repair === undefined || failure === undefined || !isRepairable(failure.reason))
    return ok([]);
  const folder = inWorkspace(run, attemptFolder(run, unit.id, phase.name, failure.attempt));
  const answer = readAnswer(run.disk, folder);
  if (answer === undefined || answer.prompt !== prompt.hash || answer.text.trim() === '') return ok([]);
  const rendered = await renderRepair(run, step, taken, { failure, answer: answer.text });
  if (!rendered.ok) return rendered;
  return ok([
    { role: 'assistant', text: answer.text },
    { role: 'user', text: rendered.value },
  ]);
}

/** Inputs that are sent as they are. */
function attached(
  run: RunView,
  { unit: { file: own }, phase, made }: ReadyStep,
  { attach }: ModelCall,
  taken: TaskInputs,
): Result<PreparedCall['files'], AttemptFailure> {
  const files: PreparedCall['files'][number][] = [];
  for (const name of attach) {
    const file = taken.inputs[name];
    const listed = file === undefined ? (taken.every[name] ?? []) : [file];
    for (const one of listed) {
      const unit = 'unit' in one ? String(one.unit) : undefined;
      const hash =
        made.inputs.get(unit === undefined ? name : `${name}/${unit}`)?.output.hash ??
        run.loaded.statics.get(phase.name)?.files.get(declaredName(phase.inputs, name))?.hash ??
        (phase.inputs.some((input) => input.kind === 'unit-file' && input.name === name)
          ? (own?.hash ?? hashBytes(one.bytes()))
          : undefined);
      if (hash === undefined)
        return fail({ reason: 'input-unavailable', message: '', facts: { input: name } });
      const mediaType = mediaTypeOf(one.path, one.bytes());
      const label = unit === undefined ? name : `${name}/${unit}`;
      files.push({ name: label, mediaType, hash });
    }
  }
  return ok(files);
}

function declaredName(inputs: ReadyStep['phase']['inputs'], name: string): string {
  const input = inputs.find((one) => one.name === name);
  return input?.kind === 'file' ? input.file : '';
}
