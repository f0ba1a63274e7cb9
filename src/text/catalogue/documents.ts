import type { BriefAnswer } from '../../engine/brief/answers.ts';
import type { KeptRun } from '../../engine/maintain/gc/gc-answer.ts';
import type { StatusCode } from '../../import/status-page/findings.ts';
import type { SectionTroubleReason } from '../../projections/brief/yaml/trouble.ts';
import type { NotificationTroubleReason } from '../../runner/notify/notification.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';

/** How far the brief can be trusted, and why. */
export const stalenesses = makeEntries<BriefAnswer['staleness']['code']>(
  {
    follows: 'Agents are warned before they use it, and pawl brief brings it up to the journal.',
    ways: [
      'pawl brief writes it anew',
      'pawl brief --check only looks, and ends with 0 where it is FRESH, else with 4',
    ],
    exitCode: exitCodes.refused,
    page: 'docs/guide/brief.md',
  },
  {
    'nothing-since': {
      what: 'FRESH: nothing has happened since the document was written.',
      follows: 'It can be used as it is.',
      exitCode: exitCodes.done,
    },
    'within-phase': {
      what: 'FRESH: something has happened, in the same phase and less than half an hour ago.',
      follows: 'It can be used as it is.',
      exitCode: exitCodes.done,
    },
    'recently-updated': {
      what: 'FRESH: there is no journal to ask, and it was written less than half an hour ago.',
      follows: 'It can be used as it is.',
      exitCode: exitCodes.done,
    },
    'phase-changed': {
      what: 'STALE: the run is at another phase than the document says, or has begun this one since.',
    },
    'too-old': {
      what: 'STALE: it was written more than half an hour ago, and something has happened since, or may have.',
    },
    'from-the-future': { what: 'STALE: it says that it was written at a time that is yet to come.' },
    'status-changed': { what: 'STALE: the run stands otherwise than the document says.' },
    'from-earlier-session': {
      what: 'CRITICAL: it was written before this session began, and something has happened since.',
    },
    'no-time': { what: 'CRITICAL: it does not say when it was written.' },
    'unreadable-time': { what: 'CRITICAL: what it gives as the time of writing is no time.' },
    'no-document': { what: 'CRITICAL: there is no document where it belongs.' },
    'unreadable-document': {
      what: 'CRITICAL: the document cannot be read.',
      ways: ['mend the file that layout.brief names'],
    },
  },
);

/** Why a document of the user or another tool cannot be read or written. */
export const documentProblems = makeEntries<SectionTroubleReason>(
  {
    follows: 'The file is left exactly as it is, and the brief lies in the run’s own folder meanwhile.',
    ways: ['mend the file at the place that is named'],
    exitCode: exitCodes.damaged,
    page: 'docs/formats/brief.md',
  },
  {
    'too-large': { what: 'The file, or the section in it, is larger than is read.' },
    'too-deep': { what: 'Something in the file nests deeper than is read.' },
    'too-many-aliases': { what: 'The file has more aliases than are followed.' },
    'bad-yaml': { what: 'The file is no YAML, or means two things.' },
    'many-documents': { what: 'The file holds more than one YAML document.' },
    'not-a-map': { what: 'The document, or the section resumption, is something other than a map.' },
    'cannot-patch': {
      what: 'Every way of writing the section would have changed something else in the file, such as a comment.',
    },
  },
);

/** Why pawl gc leaves a run alone. */
export const keptRuns = makeEntries<KeptRun['reason']>(
  {
    follows: 'Nothing of the run is removed.',
    ways: ['pawl runs lists all runs'],
    page: 'docs/reference/gc.md',
  },
  {
    young: { what: 'The last event of the run is not as old as --older-than asks for.' },
    'newest-completed': {
      what: 'It is the newest completed run of its identity: pawl run proves it and builds on it.',
    },
    resumable: {
      what: 'The run can be gone on with, or somebody is at it.',
      ways: ['pawl cancel ends a run for good'],
    },
    damaged: {
      what: 'Its journal is damaged, so nobody knows what it needs.',
      ways: ['pawl verify shows what is wrong'],
    },
    'through-link': { what: 'A link leads to its folder: it may be somewhere else.' },
    'approved-only': { what: 'Only its final outputs are left already.' },
    stray: {
      what: 'No manifest and no pointer leads to it, or there are two of it: it may be somebody’s copy.',
    },
  },
);

