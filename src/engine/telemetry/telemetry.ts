import type { Clock } from '../../base/clock.ts';
import type { Progress } from '../../runner/progress.ts';
import { type AttemptEnd, type AttemptName, attemptEndOf, phaseAttempts } from './attempt.ts';
import { type CallEnded, callSpan, measureCall } from './call.ts';
import type { Attributes, Span } from './encode.ts';
import { type ExportCounts, Exporter, type ExportTrouble } from './exporter.ts';
import { Measures } from './measures.ts';
import type { Send } from './post.ts';
import type { TelemetrySettings } from './settings.ts';

export type { ExportCounts } from './exporter.ts';
export type { Send } from './post.ts';

/** Tells OpenTelemetry of one sitting at a run. Nothing is decided by it, and nothing waits for it but `ended`. */
export interface Telemetry {
  /** A sitting that is begun anew, as when a stage has listed units, stays one. */
  begun(run: RunSeen): void;
  progress(progress: Progress): void;
  /**
   * Sends what is left and waits for that, no longer than the time limit. `failure` is a stable reason and makes the run
   * an error; so does the status `failed`.
   */
  ended(status: string, failure?: string): Promise<void>;
  readonly counts: ExportCounts;
}

export interface RunSeen {
  readonly id: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly kind: 'new' | 'resumed';
}

export interface TelemetryParts {
  readonly clock: Clock;
  readonly randomBytes: (size: number) => Uint8Array;
  /** `fetch`, unless told otherwise. */
  readonly send?: Send;
  /** Of the program. */
  readonly version?: string;
  /** Called once at most. */
  readonly onTrouble?: (trouble: TelemetryTrouble) => void;
}

/** The first thing that went wrong: variables that cannot be used, or why something was not sent. */
export type TelemetryTrouble =
  | ExportTrouble
  | { readonly reason: 'variable-unusable'; readonly names: readonly string[] };

export function createTelemetry(settings: TelemetrySettings, parts: TelemetryParts): Telemetry {
  return new SittingTelemetry(settings, parts);
}

interface Sitting {
  readonly run: RunSeen;
  readonly traceId: string;
  readonly spanId: string;
  readonly startMs: number;
}

interface OpenAttempt {
  readonly of: AttemptName;
  readonly spanId: string;
  readonly startMs: number;
  readonly iteration: number;
  readonly why: string;
}

const metricsEveryMs = 60_000;

class SittingTelemetry implements Telemetry {
  readonly #settings: TelemetrySettings;
  readonly #parts: TelemetryParts;
  readonly #exporter: Exporter;
  readonly #measures = new Measures();
  readonly #open = new Map<string, OpenAttempt>();
  #sitting: Sitting | undefined;
  #isOver = false;
  #metricsAtMs = 0;

