import type { Disk } from '../../../disk/disk.ts';
import { classifyLog } from '../../records/log-kind.ts';
import { type Opening, readOpening, type Segment } from './segment.ts';

/** A segment that counts, and how far. */
export interface PathStep {
  readonly segment: Segment;
  /** Undefined: all of it counts. */
  readonly limit: Limit | undefined;
  /** The checksum of its own pin, which continues an earlier segment. */
  readonly pin: string | undefined;
  /** False: its events have the words of version 1, or its header cannot be read and they may have. */
  readonly isVersion2: boolean;
}

/** Where a later segment's pin says that a segment ends. */
export interface Limit {
  /** Undefined where the pin itself is damaged: then only the number of the first event after it is known. */
  readonly pinned: { readonly length: number; readonly sum: string } | undefined;
  readonly seq: number;
}

export interface UnreadableSegment {
  readonly segment: Segment;
  readonly why: 'no-file' | 'misplaced';
}

/** An actor's segments, sorted out. */
export interface PinPath {
  /** Every file that is called like a segment. */
  readonly all: readonly Segment[];
  /** What counts, in the order of writing. */
  readonly steps: readonly PathStep[];
  /** Its maker died before it was pinned: it holds no events. */
  readonly unpinned: readonly Segment[];
  /** Passed over by a later pin: its writer had lost the lock and did not know it yet. */
  readonly void: readonly Segment[];
  /** Of a format that is not known here. */
  readonly newer: readonly { readonly segment: Segment; readonly writer: string | undefined }[];
  /** Named by a pin, and not there. */
  readonly missing: readonly number[];
  /** Nothing in them belongs to this place: no file, or a copy of another segment. */
  readonly unreadable: readonly UnreadableSegment[];
  /** The highest segment: its header names the owner. */
  readonly highest: { readonly segment: Segment; readonly opening: Opening } | undefined;
}

/**
 * Follows the pins from the newest segment back to the first, or to `downTo`. That path is the journal: a segment that
 * no pin leads to is void, however good its lines are.
 */
export function tracePins(disk: Disk, segments: readonly Segment[], actor: string, downTo = 0): PinPath {
  const steps: PathStep[] = [];
  const aside = {
    unpinned: [] as Segment[],
    void: [] as Segment[],
    newer: [] as { segment: Segment; writer: string | undefined }[],
    missing: [] as number[],
    unreadable: [] as UnreadableSegment[],
  };
  const epochs = new Set(segments.map(({ epoch }) => epoch));
  let highest: PinPath['highest'];
  let next: Continuation = { epoch: undefined, limit: undefined };
  for (const segment of segments.toReversed()) {
    if (segment.epoch < downTo || next.epoch === 0) break;
    const opening = readOpening(disk, segment, actor);
    // The log of another tool may be called like a segment.
    if (
      opening.header === 'unreadable' &&
      segment.epoch !== next.epoch &&
      classifyLog(disk, segment.path) === 'foreign'
    )
      continue;
    highest ??= { segment, opening };
    const why = whyUnreadable(disk, segment, opening, epochs);
    if (why !== undefined) {
      aside.unreadable.push({ segment, why });
      if (segment.epoch === next.epoch) next = withoutSegment(next);
    } else if (next.epoch !== undefined && segment.epoch > next.epoch) {
      (opening.first === undefined ? aside.unpinned : aside.void).push(segment);
    } else if (opening.header === 'newer') {
      aside.newer.push({ segment, writer: opening.writer });
      next = { epoch: undefined, limit: next.limit };
    } else if (segment.epoch === next.epoch || isReal(segment, opening)) {
      const pin = opening.first?.kind === 'pin' ? opening.first.sum : undefined;
      const isVersion2 = typeof opening.header === 'object' && opening.header.version >= 2;
      steps.push({ segment, limit: next.limit, pin, isVersion2 });
      next = whatItContinues(opening, next.limit);
      const { epoch, limit } = next;
      if (epoch !== undefined && epoch > 0 && !epochs.has(epoch)) {
        aside.missing.push(epoch);
        next = withoutSegment({ epoch, limit });
      }
    } else {
      aside.unpinned.push(segment);
    }
  }
  return { all: segments, steps: steps.reverse(), ...aside, highest };
}

/** Where an actor's journal goes on, backwards. Epoch undefined: in the next real segment, whichever that is. */
interface Continuation {
  readonly epoch: number | undefined;
  readonly limit: Limit | undefined;
}

/** What was pinned cannot be read: the numbers still tell what does not count further below. */
function withoutSegment({ limit }: Continuation): Continuation {
  return { epoch: undefined, limit: limit && { seq: limit.seq, pinned: undefined } };
}

/** Why nothing in a file can be a line of this segment. Never asked of one whose lines count without a header. */
function whyUnreadable(
  disk: Disk,
  segment: Segment,
  { header, copyOf }: Opening,
  epochs: ReadonlySet<number>,
): UnreadableSegment['why'] | undefined {
  if (copyOf !== undefined && epochs.has(copyOf)) return 'misplaced';
  if (header !== 'unreadable') return undefined;
  return disk.stat(segment.path)?.kind === 'file' ? undefined : 'no-file';
}

/** The first segment has nothing to continue; any other counts from its pin on. */
function isReal(segment: Segment, opening: Opening): boolean {
  return segment.epoch === 1 || opening.first !== undefined;
}

function whatItContinues({ first }: Opening, above: Limit | undefined): Continuation {
  if (first?.kind === 'pin') {
    const { epoch, length, seq } = first.pin;
    return { epoch, limit: { seq, pinned: { length, sum: first.prev } } };
  }
  // The pin is damaged. It named the newest real segment below, and numbers leave no gap: what is left tells enough.
  const seq = first === undefined ? above?.seq : first.kind === 'event' ? first.seq - 1 : first.seq;
  return { epoch: undefined, limit: seq === undefined ? undefined : { seq, pinned: undefined } };
}
