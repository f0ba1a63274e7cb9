// What every contender makes: units through four phases, each phase from the output of the one before, 4 KB apiece.

export const phaseNames = ['plan', 'draft', 'edit', 'lint'];
const artifactBytesUsual = 4096;

export function unitName(/** @type {number} */ index) {
  return `u${String(index).padStart(6, '0')}`;
}

export function outputPath(/** @type {string} */ unit, /** @type {string} */ phase) {
  return `out/${phase}/${unit}.txt`;
}

/** No two cells have the same bytes, or the content store would keep them once. */
export function makeArtifact(
  /** @type {string} */ unit,
  /** @type {string} */ phase,
  before = filler,
  artifactBytes = artifactBytesUsual,
) {
  return `${unit} ${phase}\n${before}`.slice(0, artifactBytes);
}

/** Takes the engine's own function, since the folder of the build is chosen at run time. */
export function workloadPipeline(
  /** @type {(definition: object) => object} */ definePipeline,
  /** @type {{ units: number, durability: string, artifactBytes?: number }} */ {
    units,
    durability,
    artifactBytes,
  },
) {
  const phases = phaseNames.map((phase, at) => {
    const earlier = phaseNames[at - 1];
    return [
      phase,
      {
        run: (/** @type {Task} */ task) => ({
          text: makeArtifact(task.unit.id, phase, task.inputs.before?.text(), artifactBytes),
        }),
        ...(earlier === undefined ? {} : { inputs: { before: `${earlier}.text` } }),
        outputs: { text: `out/${phase}/{unit}.txt` },
      },
    ];
  });
  return definePipeline({
    pawl: 1,
    pipeline: 'bench',
    durability,
    units: { count: units, id: 'u{index:06}' },
    phases: Object.fromEntries(phases),
    pace: { concurrency: 64 },
  });
}

const filler = 'The pawl lets the ratchet turn forward and never slip back.\n'.repeat(80);

/**
 * What the engine calls a phase with, as far as this workload looks at it.
 * @typedef {{ unit: { id: string }, inputs: { before?: { text(): string } } }} Task
 */
