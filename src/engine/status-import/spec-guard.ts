import type { Hash } from '../../base/hash.ts';
import type { ReadHash } from '../../import/status-page/read.ts';
import type { Phase } from '../../model/definition.ts';
import type { RevisionRecorded } from '../../model/event.ts';
import type { StatusTrouble } from '../../model/failure.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import type { Workspace } from '../open/workspace.ts';
import { fits, hashAt, listedHash, rowOf } from './page-files.ts';
import type { FoundPage } from './pages.ts';

/** The file that the pipeline calls its spec, for one unit. */
interface SpecFile {
  readonly path: string;
  /** The phase that makes it; undefined: a declared file. */
  readonly phase: Phase | undefined;
}

/**
 * Why the spec of a page cannot be compared with the recorded one. Nothing may run then, because the other files may have
 * been made from another spec.
 */
export function unverifiableSpec(workspace: Workspace, found: FoundPage): StatusTrouble[] {
  const spec = specFile(workspace, found);
  if (spec === undefined) return unnamedSpec(workspace, found);
  const { path, page, findings } = found;
  const trouble = (line: number, why: string, value: string): StatusTrouble[] => [
    { path, line, code: 'spec-unverifiable', facts: { file: spec.path, why, value } },
  ];
  const isSpecListed = page.completed.some(({ stage }) => stage === spec.phase?.name);
  const isSpecDone = spec.phase === undefined || isSpecListed;
  const unread = findings.find(
    (finding) =>
      (finding.code === 'hash-unreadable' && finding.of === 'spec_hash') ||
      (finding.code === 'placeholder-left' && finding.key === 'hash' && isSpecDone),
  );
  const recorded = page.specHash ?? rowHash(found, spec);
  if (recorded?.kind === 'abbreviated') return trouble(lineOf(found, spec), 'hash-shortened', recorded.text);
  if (unread !== undefined && page.specHash === undefined)
    return trouble(unread.line, 'hash-malformed', 'value' in unread ? String(unread.value) : '');
  if ((recorded !== undefined || isSpecListed) && hashAt(workspace, spec.path) === undefined)
    return trouble(lineOf(found, spec), 'missing', recorded?.hash ?? '');
  return [];
}

/** The manifest does not say which file the spec is. Then one of the known files has to have the recorded hash. */
function unnamedSpec(workspace: Workspace, found: FoundPage): StatusTrouble[] {
  const { path, page, findings } = found;
  const trouble = (line: number, why: string, value: string): StatusTrouble[] => [
    { path, line, code: 'spec-unverifiable', facts: { why, value } },
  ];
  const recorded = page.specHash;
  const unread = findings.flatMap((finding) =>
    finding.code === 'hash-unreadable' && finding.of === 'spec_hash' ? [finding] : [],
  );
  if (unread[0] !== undefined) return trouble(unread[0].line, 'hash-malformed', unread[0].value);
  if (recorded?.kind === 'abbreviated')
    return trouble(shortenedLine(found) ?? 1, 'hash-shortened', recorded.text);
  if (recorded === undefined || knownFiles(workspace, found).some((hash) => hash === recorded.hash))
    return [];
  return trouble(1, 'unnamed', recorded.hash);
}

/** What the page lists, the stage makes and the manifest declares, as it is now. */
function knownFiles(workspace: Workspace, found: FoundPage): (Hash | undefined)[] {
  const { stage, unit, page } = found;
  const made = stage.phases.flatMap(({ outputs }) =>
    outputs.map((output) => expandPattern(output.path, unit, 1)),
  );
  const declared = workspace.loaded.pipeline.files.map((file) => file.path);
  return [
    ...page.completed.map(({ artifact }) => artifact && listedHash(workspace, found, artifact.path)),
    ...[...made, ...declared].map((path) => hashAt(workspace, path)),
  ];
}

/** The file of the spec, where its bytes are not those that a page records; undefined: they are, or it records none. */
export function otherSpec(
  workspace: Workspace,
  found: FoundPage,
): { readonly file: string; readonly line: number; readonly isThere: boolean } | undefined {
  const spec = specFile(workspace, found);
  const recorded = found.page.specHash;
  if (spec === undefined || recorded === undefined) return undefined;
  const now = hashAt(workspace, spec.path);
  if (now !== undefined && fits(recorded, now)) return undefined;
  return { file: spec.path, line: lineOf(found, spec), isThere: now !== undefined };
}

