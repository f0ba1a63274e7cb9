import { byCodeUnit, type JsonValue } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { Failure, Problem } from '../model/failure.ts';
import { type ArtifactText, createSources, manifestBytesMax, readText } from './context.ts';
import type { LoadedPipeline, Reader } from './loaded.ts';
import { hideSecrets, refuseSecrets } from './refuse-secrets.ts';
import type { Manifest } from './schema/manifest.ts';
import { type Locate, problemList } from './text/problems.ts';

/**
 * Reads a manifest and everything it names, and lists all that is wrong with it, each with its place. A template
 * or declared file that is missing is no problem here but a fact: `missingFiles` makes problems of them.
 */
export async function loadPipeline(
  reader: Reader,
  file: string,
  artifacts: Artifacts = noArtifacts,
): Promise<Result<LoadedPipeline, Failure>> {
  const source = readText(reader, file, manifestBytesMax);
  if (source.kind === 'missing') return fail({ reason: 'manifest-not-found', path: file, near: [] });
  if (source.kind === 'unusable') {
    return invalid(file, [{ code: source.code, path: '', place: undefined, facts: source.facts }]);
  }
  // The parsers take longer to load than all else that a command does: only who needs them pays for them.
  const { parseDocument } = await import('./text/document.ts');
  const document = parseDocument(source.text, file);
  if (!document.ok) return invalid(file, document.failure);
  return buildPipeline(reader, document.value.data, { file, locate: document.value.locate }, artifacts);
}

/** What a run has made of that which units are listed in, by `PHASE.OUTPUT`. */
export type Artifacts = ReadonlyMap<string, ArtifactText>;

const noArtifacts: Artifacts = new Map();

/** Where a manifest came from. */
export interface ManifestSource {
  /** The file that it was written in. */
  readonly file: string;
  readonly locate: Locate;
  /** By phase: functions given in code. */
  readonly functions?: ReadonlyMap<string, unknown>;
}

/** The way of every manifest from data on, whether it was written in YAML or in TypeScript. */
export async function buildPipeline(
  reader: Reader,
  data: JsonValue,
  source: ManifestSource,
  artifacts: Artifacts = noArtifacts,
): Promise<Result<LoadedPipeline, Failure>> {
  const { checkShape } = await import('./schema/check.ts');
  const { resolveFiles, resolvePipeline } = await import('./resolve.ts');
  const { hashUnits, readStatics } = await import('./statics.ts');

  const problems = problemList(source.locate);
  refuseSecrets(problems, data);
  const manifest = checkShape(data, problems);
  if (manifest === undefined) return invalid(source.file, problems.problems);
  const files = resolveFiles(reader, problems, manifest.inputs);
  const functions = new Set(source.functions?.keys());
  const parseData = readsData(manifest) ? (await import('./text/document.ts')).parseDataFile : undefined;
  const sources = createSources(reader);
  const context = { reader, sources, problems, files, artifacts, functions, parseData };
  const pipeline = resolvePipeline(context, manifest, source.file);
  const { statics, templates } = await readStatics(context, pipeline, source.file);
  if (problems.problems.length > 0) return invalid(source.file, problems.problems);
  return ok({ pipeline, statics, ...hashUnits(pipeline.stages), templates, locate: source.locate });
}

/** Units may be listed in a declared file, and a check may be a schema: nothing else is read as data. */
function readsData({ inputs, phases, stages }: Manifest): boolean {
  if (stages?.some(({ units }) => !Array.isArray(units) && 'artifact' in units)) return true;
  const all = [phases, ...(stages ?? []).map((stage) => stage.phases)].flatMap((map) =>
    Object.values(map ?? {}),
  );
  const outputs = all.flatMap((phase) => Object.values(phase.outputs ?? {}));
  const hasSchema = outputs.some((output) => {
    if (typeof output === 'string') return false;
    const { check, schema } = output;
    return schema !== undefined || (typeof check === 'object' && 'json-schema' in check);
  });
  return inputs !== undefined || hasSchema;
}

/** In the order in which a person goes through the files, the manifest first. */
function invalid(file: string, problems: readonly Problem[]): Result<never, Failure> {
  const fileOf = ({ place }: Problem) => (place === undefined || place.file === file ? '' : place.file);
  const sorted = problems.toSorted(
    (a, b) =>
      byCodeUnit(fileOf(a), fileOf(b)) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0),
  );
  return fail({ reason: 'manifest-invalid', file, problems: sorted.map(hideSecrets) });
}
