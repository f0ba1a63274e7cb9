import type { Notice } from '../../model/reason.ts';
import { diskWords } from '../phrases/disk.ts';
import { endedWords } from '../phrases/gates.ts';
import { shortfallWords, spendingWords } from '../phrases/spending.ts';
import { unitList } from '../phrases/steps.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { because, count, hashChange, list, stepLabel } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import {
  adoptedWords,
  asideWords,
  codeKeptWords,
  hiddenFileWords,
  inTheWayWords,
  outsideWords,
  phasesMax,
  rejectedFileWords,
  replacedWords,
  strayWords,
  telemetryWords,
  templatesWords,
  unlistedWords,
  valueWords,
  writtenWords,
} from './notice-words.ts';
import { completeWords, importedWords } from './page-notices.ts';

interface NoticeWords<One> {
  words(notice: One, style: Style): string;
}

/** One notice as a sentence. */
export function noticeWords(notice: Notice, style: Style): string {
  const entry: NoticeWords<Notice> = notices[notice.code];
  return entry.words(notice, style);
}

/** One line for each notice; removed units share one. */
export function noticeLines(all: readonly Notice[], style: Style): string[] {
  const { paint, symbols } = style;
  const removed = all.flatMap((notice) => (notice.code === 'unit-removed' ? [notice.unit] : []));
  const others = all.filter((notice) => notice.code !== 'unit-removed' || removed.length === 1);
  const lines = others.slice(0, noticesMax).map((notice) => noticeWords(notice, style));
  if (others.length > noticesMax)
    lines.push(`${count(others.length - noticesMax, 'more notice')} (--json lists all)`);
  if (removed.length > 1) {
    lines.push(`${unitList(removed)} are not in the pipeline any more; their files are left alone`);
  }
  return lines.map((line) => `${paint.yellow(symbols.warning)} ${line}`);
}

const noticesMax = 20;

/** What is worth telling and stops nothing. */
export const notices = makeEntries<
  Notice['code'],
  { readonly [Code in Notice['code']]: NoticeWords<Extract<Notice, { code: Code }>> }