/** Where two parts of the page, or the page and a file, cannot both be right. */
export function contradictions(workspace: Workspace, found: FoundPage): StatusTrouble[] {
  const { page, path } = found;
  const troubles: StatusTrouble[] = [];
  const tell = (line: number, code: string, value: string) =>
    troubles.push({ path, line, code, facts: { value } });
  for (const { artifact, line } of page.completed) {
    if (artifact?.hash?.kind !== 'abbreviated') continue;
    const actual = listedHash(workspace, found, artifact.path);
    if (actual !== undefined && !fits(artifact.hash, actual)) tell(line, 'hash-contradicts', artifact.path);
  }
  const spec = specFile(workspace, found);
  if (spec?.phase === undefined || page.specHash?.kind !== 'full') return troubles;
  const row = rowOf(found, spec.phase.name, spec.path);
  if (row?.artifact?.hash?.kind === 'full' && row.artifact.hash.hash !== page.specHash.hash)
    tell(row.line, 'spec-hash-contradicts', spec.path);
  const isWhole = spec.phase.outputs.every(
    ({ optional, path: pattern }) =>
      optional || hashAt(workspace, expandPattern(pattern, found.unit, 1)) !== undefined,
  );
  // Its phase would run again, and replace the changed spec.
  if (hashAt(workspace, spec.path) !== page.specHash.hash && !isWhole) tell(1, 'spec-changed', spec.path);
  return troubles;
}

/** The hash that the page gives for an output; undefined: none. */
export function recordedHash(
  workspace: Workspace,
  found: FoundPage,
  phase: string,
  path: string,
): ReadHash | undefined {
  const spec = specFile(workspace, found);
  const isSpec = spec?.phase?.name === phase && spec.path === path;
  return (isSpec ? found.page.specHash : undefined) ?? rowOf(found, phase, path)?.artifact?.hash;
}

/** A spec that is a declared file counts as the one that the page knew. */
export function withSpec(
  { loaded }: Workspace,
  revision: RevisionRecorded,
  pages: readonly FoundPage[],
): RevisionRecorded {
  const { spec } = loaded.pipeline.layout;
  if (typeof spec !== 'string') return revision;
  const hashes = pages.flatMap(({ page }) => (page.specHash?.kind === 'full' ? [page.specHash] : []));
  const now = Object.values(revision.phases).find(({ files }) => files[spec] !== undefined)?.files[spec]
    ?.hash;
  // One page that knew another spec is enough to ask.
  const known = hashes.find(({ hash }) => hash !== now) ?? hashes[0];
  if (known === undefined) return revision;
  const phases = Object.entries(revision.phases).map(([name, statics]) => {
    const file = statics.files[spec];
    if (file === undefined) return [name, statics];
    return [name, { ...statics, files: { ...statics.files, [spec]: { ...file, hash: known.hash } } }];
  });
  return { ...revision, phases: Object.fromEntries(phases) };
}

/** The spec as it is now; undefined: the pipeline names none, or it is missing. */
export function specNow(workspace: Workspace, found: FoundPage): Hash | undefined {
  const spec = specFile(workspace, found);
  return spec && hashAt(workspace, spec.path);
}

function specFile({ loaded }: Workspace, { stage, unit }: FoundPage): SpecFile | undefined {
  const { layout, files } = loaded.pipeline;
  const { spec } = layout;
  if (spec === undefined) return undefined;
  if (typeof spec === 'string') {
    const path = files.find(({ name }) => name === spec)?.path;
    return path === undefined ? undefined : { path, phase: undefined };
  }
  const phase = stage.phases.find(({ name }) => name === spec.phase);
  const output = phase?.outputs.find(({ name }) => name === spec.output);
  return output && { path: expandPattern(output.path, unit, 1), phase };
}

function rowHash(found: FoundPage, { phase, path }: SpecFile): ReadHash | undefined {
  return phase && rowOf(found, phase.name, path)?.artifact?.hash;
}

/** Of the recorded hash, so that it can be put right. */
function lineOf(found: FoundPage, { phase, path }: SpecFile): number {
  return shortenedLine(found) ?? (phase && rowOf(found, phase.name, path))?.line ?? 1;
}

function shortenedLine({ findings }: FoundPage): number | undefined {
  return findings.find((finding) => finding.code === 'hash-abbreviated' && finding.of === 'spec_hash')?.line;
}
