import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callProcess } from '../base/call-process.ts';
import { checksum, hashBytes } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { AgentName } from '../engine/agents/supports.ts';
import { finishedStepAt } from '../engine/brief/finished-step.ts';
import { type BriefState, writeBriefState } from '../engine/brief/state-file.ts';
import { systemEnvironment } from '../engine/environment.ts';
import { respond } from './respond.ts';
import { showStatus } from './statusline.ts';
import type { Input } from './stdin.ts';
import type { World } from './world.ts';

/* For the tests: a workspace with a run in it whose brief was written by hand, and a world with a clock that stands. */

type Brief = BriefState['brief'];

const { disk } = systemEnvironment();
export const startMs = Date.parse('2026-11-16T10:00:00.000Z');
const runFolder = '.pawl/runs/r1';

export type TestState = Omit<Partial<BriefState>, 'brief'> & {
  readonly brief?: { readonly [Section in keyof Brief]?: unknown };
};

export class TestSpace {
  readonly root: string;
  now = startMs;
  /** What `refresh` does; it must not be needed unless a test says so. */
  refresh: World['refresh'] = async () => {
    throw new Error('not to be refreshed');
  };
  /** Whether the process that holds the run lives. */
  runner: 'alive' | 'dead' | 'unknown' = 'unknown';
  /** The folder of the attempt that the agent is started for. */
  attempt: string | undefined;
  /** How Pawl is started here. */
  command = 'pawl';
  #count = 0;

  constructor() {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-hooks-')));
  }