/** Why a notification was not sent. */
export const notificationProblems = makeEntries<NotificationTroubleReason>(
  {
    follows: 'It is told once. The run itself is as it should be, and so is its exit code.',
    ways: ['mend notify in the manifest at any time: no result hangs on it'],
    page: 'docs/guide/notifications.md',
  },
  {
    'command-not-found': { what: 'The program that was to tell somebody could not be started.' },
    'command-not-executable': {
      what: 'The program that was to tell somebody is there, but lacks the right to be executed.',
      ways: ['make it executable (chmod +x)'],
    },
    'command-failed': { what: 'The program that was to tell somebody ended with another exit code than 0.' },
    'command-killed': { what: 'The program that was to tell somebody was ended by a signal.' },
    'timed-out': { what: 'Telling somebody took longer than the timeout of the notifier.' },
    interrupted: { what: 'A person wanted to go on and did not wait until somebody was told.' },
    'http-status': { what: 'The webhook answered, and not with yes. A redirection is not followed.' },
    unreachable: { what: 'The address of the webhook cannot be reached.' },
    'variable-missing': {
      what: 'A variable that the manifest names is not set.',
      ways: ['set it where you start Pawl'],
    },
    'variable-unusable': {
      what: 'What a variable holds is no address of the web, or no header.',
      ways: ['set it to one'],
    },
    'cannot-start': { what: 'It was never tried: there is no folder for it, or too many files are open.' },
  },
);

/** What is wrong with a status page that people or another tool wrote. */
export const statusPageProblems = makeEntries<StatusCode>(
  {
    follows:
      'It is never guessed at. What it leaves open is passed over; where nobody can tell how far the unit is, nothing is started.',
    ways: ['mend the page at the line that is named'],
    page: 'docs/formats/status.md',
  },
  {
    'page-too-large': {
      what: 'The page has more characters or lines than are read; nothing of it was read.',
    },
    'no-known-key': { what: 'Nothing on the page says anything about a run.' },
    'status-missing': { what: 'The page does not say how the unit stands.' },
    'status-unknown': { what: 'The status on the page is a word that means nothing here.' },
    'status-contradicts': { what: 'The page has two statuses that mean different things.' },
    'key-contradicts': { what: 'The same key stands there with two values.' },
    'placeholder-left': { what: 'The form was copied, and this was never filled in.' },
    'keys-unknown': { what: 'There are keys at the top that mean nothing here.' },
    'sections-unknown': { what: 'Parts of the page mean nothing here and were passed over.' },
    'stage-unknown': { what: 'The page names a phase that the pipeline does not have.' },
    'stage-listed-twice': {
      what: 'The same artifact of the same phase stands there twice: which one holds is not told.',
    },
    'stage-without-artifact': { what: 'A phase is called completed, and no artifact of it is named.' },
    'stage-status-unknown': {
      what: 'A completed phase has a status of its own that says neither that it is done nor that it is not.',
    },
    'current-stage-contradicts': {
      what: 'The top of the page and the section on the current phase do not say the same.',
    },
    'current-stage-contradicts-status': {
      what: 'All is done, says the current phase, and the status says otherwise.',
    },
    'hash-abbreviated': { what: 'A hash is shortened: nothing can be verified by it.' },
    'hash-unreadable': { what: 'What stands in place of a hash is none.' },
    'hash-missing': { what: 'An artifact stands there without a hash and cannot be verified.' },
    'time-unreadable': { what: 'What stands in place of a time is none.' },
    'count-unreadable': { what: 'What stands in place of a number is none.' },
    'box-unreadable': { what: 'A box is neither ticked nor empty, or both. It counts as open.' },
    'box-missing': { what: 'Nothing says whether a checkpoint is cleared. It counts as open.' },
    'checkpoint-listed-twice': { what: 'Two checkpoints have the same id.' },
    'entry-unreadable': { what: 'A line or row was passed over, since what it means cannot be told.' },
    'columns-unknown': { what: 'A table lacks the column without which its rows mean nothing.' },
    'too-many-entries': { what: 'A section has more entries than are read; what follows was not read.' },
    'hidden-characters': { what: 'Characters that cannot be seen stood on the page. They were taken out.' },
  },
);
