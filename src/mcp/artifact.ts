import { fail, ok, type Result } from '../base/result.ts';
import type { InspectedOutput, InspectedUnit } from '../engine/attempts/inspected.ts';
import { openStore } from '../engine/look/look.ts';
import { openWorkspace } from '../engine/open/workspace.ts';
import type { Target } from '../engine/requests.ts';
import { inspectRun } from '../engine/show/inspect.ts';
import type { McpTrouble } from './problems.ts';
import type { Session } from './session.ts';

/** Which recorded output; what is not said is not asked for. */
export interface ArtifactChoice {
  readonly unit?: string | undefined;
  readonly phase?: string | undefined;
  readonly output?: string | undefined;
  readonly path?: string | undefined;
  readonly attempt?: number | undefined;
}

/** An output as an attempt has recorded it. */
export interface Artifact extends InspectedOutput {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
}

/** Larger ones are not taken into memory to show a part of them. */
const artifactBytesMax = 32 * 1024 * 1024;

/**
 * The recorded bytes of one output. Only what a run has recorded can be had: a path is compared with what stands in the
 * journal, and never opened because somebody named it.
 */
export async function readArtifact(
  session: Session,
  target: Target,
  choice: ArtifactChoice,
): Promise<Result<{ artifact: Artifact; bytes: Uint8Array }, McpTrouble>> {
  const inspected = await inspectRun(session.env, target);
  if (!inspected.ok) return inspected;
  const chosen = chooseArtifact(recordedBy(inspected.value.units), choice);
  if (!chosen.ok) return chosen;
  const artifact = chosen.value;
  const { path, hash, size } = artifact;
  if (size > artifactBytesMax)
    return fail({ reason: 'artifact-too-large', path, size, sizeMax: artifactBytesMax });
  const workspace = await openWorkspace(session.env, target);
  if (!workspace.ok) return workspace;
  const bytes = openStore(workspace.value).get(hash);
  return bytes instanceof Uint8Array
    ? ok({ artifact, bytes })
    : fail({ reason: 'object-missing', path, hash });
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

function chooseArtifact(recorded: readonly Artifact[], choice: ArtifactChoice): Result<Artifact, McpTrouble> {
  const path = choice.path?.replace(/^(?:\.\/)+/, '');
  const matching = recorded.filter(
    (artifact) =>
      (choice.unit ?? artifact.unit) === artifact.unit &&
      (choice.phase ?? artifact.phase) === artifact.phase &&
      (choice.output ?? artifact.name) === artifact.name &&
      (path ?? artifact.path) === artifact.path &&
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
