/** Some cells of a run. Not a set of their names: in a large run making those takes longer than all that is asked. */
export class StepSet {
  readonly #phases = new Map<string, string[]>();

  has(unit: string, phase: string): boolean {
    return this.#phases.get(unit)?.includes(phase) === true;
  }

  add(unit: string, phase: string): void {
    const phases = this.#phases.get(unit);
    if (phases === undefined) this.#phases.set(unit, [phase]);
    else if (!phases.includes(phase)) phases.push(phase);
  }

  addAll(other: StepSet): void {
    for (const [unit, phases] of other.#phases) for (const phase of phases) this.add(unit, phase);
  }

  delete(unit: string, phase: string): void {
    const phases = this.#phases.get(unit);
    const at = phases?.indexOf(phase) ?? -1;
    const last = at === -1 ? undefined : phases?.pop();
    if (phases !== undefined && last !== undefined && last !== phase) phases[at] = last;
  }
}
