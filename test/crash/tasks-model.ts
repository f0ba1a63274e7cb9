/**
 * What somebody who reads the guide would expect of tasks, in as few words as possible: who has what, and who is given
 * what next. It knows nothing of disks, journals and processes.
 */

const phases = ['implement', 'review'] as const;
const leaseMs = 10 * 60_000;
const attemptsMax = 3;

export interface ModelUnit {
  readonly id: string;
  readonly needs: readonly string[];
  readonly touches: readonly string[];
}

export interface ModelStep {
  attempts: number;
  failures: number;
  doneBy: string | undefined;
  running: { actor: string; attempt: number; untilMs: number } | undefined;
}

export interface Found {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
}

export class Model {
  readonly steps = new Map<string, ModelStep>();
  readonly blocked = new Set<string>();
  readonly #units: readonly ModelUnit[];
  #nowMs: number;

  constructor(units: readonly ModelUnit[], nowMs: number) {
    this.#units = units;
    this.#nowMs = nowMs;
    for (const { id } of units)
      for (const phase of phases)
        this.steps.set(`${id}/${phase}`, { attempts: 0, failures: 0, doneBy: undefined, running: undefined });
  }

  set nowMs(ms: number) {
    this.#nowMs = ms;
  }

  get isDone(): boolean {
    return this.#units.every(({ id }) => this.#isDone(id));
  }

  /** What would be handed out next: what was begun comes first. Of a unit that is named, also what is one's own. */
  next(actor: string, wanted?: string): Found | undefined {
    const own = wanted === undefined ? undefined : this.#liveOf(wanted, actor);
    if (wanted !== undefined && own !== undefined) return this.#renewed(wanted, own, actor);
    const open = this.#units.filter((unit) => this.#isOpen(unit) && (wanted ?? unit.id) === unit.id);
    const unit = open.find(({ id }) => this.#cell(id, 'implement').doneBy !== undefined) ?? open[0];
    return unit && this.#claim(unit.id, actor);
  }

  /** The claim that an actor has on a unit, whether its lease runs or not: nobody else has claimed it since. */
  claimOf(actor: string, unit: string, attempt?: number): Found | undefined {
    for (const phase of phases) {
      const { running } = this.#cell(unit, phase);
      if (running?.actor === actor)
        return (attempt ?? running.attempt) === running.attempt
          ? { unit, phase, attempt: running.attempt }
          : undefined;
    }
    return undefined;
  }

  /** Whether a completion is only said again. */
  saidBefore(actor: string, unit: string, attempt?: number): boolean {
    const phase = phases.findLast((name) => this.#cell(unit, name).doneBy === actor);
    if (phase === undefined) return false;
    const { attempts } = this.#cell(unit, phase);
    return (attempt ?? attempts) === attempts;
  }

  end({ unit, phase }: Found, how: 'done' | 'failed' | 'given back' | 'renewed'): void {
    const step = this.#cell(unit, phase);
    const { running } = step;
    if (how === 'renewed' && running !== undefined) {
      running.untilMs = this.#nowMs + leaseMs;
      return;
    }
    step.running = undefined;
    if (how === 'failed') step.failures += 1;
    if (how !== 'done') return;
    step.failures = 0;
    step.doneBy = running?.actor;
  }

  #claim(unit: string, actor: string): Found {
    const phase = this.#phaseOf(unit) ?? '';
    const step = this.#cell(unit, phase);
    step.attempts += 1;
    step.running = { actor, attempt: step.attempts, untilMs: this.#nowMs + leaseMs };
    return { unit, phase, attempt: step.attempts };
  }

  #renewed(unit: string, phase: string, actor: string): Found {
    const step = this.#cell(unit, phase);
    const attempt = step.running?.attempt ?? 0;
    step.running = { actor, attempt, untilMs: this.#nowMs + leaseMs };
    return { unit, phase, attempt };
  }

  #isOpen({ id, needs, touches }: ModelUnit): boolean {
    const phase = this.#phaseOf(id);
    if (phase === undefined || this.blocked.has(id) || !needs.every((need) => this.#isDone(need)))
      return false;
    if (this.#isLive(id) || this.#cell(id, phase).failures >= attemptsMax) return false;
    const claimed = this.#units.filter((other) => other.id !== id && this.#isLive(other.id));
    return !claimed.some((other) => other.touches.some((path) => touches.includes(path)));
  }

  #phaseOf(unit: string): string | undefined {
    return phases.find((phase) => this.#cell(unit, phase).doneBy === undefined);
  }

  #isDone(unit: string): boolean {
    return this.#phaseOf(unit) === undefined;
  }

  #isLive(unit: string): boolean {
    return phases.some((phase) => (this.#cell(unit, phase).running?.untilMs ?? 0) > this.#nowMs);
  }

  #liveOf(unit: string, actor: string): string | undefined {
    return phases.find((phase) => {
      const { running } = this.#cell(unit, phase);
      return running?.actor === actor && running.untilMs > this.#nowMs;
    });
  }

  #cell(unit: string, phase: string): ModelStep {
    const step = this.steps.get(`${unit}/${phase}`);
    if (step === undefined) throw new Error(`no cell ${unit}/${phase}`);
    return step;
  }
}