  constructor(settings: TelemetrySettings, parts: TelemetryParts) {
    this.#settings = settings;
    this.#parts = parts;
    const { clock, send = fetch, version, onTrouble = ignore } = parts;
    const { traces, metrics, unusable } = settings;
    const isUsable = unusable.length === 0;
    if (!isUsable) onTrouble({ reason: 'variable-unusable', names: unusable });
    // Two sittings at a time would write one series, each with its own sums: hence an instance of its own.
    const resource = new Map([['service.instance.id', this.#id(16)], ...settings.resource]);
    this.#exporter = new Exporter({
      traces,
      metrics,
      sender: { resource, version },
      clock,
      send,
      onTrouble: isUsable ? onTrouble : ignore,
    });
  }

  get counts(): ExportCounts {
    return this.#exporter.counts;
  }

  begun(run: RunSeen): void {
    if (this.#sitting !== undefined) return;
    const traceId = this.#settings.parent?.traceId ?? this.#id(16);
    this.#sitting = { run, traceId, spanId: this.#id(8), startMs: this.#parts.clock.now() };
    this.#metricsAtMs = this.#parts.clock.monotonicMs();
  }

  progress(progress: Progress): void {
    const sitting = this.#sitting;
    if (sitting === undefined || this.#isOver) return;
    if (progress.type === 'attempt-started') {
      const { iteration, why } = progress;
      const open = { of: progress, spanId: this.#id(8), startMs: this.#now(sitting) };
      this.#open.set(keyOf(progress), { ...open, iteration, why: why.code });
    } else if (progress.type === 'call-ended') {
      this.#endCall(sitting, progress);
    } else {
      const end = attemptEndOf(progress);
      if (end !== undefined) this.#endAttempt(sitting, end);
    }
  }

  async ended(status: string, failure?: string): Promise<void> {
    const sitting = this.#sitting;
    if (sitting === undefined || this.#isOver) return;
    // Calls have been told as theirs: they must not be missing.
    for (const { of } of [...this.#open.values()]) {
      this.#endAttempt(sitting, { of, outcome: 'interrupted', ms: undefined });
    }
    this.#isOver = true;
    this.#exporter.addSpan(this.#runSpan(sitting, status, failure));
    this.#tellMetrics(sitting);
    await this.#exporter.flush();
  }

  #runSpan(sitting: Sitting, status: string, failure: string | undefined): Span {
    const { run, traceId, spanId, startMs } = sitting;
    const identity = Object.entries(run.identity).map(([key, value]) => [`pawl.identity.${key}`, value]);
    return {
      traceId,
      spanId,
      parentId: this.#settings.parent?.spanId,
      name: `pawl.run ${run.pipeline}`,
      kind: 'internal',
      startMs,
      endMs: this.#now(sitting),
      attributes: {
        'pawl.run.id': run.id,
        'pawl.run.kind': run.kind,
        'pawl.pipeline': run.pipeline,
        'pawl.status': status,
        'pawl.failure': failure,
        ...Object.fromEntries(identity),
      },
      error: failure ?? (status === 'failed' ? status : undefined),
    };
  }

  #endAttempt(sitting: Sitting, { of, outcome, ms, attributes, failure }: AttemptEnd): void {
    const open = this.#open.get(keyOf(of));
    this.#open.delete(keyOf(of));
    const endMs = this.#now(sitting);
    const { run, traceId } = sitting;
    this.#exporter.addSpan({
      traceId,
      spanId: open?.spanId ?? this.#id(8),
      parentId: sitting.spanId,
      name: `pawl.phase ${of.phase}`,
      kind: 'internal',
      startMs: ms === undefined ? Math.min(open?.startMs ?? endMs, endMs) : startOf(sitting, endMs, ms),
      endMs,
      attributes: {
        ...placeOf(run, of),
        'pawl.iteration': open && { int: open.iteration },
        'pawl.why': open?.why,
        'pawl.outcome': outcome,
        ...attributes,
      },
      error: failure,
    });
    const counted = { 'pawl.pipeline': run.pipeline, 'pawl.phase': of.phase, 'pawl.outcome': outcome };
    this.#measures.add(phaseAttempts, 1, counted);
    if (this.#parts.clock.monotonicMs() - this.#metricsAtMs >= metricsEveryMs) this.#tellMetrics(sitting);
  }

  #endCall(sitting: Sitting, call: CallEnded): void {
    const endMs = this.#now(sitting);
    const { run, traceId } = sitting;
    const { attributes, ...decided } = callSpan(call);
    this.#exporter.addSpan({
      traceId,
      spanId: this.#id(8),
      parentId: this.#open.get(keyOf(call))?.spanId ?? sitting.spanId,
      startMs: startOf(sitting, endMs, call.ms),
      endMs,
      ...decided,
      attributes: { ...placeOf(run, call), ...attributes },
    });
    measureCall(this.#measures, call, { 'pawl.pipeline': run.pipeline, 'pawl.phase': call.phase });
  }

  #tellMetrics(sitting: Sitting): void {
    this.#metricsAtMs = this.#parts.clock.monotonicMs();
    this.#exporter.setMetrics(this.#measures.metrics(sitting.startMs, this.#now(sitting)));
  }

  #id(bytes: number): string {
    return Buffer.from(this.#parts.randomBytes(bytes)).toString('hex');
  }

  /** The clock may have been put back: what is in a sitting does not end before it. */
  #now({ startMs }: Sitting): number {
    return Math.max(startMs, this.#parts.clock.now());
  }
}

function ignore(): void {}

function keyOf({ unit, phase, attempt }: AttemptName): string {
  return `${unit}\n${phase}\n${attempt}`;
}

function placeOf({ id }: RunSeen, { unit, phase, attempt }: AttemptName): Attributes {
  return { 'pawl.run.id': id, 'pawl.unit': unit, 'pawl.phase': phase, 'pawl.attempt': { int: attempt } };
}

/** Counted back from the end, so that a call lies within its attempt whatever the clock has done before. */
function startOf({ startMs }: Sitting, endMs: number, ms: number): number {
  return Math.min(endMs, Math.max(startMs, endMs - ms));
}
