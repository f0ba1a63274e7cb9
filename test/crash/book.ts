import type { JsonValue } from '../../src/base/json.ts';
import type { Durability } from '../../src/model/definition.ts';
import { type DefinedPipeline, definePipeline } from '../../src/pipeline/define.ts';
import type { PhaseFunction, PhaseTask } from '../../src/runner/executors/task.ts';
import type { MemoryDisk } from '../memory/memory-disk.ts';
import type { Judge } from './judge.ts';

/*
 * The small run that is crashed: two scenes in a chain, each planned, written, linted and committed to the state. The
 * second scene's first text has a flaw, so that its gate goes round once. Everything is a function of its inputs.
 */

export const root = '/home/me/book';
/** Kept outside the workspace, as the heads of the journals are. */
export const stateFolder = '/home/me/.local/state/pawl';

export const units = ['one', 'two'] as const;

/** What the run has made when it is finished, relative to the root. */
export const declaredPaths: readonly string[] = [
  'state.json',
  ...units.flatMap((unit) => [
    `draft/${unit}/card.json`,
    `draft/${unit}/text.md`,
    `draft/${unit}/repaired.md`,
    `draft/${unit}/report.json`,
    `scenes/${unit}.md`,
    `state/${unit}.json`,
  ]),
];

/** What tells of it: its bytes hang on when it was made. */
export const ledgerPaths: readonly string[] = units.map((unit) => `ledger/${unit}.json`);

export const writeTemplate = {
  path: 'templates/write.md',
  before: template('Write'),
  after: template('Sing'),
};

/** A workspace before anything was run in it. */
export function prepareWorkspace(disk: MemoryDisk): void {
  const files = {
    'templates/system.md': 'You write {{ pipeline }}.\n',
    'templates/plan.md': 'Plan scene {{ unit.id }}.\n',
    [writeTemplate.path]: writeTemplate.before,
    'templates/repair.md': 'Mend this:\n{{ inputs.text }}\nReport:\n{{ inputs.report }}\n',
    'seed.json': '{"scenes":[]}\n',
  };
  for (const [path, text] of Object.entries(files)) disk.putFile(`${root}/${path}`, text);
}

export function bookPipeline(judge: Judge, durability: Durability): DefinedPipeline<PhaseFunction> {
  const phase =
    (make: (task: PhaseTask) => Record<string, string>): PhaseFunction =>
    async (task) => {
      const outputs = make(task);
      await judge.executed(task, outputs);
      return outputs;
    };
  const text = ['repair.text', 'write.text'];
  return definePipeline<PhaseFunction>({
    pawl: 1,
    pipeline: 'book',
    durability,
    state: { path: 'state.json', initial: 'seed.json' },
    layout: { ledger: 'ledger/{unit}.json' },
    units: { list: [...units], order: 'chain' },
    phases: {
      plan: {
        prompt: { system: 'templates/system.md', phase: 'templates/plan.md' },
        run: phase(plan),
        outputs: { card: { path: 'draft/{unit}/card.json', check: 'json' } },
      },
      write: {
        state: 'read',
        prompt: { system: 'templates/system.md', phase: writeTemplate.path },
        run: phase(write),
        outputs: { text: { path: 'draft/{unit}/text.md', check: 'non-empty' } },
      },
      repair: {
        when: 'gate-failed',
        prompt: 'templates/repair.md',
        run: phase(repair),
        inputs: { text, report: 'lint.report' },
        outputs: { text: { path: 'draft/{unit}/repaired.md', check: 'non-empty' } },
      },
      lint: {
        needs: ['write', 'repair'],
        run: phase(lint),
        inputs: { text },
        outputs: { report: { path: 'draft/{unit}/report.json', check: 'json' } },
        // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
        gate: { verdict: 'report.status', pass: ['pass'], back_to: 'repair', iterations: 3, then: 'stop' },
      },
      commit: {
        state: 'write',
        run: phase(commit),
        inputs: { text },
        outputs: { scene: 'scenes/{unit}.md' },
      },
    },
  });
}

function template(verb: string): string {
  return `${verb} scene {{ unit.id }} after {{ state.scenes.size }} others.\n{{ inputs.card }}\n`;
}

function plan({ unit, prompt }: PhaseTask): Record<string, string> {
  return { card: json({ scene: unit.id, asked: prompt?.text ?? '' }) };
}

function write({ unit, prompt }: PhaseTask): Record<string, string> {
  return { text: `Scene ${unit.id}.${unit.id === 'two' ? ' A flaw.' : ''}\n${prompt?.text}` };
}

function repair({ inputs }: PhaseTask): Record<string, string> {
  return { text: (inputs.text?.text() ?? '').replace(' A flaw.', ' Mended.') };
}

function lint({ inputs }: PhaseTask): Record<string, string> {
  return { report: json({ status: inputs.text?.text().includes('flaw') ? 'fail' : 'pass' }) };
}

function commit({ unit, inputs, state }: PhaseTask): Record<string, string> {
  const { scenes } = (state?.json() ?? { scenes: [] }) as { scenes: string[] };
  const text = inputs.text?.text() ?? '';
  return {
    scene: `# ${unit.id}\n${text}`,
    state: json({ scenes: [...scenes, `${unit.id}: ${text.length}`] }),
  };
}

function json(value: JsonValue): string {
  return `${JSON.stringify(value)}\n`;
}