>(
  {
    follows: 'It is told, and the run goes on.',
    ways: ['pawl status tells it again'],
    page: 'docs/reference/changes.md',
  },
  {
    'start-state-stale': {
      words: (notice, style) =>
        `${plain(notice.unit)} started from another state than the chain has now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`,

      what: 'A finished unit of a chain started from a state that was made anew since, and the manifest says state.cascade: tell.',
      follows: 'The unit is kept as it is.',
      ways: ['add --rerun-from and --unit to do it again', 'cascade: rerun in the manifest does that always'],
    },
    'gate-accepted': {
      words: (notice) =>
        `${stepLabel(notice.unit, notice.phase)}: ${endedWords(notice)}; accepted by ${notice.by === 'manifest' ? 'the manifest' : 'a person'}`,

      what: 'A gate’s loop has ended without a pass, and what there is was accepted: by then: accept, or by a person.',
      follows: 'Later phases take the round that stands.',
      ways: ['pawl inspect lists the rounds with their scores'],
      page: 'docs/guide/gates.md',
    },
    'input-stale': {
      words: (notice, style) =>
        `${stepLabel(notice.unit, notice.phase)} was made from another ${plain(notice.input)} than there is now (${hashChange(notice.before, notice.after, style)}); it is kept as it is`,

      what: 'What another unit made has other bytes than this result was made from, and the input says on_change: tell.',
      follows: 'The result is kept as it is.',
      ways: ['add --rerun-from and --unit to do it again', 'on_change: rerun does that always'],
    },
    'edit-holds': {
      words: (notice) =>
        `${plain(notice.path)}, an output of ${stepLabel(notice.unit, notice.phase)}, was edited; what depends on it waits. pawl plan shows the options`,

      what: 'The output of a finished step was edited. Tasks that do not depend on it are handed out.',
      follows: 'What depends on it waits until a person has chosen whether the edit is kept.',
      ways: [
        'pawl plan names the edit and the options',
        'pawl adopt accepts it',
        'pawl run --restore puts the recorded bytes back',
      ],
      page: 'docs/reference/changes.md',
    },
    'file-unknown': {
      words: inTheWayWords,

      what: 'A file lies at the path of an output, and no run of this workspace has recorded it.',
      follows: 'It is left alone until the step runs; then it is moved to the folder aside of the run.',
      ways: ['pawl adopt takes it in as the output', 'or move it away'],
    },
    'import-rejected': {
      words: rejectedFileWords,

      what: 'A log of another tool is past a stage, and a file of that stage fails its check in this manifest. The file may have been approved.',
      follows: 'It is neither replaced nor accepted: pawl run and pawl plan refuse with exit code 4.',
      ways: [
        'pawl run prints the options',
        'add --force to accept the file, or --rerun-from to make it again',
        'or fix the file',
      ],
    },
    'outputs-adopted': {
      words: adoptedWords,

      what: 'Files lay at output paths before the run, every output of their steps passed its check, and --adopt-existing was given.',
      follows:
        'The steps count as done with the inputs that are there. What depends on a changed input runs again.',
      ways: ['pawl inspect shows what was adopted', 'add --rerun-from to make it again'],
    },
    'files-without-unit': {
      words: strayWords,

      what: 'Files have the path of an output with another name in the place of the unit, the pipeline lists no such unit, and no run recorded them.',
      follows: 'They are left alone: nothing reads, moves or deletes them.',
      ways: ['add the unit to the list', 'move them away'],
    },
    'files-unlisted': {
      words: unlistedWords,

      what: 'Files match the path of an output in a stage whose units the run lists itself, and no run recorded them.',
      follows:
        'They are left alone until the units are listed. When a step of such a unit runs, its file is moved to the folder aside of the run.',
      ways: ['move them away before the run', 'adopt what passes its check: pawl run --adopt-existing'],
    },
    'files-replaced': {
      words: replacedWords,

      what: 'Files lie where the manifest has Pawl write files of its own (layout, state), and this run did not write them.',
      follows: 'When the run starts, each is moved to the folder aside of the run.',
      ways: ['move them away', 'give the files of Pawl another place: layout, or state.path'],
    },
    'files-written': {
      words: writtenWords,

      what: 'Files lie at output paths that another run of this workspace wrote, or a phase of this run that is no longer listed there.',
      follows:
        'They are left alone until their steps run; then each is moved to the folder aside of the run. The content store keeps their bytes as well.',
      ways: ['pawl runs lists all runs', 'pawl inspect with the id of a run shows what it wrote'],
    },
    imported: {
      words: importedWords,

      what: 'A status page that somebody else wrote said how far a unit is, and there was no run of it yet.',
      follows:
        'Phases that it calls done, and whose files are there and good, count as done. The page is kept in the folder imported of the run.',
      ways: ['pawl status shows what was taken in', 'files without a full hash are worth a look'],
      page: 'docs/formats/status.md',
    },
    'page-complete': {
      words: completeWords,

      what: 'A status page says that its unit is complete, and the files that it records are there.',
      follows: 'Nothing runs, and nothing is written.',
      ways: ['to start over: add --fresh to pawl run', 'files without a full hash are worth a look'],
      page: 'docs/formats/status.md',
    },
    'pages-alike': {
      words: (notice) => `${plain(notice.path)} and ${plain(notice.other)} say the same; the first is used`,

      what: 'The status page of a unit lies there under two names, with and without the dot, and both say the same.',
      follows: 'One of them is imported. The other is left alone.',
      ways: ['remove the one that is not needed'],
      page: 'docs/formats/status.md',
    },
    'projection-failed': {
      words: (notice) =>
        `${plain(notice.path)} could not be written (${diskWords(notice.error)}: ${plain(notice.error)}); the next run writes it again`,

      what: 'A file that is made from the journal, such as a ledger or run.json, could not be written.',
      follows:
        'The run goes on: nothing is decided by such a file, and whatever writes next tries again. What the journal has recorded stands.',
      ways: ['see to what is named, such as a folder that stands there, then pawl run'],
      page: 'docs/formats/README.md',
    },
    'brief-aside': {
      words: (notice) =>
        `${plain(notice.path)} was left alone (${asideWords(notice.why)}); the brief lies in the run's own folder`,

      what: 'The file that the brief belongs into (layout.brief) cannot be written to without changing something else.',
      follows: 'The file is left alone, and the brief lies in the run’s own folder until it can be.',
      ways: ['mend the file; pawl brief says what is wrong', 'a document of version 1: pawl brief migrate'],
      page: 'docs/guide/brief.md',
    },
    'brief-imported': {
      words: (notice) => {
        const { authored, history } = notice;
        const parts = [
          ...(authored.length === 0 ? [] : [`what people wrote (${list(authored.map(plain))})`]),
          ...(history.length === 0 ? [] : [`history (${list(history.map(plain))})`]),
        ];
        return `Imported ${parts.join(' and ')} from ${plain(notice.path)}. The original is at ${plain(notice.backup)}`;
      },

      what: 'The file of layout.brief had a resumption document that was kept before this run.',
      follows:
        'What people wrote there is in the journal. Its scores, defects and compactions stay in the document as history. The file as it was is kept in .pawl/backups.',
      ways: ['pawl brief shows the document', 'the notice names the backup'],
      page: 'docs/guide/brief.md',
    },
    'box-ticked': {
      words: (notice) =>
        `${plain(notice.path)}: "${plain(notice.name)}" was ticked by hand, which decides nothing; pawl approve does`,

      what: 'Somebody ticked a box of a status page by hand. That is no decision.',
      follows: 'The question still waits, and the page is written anew from the journal.',
      ways: ['pawl checkpoints lists what waits', 'pawl approve decides it'],
      page: 'docs/guide/checkpoints.md',
    },
    'telemetry-failed': {
      words: telemetryWords,

      what: "Spans or metrics were not sent: the collector is gone, is slow or refuses them, a variable cannot be used, or OpenTelemetry's packages are not installed.",
      follows: 'What could not be sent is dropped. The run itself is not affected.',
      ways: [
        'install the packages that the notice names',
        'look at the variables OTEL_EXPORTER_OTLP_…',
        'OTEL_SDK_DISABLED=true sends nothing',
      ],
      page: 'docs/guide/models.md',
    },
    'budget-near': {
      words: (notice) => `${spendingWords(notice)}; a person is asked when it is used up`,

      what: 'A budget has come to the share from which it is told (warn_at).',
      follows: 'Work goes on until it is used up; then a person is asked.',
      ways: ['pawl cost shows what was spent on what'],
      page: 'docs/guide/cost.md',
    },
    'budget-short': {
      words: shortfallWords,

      what: 'What is planned is expected to cost more than a budget has left.',
      follows: 'Work starts all the same. When the budget is used up, a person is asked.',
      ways: [
        'raise the budget in the manifest, before or while it is asked about',
        'pawl cost shows what was spent on what',
      ],
      page: 'docs/guide/cost.md',
    },
    'changed-outside': {
      words: outsideWords,

      what: 'Something changed that only steps outside the selection were made from.',
      follows: 'The selected steps run. The change is treated when those steps are run.',
      ways: ['pawl plan without a selection lists the changes'],
      page: 'docs/guide/run-a-part.md',
    },
    'started-fresh': {
      words: (notice) =>
        `run ${plain(notice.run)} is ${plain(notice.status)} and never gone on with${because(notice.reason)}; this one starts fresh${notice.notes === undefined ? '' : `; its notes are in ${plain(notice.notes)}`}`,

      what: 'The run before of the same identity was ended for good, failed or cancelled.',
      follows:
        'It is never gone on with: this one starts fresh, and the files of the other stay as they are.',
      ways: ['pawl runs lists all of them', 'pawl inspect with its id shows what it has done'],
      page: 'docs/reference/commands.md',
    },
    'value-changed': {
      words: valueWords,

      what: 'A value of the manifest changed on which no result depends: a count of units, or a value of pace.',
      follows:
        'The new value holds from now on. The old and the new one are recorded when the run is resumed.',
      ways: ['pawl plan shows which units are added or dropped'],
    },
    'agent-means-task': {
      words: (notice) =>
        `${notice.phases.length === 1 ? 'phase' : 'phases'} ${list(notice.phases.map(plain), phasesMax)}: write run: { task: ROLE } in place of run: { agent: ROLE }; both mean the same`,

      what: 'The manifest spells a task `run: { agent: ROLE }`. The name is now `run: { task: ROLE }`.',
      follows: 'Nothing changes: both spellings mean the same and have the same hash, so open runs continue.',
      ways: ['write task in place of agent'],
      page: 'docs/guide/tasks-and-agents.md',
    },
    'own-file-hidden': {
      words: hiddenFileWords,

      what: 'The units have a file of their own, which a phase takes as the input `file` and prompts name `unit.file`. Another input or field has that name and goes first.',
      follows:
        'The phase takes that input, or prompts show that field. The file of the unit is left out there.',
      ways: [
        'rename the input or the field',
        'or take the file under another name: inputs: { source: unit.file }',
      ],
      page: 'docs/guide/files.md',
    },
    'code-kept': {
      words: codeKeptWords,

      what: 'The code of a phase changed, and results that were made with the old code are kept, as the policy says. It is said once for each change.',
      follows: 'The results are shown as outdated until they run again, by the name `code.PHASE`.',
      ways: ['pawl run --outdated runs them again', 'or set the policy: code: rerun'],
      page: 'docs/reference/manifest.md',
    },
    'templates-changed': {
      words: templatesWords,

      what: 'Templates changed since they were recorded, and steps that never ran, or only failed, use them.',
      follows:
        'These steps run with the new templates. Steps with a result made from the old ones are refused.',
      ways: ['pawl diff shows the lines where results were made from the old ones'],
    },
    'unit-removed': {
      words: (notice) => `${plain(notice.unit)} is not in the pipeline any more; its files are left alone`,

      what: 'There are results of a unit that the pipeline no longer lists.',
      follows: 'Its files are left alone. Put back into the list, it is as it was.',
      ways: ['pawl inspect still shows what was done for it'],
    },
  },
);
