import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { encodeMetrics, encodeTraces, type Metric, type Sender, type Span } from './encode.ts';
import { type PostTrouble, post, type Send } from './post.ts';
import type { Destination } from './settings.ts';

export interface ExporterParts {
  readonly traces: Destination | undefined;
  readonly metrics: Destination | undefined;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly send: Send;
  /** Told of the first trouble, and of no other: the next ones are most likely the same. */
  readonly onTrouble: (trouble: ExportTrouble) => void;
}

export interface ExportTrouble {
  readonly signal: 'traces' | 'metrics';
  readonly reason: PostTrouble['reason'] | 'refused' | 'queue-full';
  /** The host and port that it was meant for. */
  readonly to: string;
  readonly facts?: Readonly<Record<string, string | number>>;
}

/** Spans by what became of them, and requests with metrics that were lost. */
export interface ExportCounts {
  readonly spansSent: number;
  /** There was no room for them, or no time. */
  readonly spansDropped: number;
  /** They were sent in vain. */
  readonly spansFailed: number;
  readonly metricsFailed: number;
}

/**
 * Sends what it is given, in the background. Nothing here throws or is waited for but `flush`: a collector that is gone
 * costs the spans, never the run.
 */
export class Exporter {
  readonly #parts: ExporterParts;
  readonly #counts = { spansSent: 0, spansDropped: 0, spansFailed: 0, metricsFailed: 0 };
  #hasTold = false;
  /** Ends the requests under way. */
  #cut = new AbortController();
  #spans: Span[] = [];
  #sendingSpans: Promise<void> | undefined;
  #newest: readonly Metric[] | undefined;
  #sendingMetrics: Promise<void> | undefined;
  /** Ends the wait for a batch to fill. */
  #wake = new AbortController();
  #isInHurry = false;

  constructor(parts: ExporterParts) {
    this.#parts = parts;
  }

  get counts(): ExportCounts {
    return this.#counts;
  }

  addSpan(span: Span): void {
    const { traces } = this.#parts;
    if (traces === undefined) return;
    if (this.#spans.length >= queueMax) {
      this.#counts.spansDropped += 1;
      this.#tell('traces', traces, { reason: 'queue-full', facts: { max: queueMax } });
      return;
    }
    this.#spans.push(span);
    if (this.#spans.length >= batchMax) this.#wake.abort();
    this.#sendingSpans ??= this.#sendSpans(traces);
  }

  /** Takes the place of what was given before and has not been sent yet: metrics hold all since the start. */
  setMetrics(metrics: readonly Metric[]): void {
    const destination = this.#parts.metrics;
    // Whoever receives nothing in an envelope may take it for a mistake.
    if (destination === undefined || metrics.length === 0) return;
    this.#newest = metrics;
    this.#sendingMetrics ??= this.#sendMetrics(destination);
  }

  /** Sends what there is, and waits for that no longer than the time limit. What is not gone by then is dropped. */
  async flush(): Promise<void> {
    const { clock, traces, metrics } = this.#parts;
    this.#isInHurry = true;
    this.#wake.abort();
    const timer = new AbortController();
    const timeoutMs = Math.max(traces?.timeoutMs ?? 0, metrics?.timeoutMs ?? 0);
    const sent = Promise.all([this.#sendingSpans, this.#sendingMetrics]).then(() => 'sent' as const);
    const late = clock.sleep(timeoutMs, timer.signal).then(() => 'late' as const);
    const outcome = await Promise.race([sent, late]);
    timer.abort();
    this.#isInHurry = false;
    if (outcome === 'late') this.#giveUp(timeoutMs);
  }

  /** The requests under way end by this only later: whoever waits is told first. */
  #giveUp(timeoutMs: number): void {
    const { traces, metrics } = this.#parts;
    const trouble = { reason: 'timed-out', facts: { timeoutMs } } as const;
    if (this.#sendingSpans !== undefined && traces !== undefined) this.#tell('traces', traces, trouble);
    else if (metrics !== undefined) this.#tell('metrics', metrics, trouble);
    this.#counts.spansDropped += this.#spans.length;
    this.#spans = [];
    this.#newest = undefined;
    this.#cut.abort();
    this.#cut = new AbortController();
  }

  async #sendSpans(traces: Destination): Promise<void> {
    while (this.#spans.length > 0) {
      if (this.#spans.length < batchMax && !this.#isInHurry) await this.#waitForMore();
      const batch = this.#spans.splice(0, batchMax);
      const refused = await this.#post('traces', traces, () => encodeTraces(this.#parts.sender, batch));
      const lost = Math.min(refused ?? batch.length, batch.length);
      this.#counts.spansSent += batch.length - lost;
      this.#counts.spansFailed += lost;
    }
    this.#sendingSpans = undefined;
  }

  async #sendMetrics(destination: Destination): Promise<void> {
    while (this.#newest !== undefined) {
      const metrics = this.#newest;
      this.#newest = undefined;
      const refused = await this.#post('metrics', destination, () =>
        encodeMetrics(this.#parts.sender, metrics),
      );
      if (refused !== 0) this.#counts.metricsFailed += 1;
    }
    this.#sendingMetrics = undefined;
  }

  async #waitForMore(): Promise<void> {
    this.#wake = new AbortController();
    await this.#parts.clock.sleep(batchWaitMs, this.#wake.signal);
  }

  /** How much of it was refused; undefined: all of it is lost. */
  async #post(
    signal: ExportTrouble['signal'],
    destination: Destination,
    encode: () => JsonObject,
  ): Promise<number | undefined> {
    const { clock, send } = this.#parts;
    const posted = await post({ clock, send, cut: this.#cut.signal }, destination, encode());
    if (!posted.ok) {
      this.#tell(signal, destination, posted.failure);
      return undefined;
    }
    const refused = posted.value;
    if (refused > 0) this.#tell(signal, destination, { reason: 'refused', facts: { count: refused } });
    return refused;
  }

  #tell(
    signal: ExportTrouble['signal'],
    { url }: Destination,
    trouble: Pick<ExportTrouble, 'reason' | 'facts'>,
  ): void {
    if (this.#hasTold) return;
    this.#hasTold = true;
    this.#parts.onTrouble({ signal, to: new URL(url).host, ...trouble });
  }
}

const batchMax = 512;
const queueMax = 4096;
/** What is seen of a run while it goes on is at most so old. */
const batchWaitMs = 5000;
