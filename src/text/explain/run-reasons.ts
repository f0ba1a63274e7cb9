import type { RunReason } from '../../model/reason.ts';
import { explained } from './explanation.ts';

/** Why a phase runs. */
export const runReasons = explained<RunReason['code']>(
  {
    follows:
      'The phase runs with the next pawl run. What depends on it runs again only if other bytes come out.',
    ways: ['pawl why UNIT/PHASE names every part that the result was made from'],
    page: 'docs/reference/changes.md',
  },
  {
    'never-ran': {
      what: 'No attempt at this phase of this unit was ever recorded, or none in this round of a gate’s loop.',
      follows: 'It runs as soon as everything that it needs is done.',
      ways: ['pawl plan shows all that would run, and in which units'],
    },
    'told-of-another': {
      what: 'The log of another tool says that a unit of this id is done. The list of units was made again after the run was taken over, and this is another task now.',
      follows: 'The task runs. What the log says of the other task stays in the log.',
      ways: ['pawl why UNIT/PHASE names the actor of the log'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    released: {
      what: 'The agent that had claimed it released the claim before it was done.',
      follows: 'It can be claimed again, under the next number. It does not count as a failure.',
      ways: ['pawl next hands it out'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    interrupted: {
      what: 'An attempt was recorded as started and never ended: whoever ran it was killed, or lost power. What it did, and what it paid, is in doubt.',
      follows:
        'What is left of its processes is ended, and it is tried again under the next number. An answer of a model that had arrived whole is taken over and not paid for again.',
      ways: [
        'pawl logs UNIT/PHASE shows what it left behind',
        'on_interrupt in the manifest: rerun, continue from what was left, or ask somebody first',
      ],
      page: 'docs/reference/manifest.md',
    },
    waited: {
      what: 'A provider of a model, or the step itself, had asked to wait, and the time has come.',
      follows: 'It is tried again. The wait has used up no attempt.',
      ways: ['pawl run --wait waits for such times by itself'],
      page: 'docs/guide/models.md',
    },
    'failed-before': {
      what: 'The last attempt failed, and the manifest grants another one.',
      follows:
        'It is tried again, after a pause in the same sitting or with the next pawl run. Attempts are counted over every resume.',
      ways: [
        'pawl logs UNIT/PHASE shows why it failed',
        'retries in the manifest says how often it is tried',
      ],
      page: 'docs/reference/manifest.md',
    },
    'gate-failed': {
      what: 'The gate found the round before not good enough and sent the unit back to this phase.',
      follows: 'The phase runs in the next round, with the report as its input where it takes it.',
      ways: ['pawl inspect lists the rounds with their scores and defects'],
      page: 'docs/guide/gates.md',
    },
    'input-changed': {
      what: 'An output of another phase, from which the result was made, has other bytes now.',
      ways: [
        'pawl diff UNIT/PHASE shows what changed',
        'pawl why UNIT/PHASE names the input with both hashes',
      ],
    },
    'output-missing': {
      what: 'A declared output of a phase that was done is not on disk any more.',
      ways: ['--restore puts the recorded bytes back instead of making them again'],
    },
    'output-damaged': {
      what: 'A declared output is there and cannot be right: it is no file, its check fails, or it is a copy of another cell’s output.',
      follows: 'The file is moved to the folder aside of the run, and the phase runs again.',
      ways: ['to have the recorded bytes back: move the file away and add --restore'],
    },
    'rerun-requested': {
      what: 'Somebody asked for it with --rerun-from or --rerun-all.',
      follows:
        'The results are superseded: no longer used, and nothing of them is deleted. The phase runs again.',
      ways: ['--unit narrows a rerun to some units', 'pawl inspect still lists the attempts before'],
    },
    'prompt-changed': {
      what: 'A template of its prompt changed, and the answer was to re-run: by an option (--rerun-changed, --resume-allow-prompt-change) or by a policy (on_change).',
      follows: 'The phase runs again with the new prompt. Both hashes and the reason given are on record.',
      ways: ['pawl prompt UNIT/PHASE --diff shows how the prompt differs from the one sent last'],
      page: 'docs/guide/prompts.md',
    },
    'chain-cascade': {
      what: 'A unit before it in the chain has committed another state, and the manifest says state.cascade: rerun.',
      follows: 'The unit runs again from the new state, and so do those after it.',
      ways: ['cascade: keep leaves later units as they are and shows them as outdated'],
      page: 'docs/reference/manifest.md',
    },
    'definition-changed': {
      what: 'The definition of the phase changed, and the answer was to re-run: by an option (--rerun-changed, --force) or by a policy (on_change).',
      follows: 'With --force it runs again in units that were not finished; finished units are kept.',
    },
    'unit-changed': {
      what: 'The fields of the unit, or its own file, changed, and the answer was to re-run: by a policy (on_change) or by an option (--rerun-changed, --force).',
      follows: 'What was made from the old ones runs again; with --force finished units are kept.',
    },
    'code-changed': {
      what: 'The code of the phase changed, and the answer was to re-run: by a policy (code) or by an option (--rerun-changed).',
      ways: ['code in the manifest: rerun, refuse, keep, ask or ignore'],
    },
    'file-changed': {
      what: 'A declared file changed, and the answer was to re-run: by a policy (on_change) or by an option (--rerun-changed).',
      ways: [
        'pawl diff shows how the file differs',
        'on_change in the manifest: refuse, ask, rerun, keep or ignore',
      ],
    },
    rejected: {
      what: 'A person said no to what was made, and what has to be otherwise.',
      follows:
        'The phase that the rejection sends back to runs again with the feedback as an input, and is asked about again, also if the bytes are the same.',
      ways: ['pawl history shows who said what, and when'],
      page: 'docs/guide/checkpoints.md',
    },
    'revision-requested': {
      what: 'A later phase of the unit found that this one has to be done again, and said why.',
      follows: 'It runs again with that reason as feedback; then the later phase gets its turn.',
      ways: ['revises in the manifest says which phases may ask for it'],
      page: 'docs/guide/checkpoints.md',
    },
    'pre-state-changed': {
      what: 'The state that it started from was edited by hand, and the edit was adopted.',
      follows: 'It runs again from the adopted state.',
      ways: ['pawl diff shows how the state differs'],
    },
  },
);