  get world(): World {
    return {
      env: {
        disk,
        host: {
          self: { pid: 1, started: '', boot: 'this-boot', host: 'here' },
          isAlive: () => this.runner,
          startedAt: () => undefined,
          ancestors: () => [],
          openedBy: () => 'unknown',
        },
        clock: { now: () => this.now, monotonicMs: () => this.now, sleep: () => Promise.resolve() },
        ids: { random: (length) => String(this.#count++).padStart(length, 'a') },
        process: callProcess({}),
        cwd: this.root,
        stateFolder: join(this.root, 'user-state'),
      },
      folders: [],
      command: () => this.command,
      attempt: this.attempt,
      finishedStep: async (root, run, path) => finishedStepAt(this.world.env, root, run, path),
      refresh: (root, folder) => this.refresh(root, folder),
    };
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The log of the workspace, line by line. */
  get log(): string[] {
    try {
      return this.read('.pawl/hook.log').trimEnd().split('\n');
    } catch {
      return [];
    }
  }

  inboxNames(): string[] {
    try {
      return readdirSync(this.path(`${runFolder}/inbox`)).sort();
    } catch {
      return [];
    }
  }

  inboxFile(name: string): JsonObject {
    return JSON.parse(this.read(`${runFolder}/inbox/${name}`));
  }

  putInInbox(name: string, content: string | JsonObject): void {
    this.write(`${runFolder}/inbox/${name}`, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** The notes, in the order in which they were left. */
  notes(): JsonObject[] {
    return this.inboxNames()
      .filter((name) => /^\d/.test(name))
      .map((name) => this.inboxFile(name));
  }

  /** Makes a run with a journal of that many events, and the brief that tells of all of it. */
  putRun(change: TestState = {}, events = 10): BriefState {
    const state = stateOf(change, events);
    this.setJournal(events, { folder: state.folder });
    writeBriefState(disk, this.root, state);
    if (!state.isSection) this.write(state.path, documentOf(state.brief));
    return state;
  }

  /** Somebody writes on in the journal. */
  setJournal(events: number, change: JournalChange = {}): void {
    const { folder = runFolder, ...rest } = change;
    this.write(`${folder}/events/runner/000001.jsonl`, journalOf(events, rest).text);
  }

  /** Sends a payload to the hook of an agent: what was printed. */
  async send(agent: AgentName, payload: unknown, event?: string): Promise<string> {
    return this.sendText(agent, { kind: 'text', text: JSON.stringify(payload) }, event);
  }

  async sendText(agent: string, input: Input, event?: string): Promise<string> {
    let printed = '';
    const print = (text: string) => {
      printed += text;
      return true;
    };
    await respond(this.world, event === undefined ? [agent] : [agent, event], input, print);
    return printed;
  }

  async status(payload: unknown): Promise<string> {
    let printed = '';
    const print = (text: string) => {
      printed += text;
      return true;
    };
    await showStatus(this.world, { kind: 'text', text: JSON.stringify(payload) }, print);
    return printed;
  }
}

/** The text for the model in an answer of Claude Code's shape; undefined where nothing was printed. */
export function contextOf(printed: string): string | undefined {
  if (printed === '') return undefined;
  return JSON.parse(printed).hookSpecificOutput.additionalContext;
}

export interface JournalChange {
  readonly folder?: string;
  readonly isClosed?: boolean;
  /** Of the machine that made it. */
  readonly boot?: string;
}

export function stateOf(
  { brief: change, folder = runFolder, ...rest }: TestState,
  events: number,
): BriefState {
  const { status = 'stopped' } = rest;
  const merged = { ...emptyBrief, ...change } as Brief;
  const recovery = { ...merged.recovery_state, workflow_status: status };
  const brief = { ...merged, recovery_state: recovery };
  return {
    run: 'r1',
    pipeline: 'book',
    folder,
    status,
    heads: new Map([['runner', headAt(events)]]),
    path: `${folder}/brief.yaml`,
    isSection: false,
    phaseSince: '2026-11-16T09:00:00.000Z',
    sessionSince: '',
    hash: hashBytes(documentOf(brief)),
    survey: {} as BriefState['survey'],
    progress: { done: 14, total: 40 },
    usd: 3.1,
    digest: '# book: stopped\n\n## Next step\nWrite scene 4.',
    ...rest,
    brief,
  };
}

/** Where a journal of so many events ends. */
export function headAt(events: number, change?: JournalChange): Position {
  const { text, sum } = journalOf(events, change);
  return { epoch: 1, length: text.length, seq: events, sum, at: '' };
}

type Position = NonNullable<ReturnType<BriefState['heads']['get']>>;

/** As much of the document as hooks read. */
function documentOf({ recovery_state: state }: Brief): string {
  const phase = state.current_phase ?? 'null';
  const lines = [`updated_at: ${state.updated_at ?? 'null'}`, `current_phase: ${phase}`];
  const text = [...lines, `workflow_status: ${state.workflow_status}`]
    .map((line) => `    ${line}\n`)
    .join('');
  return `resumption:\n  recovery_state:\n${text}`;
}

/** As `docs/formats/journal.md` has it. A longer one begins like a shorter one. */
function journalOf(events: number, { isClosed = false, boot = 'this-boot' }: JournalChange = {}) {
  const at = '2026-11-16T09:59:00.000Z';
  const holder = { pid: 77, started: '1', boot, host: 'here' };
  let [text, sum] = ['', ''];
  const add = (fields: object) => {
    const open = JSON.stringify(fields).slice(0, -1);
    sum = checksum(open);
    text += `${open},"sum":"${sum}"}\n`;
  };
  add({ pawl: 'journal', version: 1, actor: 'runner', epoch: 1, holder, opened: at });
  for (let seq = 1; seq <= events; seq++) add({ seq, at, type: 'tested', prev: sum });
  if (isClosed) add({ closed: { at, seq: events }, prev: sum });
  return { text, sum };
}

const emptyBrief: Brief = {
  recovery_state: {
    last_checkpoint: 'CP-014',
    current_phase: 2,
    current_phase_name: 'write',
    workflow_status: 'ACTIVE',
    current_activity: 'writing',
    next_step: 'Write scene 4.',
    context_fill_at_update: null,
    updated_at: '2026-11-16T09:59:00.000Z',
  },
  files_to_read: [],
  quality_trajectory: {
    gates_completed: [],
    gates_remaining: ['QG-1', 'QG-2'],
    current_gate: 'QG-1',
    current_gate_iteration: 2,
    score_history: { 'QG-1': [0.81] },
    lowest_dimension: null,
    total_iterations_used: 1,
  },
  defect_summary: {
    total_defects_found: 0,
    total_defects_resolved: 0,
    unresolved_defects: [],
    recurring_patterns: [],
    last_gate_primary_defect: null,
  },
  decision_log: [],
  agent_summaries: {},
  compaction_events: { count: 0, events: [] },
};
