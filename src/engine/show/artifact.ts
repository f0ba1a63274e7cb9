import { isUtf8 } from 'node:buffer';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import type { InspectedOutput, InspectedUnit } from '../observe/inspected.ts';
import type { Environment } from '../open/environment.ts';
import type { Target } from '../open/requests.ts';
import { openStore, openWorkspace, type Workspace } from '../open/workspace.ts';
import { readUnitHistory } from './inspect.ts';

/** Which recorded output; what is not said is not asked for. */
export interface ArtifactRequest extends Target {
  readonly unit?: string | undefined;
  readonly phase?: string | undefined;
  readonly output?: string | undefined;
  /** Its path, relative to the folder of the manifest. */
  readonly file?: string | undefined;
  readonly attempt?: number | undefined;
}

/** An output as an attempt has recorded it. */
export interface Artifact extends InspectedOutput {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
}

export interface ArtifactAnswer {
  readonly artifact: Artifact;
  readonly bytes: Uint8Array;
  /** Of a text: what may be shown of it, without values of the environment that are secret. */
  readonly shown: Uint8Array;
}

/** Why there are no bytes to be had, where the run itself is well. */
export type ArtifactTrouble =
  /** No attempt has recorded such an output. */
  | { readonly reason: 'artifact-not-recorded'; readonly near: readonly string[] }
  | { readonly reason: 'which-artifact'; readonly candidates: readonly string[] }
  | {
      readonly reason: 'artifact-too-large';
      readonly path: string;
      readonly size: number;
      readonly sizeMax: number;
    };

/** Larger ones are not taken into memory to show a part of them. */
const artifactBytesMax = 32 * 1024 * 1024;

/**
 * The recorded bytes of one output. Only what a run has recorded can be had: a path is compared with what stands in the
 * journal, and never opened because somebody named it.
 */
export async function readArtifact(
  env: Environment,
  request: ArtifactRequest,
): Promise<Result<ArtifactAnswer, Failure | ArtifactTrouble>> {
  const { path: folder, pipeline, run } = request;
  const target: Target = { path: folder, pipeline, run };
  const history = await readUnitHistory(env, { ...target, unit: request.unit });
  if (!history.ok) return history;
  const chosen = chooseArtifact(recordedBy(history.value.units), request);
  if (!chosen.ok) return chosen;
  const artifact = chosen.value;
  const { path, hash, size } = artifact;
  if (size > artifactBytesMax)
    return fail({ reason: 'artifact-too-large', path, size, sizeMax: artifactBytesMax });
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const bytes = openStore(workspace.value).get(hash);
  return bytes instanceof Uint8Array
    ? ok({ artifact, bytes, shown: shownBytes(workspace.value, bytes) })
    : fail({ reason: 'object-missing', path, hash });
}

function shownBytes(workspace: Workspace, bytes: Uint8Array): Uint8Array {
  if (!isUtf8(bytes) || bytes.includes(0)) return bytes;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const redacted = shownRedactor(workspace).redact(text);
  return redacted === text ? bytes : new TextEncoder().encode(redacted);
}

/** Every output that an attempt has recorded, the newest first. */
function recordedBy(units: readonly InspectedUnit[]): Artifact[] {
  return units.flatMap(({ unit, attempts }) =>
    attempts
      .toReversed()
      // One that was replaced can be asked for by its number, and never comes before one that counts.
      .toSorted((a, b) => Number(a.superseded !== undefined) - Number(b.superseded !== undefined))
      .flatMap(({ phase, attempt, outputs }) =>
        outputs.map((output) => ({ ...output, unit, phase, attempt })),
      ),
  );
}

function chooseArtifact(
  recorded: readonly Artifact[],
  choice: ArtifactRequest,
): Result<Artifact, ArtifactTrouble> {
  const file = choice.file?.replace(/^(?:\.\/)+/, '');
  const matching = recorded.filter(
    (artifact) =>
      (choice.unit ?? artifact.unit) === artifact.unit &&
      (choice.phase ?? artifact.phase) === artifact.phase &&
      (choice.output ?? artifact.name) === artifact.name &&
      (file ?? artifact.path) === artifact.path &&
      (choice.attempt ?? artifact.attempt) === artifact.attempt,
  );
  const [newest] = matching;
  const named = new Set(matching.map(nameOf));
  if (newest === undefined) {
    const near = recorded.filter(({ unit }) => unit === choice.unit);
    return fail({ reason: 'artifact-not-recorded', near: [...new Set(near.map(nameOf))].slice(0, shownMax) });
  }
  return named.size === 1
    ? ok(newest)
    : fail({ reason: 'which-artifact', candidates: [...named].slice(0, shownMax) });
}

const shownMax = 20;

function nameOf({ unit, phase, name }: Artifact): string {
  return `${unit}/${phase} ${name}`;
}
