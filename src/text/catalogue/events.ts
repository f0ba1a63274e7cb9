import type { EventType } from '../../model/event.ts';
import { makeEntries } from './entry.ts';

/** What stands in the journal. */
export const events = makeEntries<EventType>(
  {
    follows: 'It stands in the journal for good, and everything else is made from it.',
    ways: ['pawl inspect shows what was done'],
    page: 'docs/reference/events.md',
  },
  {
    run_created: {
      what: 'The first event of every run: which pipeline works on which identity, and by which manifest.',
      ways: ['pawl runs lists all runs'],
    },
    revision_recorded: {
      what: 'What every phase depends on in all units, definitions, templates, declared files and code, as it was from here on.',
      follows: 'Later results are compared with it, so that a change can be named with its old and new hash.',
      ways: ['pawl diff shows what changed since'],
    },
    run_resumed: {
      what: 'A later process took the run up again.',
      ways: ['pawl status shows where it stands'],
    },
    run_ended: {
      what: 'The holder let go of the run in good order: completed, stopped, paused, waiting for a person, or ended for good.',
      follows: 'A run whose holder is gone without this event is interrupted.',
      ways: ['pawl runs shows how each one stands'],
    },
    attempt_started: {
      what: 'An attempt is about to be made, with all that it is made from. Of work for agents, that it was claimed.',
      follows:
        'It is durable before anything is paid, so that a crash leaves an attempt in doubt and never a surprise.',
      ways: ['pawl logs UNIT/PHASE shows the attempts'],
    },
    process_started: {
      what: 'A child process belongs to an attempt.',
      follows: 'What is left of it is ended before the phase runs again.',
    },
    attempt_succeeded: {
      what: 'Every declared output was made, passed its check, and its bytes are in the content store.',
      follows: 'From here on the result is acknowledged; the outputs are then put at their paths.',
    },
    attempt_failed: {
      what: 'An attempt ended without a usable result, for a stable reason.',
      follows: 'It counts against retries and limits, but for what only settings can mend.',
      ways: ['pawl logs UNIT/PHASE shows why', 'pawl explain with the reason says more'],
    },
    attempt_interrupted: {
      what: 'An attempt was ended by a signal that the runner received, or an agent released its claim.',
      follows: 'It is made again by the next run.',
    },
    attempt_paused: {
      what: 'An attempt has to wait: a provider has a limit, or the step asked to. Nothing has failed.',
      follows: 'It goes on with another attempt from the time that is recorded, and none is used up.',
      ways: ['pawl run --wait waits for it'],
    },
    outputs_restored: { what: 'Outputs were put back at their paths from the content store.' },
    checkpoint_asked: {
      what: 'A person has to decide: a question with a number, about certain bytes.',
      follows: 'It is on record before anybody is told, and asked once.',
      ways: ['pawl checkpoints lists what waits'],
    },
    checkpoint_decided: {
      what: 'A person’s word: who, by which channel, when, why, and about which bytes.',
      follows: 'It counts for those bytes and for no others. The first word on a question counts.',
      ways: ['pawl history lists every decision'],
    },
    revision_requested: {
      what: 'An attempt found that an earlier phase has to be done again; it made nothing itself.',
      follows: 'The earlier phase runs again with the reason as feedback.',
    },
    results_superseded: {
      what: 'These results are no longer used, because somebody asked for a rerun or allowed a change.',
      follows: 'The phases run again. Nothing is deleted.',
    },
    results_kept: {
      what: 'Results stand although what they were made from has changed: a person said so.',
      follows: 'They count as made from what is there now.',
    },
    results_restored: {
      what: 'Results of earlier attempts count again: a decision was taken back, or an attempt was chosen.',
      follows: 'Their bytes are put back at their paths. Later results stay in the content store.',
      ways: ['pawl history shows which decision was taken back, by whom and why'],
    },
    artifact_adopted: {
      what: 'A file that was edited by hand, or that no attempt made, is from now on the result.',
      follows: 'What depends on it runs again.',
    },
    override_used: {
      what: 'A person opened one guard, or went past a limit, for this once.',
      follows: 'Which guard, by which option, why and for what stays on record.',
    },
    stop_requested: {
      what: 'The run was asked to stop while attempts were running: Ctrl-C, SIGTERM, or a closed terminal.',
      follows:
        'An attempt that was then ended is no interruption of the kind that retries.interruptions counts.',
    },
    outputs_verified: {
      what: 'After a reboot every output was read and hashed.',
      follows: 'From here on an unchanged stat is trusted again.',
      ways: ['pawl verify --deep hashes all of them at any time'],
    },
    damage_accepted: {
      what: 'A person looked at a damaged journal and went on with what is readable (pawl repair).',
      follows: 'These findings are still told, and stop nothing any more.',
      ways: ['pawl verify shows them as accepted'],
    },
    lease_renewed: {
      what: 'Whoever claimed a task is still at it (pawl heartbeat).',
      follows: 'The lease starts anew, and the task counts as in progress.',
      ways: ['pawl status shows who has what'],
    },
    completion_refused: {
      what: 'Somebody said that work was done which was no longer theirs.',
      follows: 'It does not count. What they left is kept in the folder that is recorded.',
      ways: ['look into the folder aside of the run'],
    },
    task_blocked: {
      what: 'A unit cannot go on before somebody does something about it.',
      follows: 'Nobody is given the unit.',
      ways: ['pawl unblock, when it is settled'],
    },
    task_unblocked: {
      what: 'What blocked a unit is settled.',
      follows: 'The unit can be claimed or run again.',
    },
    decision_recorded: {
      what: 'Something was decided on the way that whoever comes later has to know (pawl decide).',
      follows: 'It is told in the brief. It is no approval, and no plan looks at it.',
      ways: ['pawl brief lists the decisions'],
    },
    decision_applied: {
      what: 'What a decision says has been done (pawl decide --applied).',
      follows: 'The brief shows it as applied.',
      ways: ['pawl brief lists the decisions'],
    },
    summary_recorded: {
      what: 'One line that an agent left behind about what it has done (pawl summary).',
      follows: 'It is told in the brief.',
      ways: ['pawl brief shows it'],
    },
    compaction_seen: {
      what: 'The context of an agent was about to be cut down to a summary. Its hook left a note, which was taken in here.',
      follows: 'The brief is handed to the agent again.',
      ways: ['pawl brief lists compactions'],
    },
    brief_delivered: {
      what: 'The brief was given to an agent.',
      follows: 'What was lost by compactions up to then counts as told again.',
      ways: ['pawl brief --digest shows what agents are handed'],
    },
    context_crossed: {
      what: 'The context of an agent has become so full that it counts to another tier.',
      follows: 'It is told in the brief.',
      ways: ['pawl brief shows it'],
    },
    session_seen: {
      what: 'The hooks of a coding agent told that a session started, stopped or ended.',
      follows: 'The staleness of the brief goes by it.',
      ways: ['pawl agents shows which hooks are installed'],
    },
    brief_edited: {
      what: 'Somebody wrote into the brief what only the journal can say.',
      follows: 'It is kept here, not believed, and set right at the next write.',
      ways: ['pawl decide or pawl summary puts something on record for others'],
    },
    brief_authored: {
      what: 'Somebody wrote into the brief what is theirs to say: the next step, files to read, patterns.',
      follows: 'It is kept when the brief is written anew. A next step holds until the work moves on.',
      ways: ['pawl brief shows it'],
    },
    brief_imported: {
      what: 'The run took over a resumption document that was kept before it.',
      follows:
        'Its scores, defects and compactions stay in the document as history. What people wrote there is recorded beside it.',
      ways: ['backup names the file with the document as it was'],
    },
    page_imported: {
      what: 'A status page that people or another tool wrote became part of the run.',
      follows:
        'Its counts, clusters and notes go on in the run. Results that were taken from it are artifact_adopted, answers of ticked boxes checkpoint_decided.',
      ways: ['the folder imported of the run keeps the page as it was'],
    },
    foreign_work_reported: {
      what: 'The log of another tool says something about a unit’s work. Pawl reads it so and never writes it.',
      follows: 'It is taken at its word, and proven by nothing.',
      ways: ['foreign in the manifest says what the words mean'],
    },
    foreign_reports_bound: {
      what: 'The run took over what logs of other tools had told. Each task is recorded as the list of units had it then.',
      follows:
        'A result that such a log tells of holds for that task only. Another task of the same id runs, with the reason told-of-another.',
      ways: ['pawl why UNIT/PHASE says which log told of it'],
    },
    foreign_run_reported: {
      what: 'The log of another tool says how far the whole run is. Pawl reads it so and never writes it.',
      follows: 'It says which stage the run has come to, or that it is completed.',
      ways: ['foreign in the manifest says what the words mean'],
    },
  },
);
