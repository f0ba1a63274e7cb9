import type { Failure } from '../../model/failure.ts';
import { makeEntries } from './entry.ts';

/** What a command may answer instead of doing what was asked. The exit code is that of the command itself. */
export const failures = makeEntries<Failure['reason']>(
  { follows: 'Nothing is started, and nothing is changed.', ways: [], page: 'docs/reference/commands.md' },
  {
    'manifest-not-found': {
      what: 'There is no manifest at the path that was given; without one, none here, none in the folders above that are yours, and none below.',
      ways: ['give the folder of a pawl.yaml, or go there', 'pawl init writes a small one to start from'],
    },
    'manifest-invalid': {
      what: 'The manifest, or a list of units that a run has made, cannot be used as it is.',
      follows:
        'Problems are listed together, with file, line and column; those that need a sound shape to be seen come once that is mended. Nothing is started by it; whoever looks is told the same as whoever runs.',
      ways: [
        'mend what is listed; pawl explain says more about each code',
        'pawl schema prints what may stand there',
        'of a list that a phase made: mend what it is made from and run again with --rerun-from and the phase, or mend the list and pawl adopt it',
      ],
      page: 'docs/reference/manifest.md',
    },
    usage: {
      what: 'The call cannot be meant, whatever is on disk: a name that there is none of, or options that do not go together.',
      ways: ['pawl help with the command shows how it is called'],
    },
    refused: {
      what: 'At least one guard refuses: something that results were made from is no longer what it was.',
      follows:
        'Nothing is started and nothing is paid. Each guard is named with what changed and the ways on.',
      ways: ['pawl diff shows what changed', 'pawl explain with the name of the guard says more'],
      page: 'docs/reference/changes.md',
    },
    'which-run': {
      what: 'Several runs of this manifest can be gone on with, and nobody said which one is meant.',
      follows: 'They are listed. In a terminal pawl resume asks which one.',
      ways: ['add --run and the beginning of an id'],
    },
    'which-workspace': {
      what: 'Several manifests lie in this folder or below it, and nobody said which one is meant; or the only one lies below, and nothing was run there yet.',
      follows: 'They are listed.',
      ways: ['give the path of one, with -C where the command takes none'],
    },
    'outputs-exist': {
      what: 'A new run found files at its output paths that no run of this workspace recorded. The journals are lost, or they came with a clone, or they are yours.',
      follows: 'Nothing is started. In a terminal Pawl asks what to do with them.',
      ways: [
        'add --adopt-existing to keep those whose check passes, at no cost',
        'add --replace-existing to run every step; the files move to the folder aside of the run',
      ],
      page: 'docs/reference/changes.md',
    },
    'no-run': {
      what: 'The command is about a run, and there is none of this manifest yet.',
      ways: ['pawl run starts one'],
    },
    'run-of-another': {
      what: 'The run that was named belongs to another pipeline or identity than the manifest at hand.',
      follows: 'Nothing is done: what one manifest says is never done to the run of another.',
      ways: ['name its own manifest', 'pawl runs lists all runs'],
    },
    'document-unreadable': {
      what: 'A document that others keep, such as the file with a brief, says nothing that could be understood.',
      follows: 'The file is left exactly as it is.',
      ways: ['mend it at the place that is named'],
      page: 'docs/formats/brief.md',
    },
    'decision-not-found': {
      what: 'No decision on record has the number that was given.',
      ways: ['pawl brief lists the decisions with their numbers'],
      page: 'docs/guide/brief.md',
    },
    'run-not-found': {
      what: 'No run of this workspace has that id, or several ids begin with it.',
      ways: ['pawl runs lists all runs'],
    },
    'run-terminal': {
      what: 'The run is over: completed, so that there is nothing to resume, or failed or cancelled for good.',
      follows:
        'A completed run is proven again by pawl run. One that was ended for good is never taken up again; its files and logs stay.',
      ways: ['pawl run without an id proves it, or starts a new one'],
    },
    'run-stale': {
      what: 'Nothing has happened in the run for longer than pace.stale_after (14 days): its purpose may be over.',
      follows:
        'Both pawl run and pawl resume ask in a terminal; elsewhere they start nothing and list what has changed since. Where nothing would run, nothing is stale.',
      ways: ['pawl status shows where it stands', 'add --yes to resume it all the same'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'rerun-above': {
      what: 'Something changed, and a policy would re-run more steps, or spend more, than confirm_above of the manifest allows (20 steps, $1).',
      follows:
        'pawl run asks in a terminal; elsewhere nothing starts. Where the manifest itself says on_change: rerun, only a terminal is asked. New units, and outputs that are missing or corrupted, do not count.',
      ways: [
        'add --rerun-changed, with a --reason, to re-run them',
        'add --keep-changed, with a --reason, to keep the results as outdated',
        'set confirm_above in the manifest to allow more',
      ],
      page: 'docs/reference/changes.md',
    },
    'import-check-failed': {
      what: 'The log of another tool is past a stage whose file is there and fails a check of this manifest. Someone may have approved it.',
      follows: 'Nothing runs, and the file stays as it is, until a person has chosen.',
      ways: [
        'add --force, with a --reason, to accept the file as it is',
        'add --rerun-from PHASE, with a --reason, to make it again; the old file is moved to aside/',
        'fix the file, and run again',
      ],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'told-only': {
      what: 'So far only the logs of other tools say anything about this run; Pawl itself has recorded nothing.',
      ways: ['pawl resume takes it over and goes on'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'run-held': {
      what: 'Another process is at this run, or nobody can tell from here whether it still lives.',
      follows: 'Two never work on one run. A holder that is known to be dead is replaced without a question.',
      ways: ['wait for it, or end it there', 'only if you know that it is gone: add --takeover'],
      page: 'docs/formats/journal.md',
    },
    'fenced-out': {
      what: 'While this process was at the run, another one took it over.',
      follows: 'This process has written nothing since, and ends. What it had acknowledged before stands.',
      ways: ['pawl status shows where the run stands now'],
      page: 'docs/formats/journal.md',
    },
    'journal-damaged': {
      what: 'The journal of the run is damaged in a way by which something acknowledged may be lost.',
      follows: 'Nothing is started and not a byte is changed before somebody has looked at it.',
      ways: [
        'pawl verify shows everything that is wrong',
        'to put back a copy of the journal, do it before anything else is written',
        'pawl repair, with a --reason, goes on with what is readable',
      ],
      page: 'docs/formats/journal.md',
    },
    'disk-failed': {
      what: 'The disk could not read or write: it is full, cannot be written to, or fails.',
      follows:
        'Work ends at once. Nothing that was acknowledged is lost; what was under way may be in doubt.',
      ways: ['see to the disk, then try again'],
      page: 'docs/formats/journal.md',
    },
    'link-outside': {
      what: 'A folder that Pawl would write into, its own or one of an output, is a symbolic link out of the workspace.',
      follows:
        'Nothing was started and nothing was paid for. What lies behind such a link belongs to others, and would not be found here.',
      ways: [
        'remove the link, or put a folder in its place, and try again',
        'for an output, name another path in the manifest',
      ],
      page: 'docs/formats/README.md',
    },
    'archive-failed': {
      what: 'pawl reset copies every file and proves the copy before it removes anything, and one could not be copied so.',
      follows: 'The file is where it was. The next reset goes on from there.',
      ways: ['see that nobody writes to these files, then reset again'],
    },
    'nothing-to-undo': {
      what: 'No decision about results stands that could be taken back; with --redo, no undo.',
      follows: 'Nothing is changed. Limits, approvals and cancellations are not taken back by pawl undo.',
      ways: ['pawl history lists every decision'],
      page: 'docs/guide/undo.md',
    },
    'cannot-restore': {
      what: 'Earlier results cannot be brought back: the newer one was approved, rejected or claimed, an output was edited by hand, or the earlier bytes are gone.',
      follows: 'Nothing is changed.',
      ways: ['pawl history lists every decision', 'pawl restore UNIT/PHASE --attempt N changes one step'],
      page: 'docs/guide/undo.md',
    },
    'nothing-to-adopt': {
      what: 'pawl adopt was given a path or cell at which no output was edited, and no unknown file lies.',
      ways: ['pawl diff shows what changed since results were made'],
      page: 'docs/reference/changes.md',
    },
    'status-unclear': {
      what: 'A status page that somebody else wrote says how far a unit is, and cannot be understood or contradicts the files.',
      follows: 'Nothing is started: such a page is never taken for a fresh start.',
      ways: ['mend the page at the lines that are named', 'to start fresh: move it away, or add --fresh'],
      page: 'docs/formats/status.md',
    },
    'status-blocked': {
      what: 'A status page is understood, and nothing may be built on it as it is: its spec or its files cannot be verified, or a second page says something else.',
      follows: 'Nothing is started and nothing is written.',
      ways: [
        'put back the file, or write its full hash on the page after looking at it',
        'of two pages keep the one that is right',
        'to start over: add --fresh',
      ],
      page: 'docs/formats/status.md',
    },
    'no-such-question': {
      what: 'Nobody is asked, or was ever asked, what was answered.',
      ways: ['pawl checkpoints lists what waits'],
      page: 'docs/guide/checkpoints.md',
    },
    'question-closed': {
      what: 'The question was asked and is no longer open: it is decided, what was shown has changed, or it was asked too long ago.',
      follows: 'The answer is not taken: it would be about something else than was shown.',
      ways: ['pawl run asks about what is there now', 'pawl checkpoints lists what waits'],
      page: 'docs/guide/checkpoints.md',
    },
    'channel-closed': {
      what: 'A person’s word is wanted, and it came by a way that the manifest does not allow for this question.',
      follows: 'The answer is not taken, and the question still waits.',
      ways: [
        'a person answers it in a terminal that no coding agent started',
        'channels in the manifest says which ways are open',
      ],
      page: 'docs/guide/checkpoints.md',
    },
    'inside-phase': {
      what: 'A phase of a run, or a process that it started, called a command that decides about a run.',
      follows: 'It is refused: what a run makes never decides about it.',
      ways: ['a person decides, in a terminal of their own'],
      page: 'docs/guide/checkpoints.md',
    },
    'nothing-to-repair': {
      what: 'pawl repair was called, and the journal is whole or its damage was accepted before.',
      ways: ['pawl status shows where the run stands'],
    },
    'adopt-check-failed': {
      what: 'The file that was to be adopted does not pass the check of its output.',
      follows: 'Nothing is adopted: what counts as a result has passed its check.',
      ways: ['mend the file and adopt it again'],
      page: 'docs/reference/checks.md',
    },
    'provider-missing': {
      what: 'Phases that are to run ask models, and a package or a key of the provider is not there.',
      follows: 'Nothing is started and nothing is paid. What has to be installed or set is listed.',
      ways: [
        'install the packages and set the variable that are named',
        'or let the phases use another provider',
      ],
      page: 'docs/guide/models.md',
    },
    'object-missing': {
      what: 'Recorded bytes are wanted, to be shown or put back, and are missing or damaged in the content store.',
      follows: 'Nothing else is given in their place, and no step is started or paid for.',
      ways: ['pawl verify shows what else is missing', 'pawl run, without --restore, runs the step again'],
      page: 'docs/formats/objects.md',
    },
    'module-failed': {
      what: 'A manifest that is a program could not be loaded, or exports no pipeline.',
      ways: ['mend the module at the place that is shown'],
      page: 'docs/reference/library.md',
    },
    'claim-lost': {
      what: 'Somebody says that a task is done, failed or kept which is not theirs: they never claimed it, the lease ran out and another one has it, or it was given back.',
      follows: 'Nothing is recorded as done. What was made is kept in the folder aside of the run.',
      ways: ['leave the task and ask for another one: pawl next'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'never-run': {
      what: 'A program wants to complete a task whose check starts a command of the manifest, and this user has never run that manifest.',
      follows: 'Nothing is started: only a person agrees to what a manifest runs.',
      ways: ['look at the manifest, then pawl run it in a terminal'],
      page: 'docs/guide/coding-agents.md',
    },
    'not-claimed': {
      what: 'The actor has no claim on the task that it speaks of.',
      ways: ['claim it first: pawl next, or pawl start with its name'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'cannot-prepare': {
      what: 'A task or a prompt cannot be put together: an input is not there, or a template fails.',
      follows: 'The task is not handed out, and no attempt is used up.',
      ways: [
        'pawl explain with the failure that is named says more',
        'pawl prompt UNIT/PHASE shows the prompt',
      ],
      page: 'docs/guide/prompts.md',
    },
    'completion-incomplete': {
      what: 'A task was said to be done, and outputs or files are missing or do not pass their check.',
      follows: 'All that is wrong is listed. Nothing is recorded, and the claim stands.',
      ways: ['make what is missing and say it again; pawl heartbeat keeps the claim meanwhile'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'not-claimable': {
      what: 'A task was asked for by its name and cannot be claimed now; it is said why.',
      ways: ['pawl next gives another one', 'pawl status shows where it stands'],
      page: 'docs/guide/tasks-and-agents.md',
    },
  },
);
