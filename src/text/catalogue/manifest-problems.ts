import type { ProblemCode } from '../../model/failure.ts';
import { makeEntries } from './entry.ts';
import { manifestTextProblems, ofManifest } from './manifest-text-problems.ts';
import {
  cycle,
  detail,
  found,
  guess,
  has,
  many,
  ofFile,
  ofUnit,
  one,
  type ProblemWords,
  size,
  valid,
} from './problem-facts.ts';
/** What can be wrong with a manifest, or with a file that it names. */
export const manifestProblems = makeEntries<ProblemCode, Readonly<Record<ProblemCode, ProblemWords>>>(
  ofManifest,
  {
    ...manifestTextProblems,
    'duplicate-unit': {
      words: (facts) =>
        has(facts, 'files')
          ? `two files give the unit ${one(facts, 'found')}: ${many(facts, 'files').join(' and ')}; set id to a field in which they differ, such as "{stem}" or "{folder}"`
          : `there are two units called ${one(facts, 'found')}`,

      what: 'Two units have the same id. Capitals do not tell two apart: on some systems their files would be one.',
    },
    'no-units': {
      words: (facts) =>
        has(facts, 'pattern')
          ? `no file matches ${one(facts, 'pattern')}, so there are no units`
          : 'there are no units; list at least one',

      what: 'There is nothing to work on: the list of units is empty, or no file matches units.glob. Only a list that the run itself makes may be empty.',
      ways: ['list at least one unit, or mend the pattern'],
    },
    'unit-source-missing': {
      words: (facts) => `there is no file ${one(facts, 'found')} to take the units from`,

      what: 'The file from which the units are taken is not there.',
      ways: ['put it there, or mend units.from'],
    },
    'unit-source-not-a-list': {
      words: (facts) =>
        `there is ${one(facts, 'found')} at that place of ${one(facts, 'file')}; a list of units is expected${valid(facts)}`,

      what: 'At the named place of the file there is something other than a list of units.',
      ways: ['mend the path of keys in units.from'],
    },
    'unknown-unit-need': {
      words: (facts) => `no unit of this stage is called ${one(facts, 'found')}${guess(facts)}`,
      what: 'A unit needs another one that its stage does not list.',
    },
    'unit-cycle': {
      words: (facts) => `these units need each other in a circle: ${cycle(facts)}`,

      what: 'Units need each other in a circle: none of them could ever start.',
      ways: ['take one of the needs out'],
    },
    'no-phases': {
      words: () => 'there are no phases; list at least one',
      what: 'A pipeline or a stage has no phases.',
      ways: ['list at least one phase'],
    },
    'duplicate-phase': {
      words: (facts) =>
        `there are two ${has(facts, 'kind') ? `${one(facts, 'kind')}s` : 'phases'} called ${one(facts, 'found')}`,

      what: 'Two phases, or two stages, have the same name.',
      ways: ['rename one of them'],
    },
    'unknown-need': {
      words: (facts) =>
        has(facts, 'listed-later')
          ? `${one(facts, 'found')} is listed after this phase; a phase can only need phases listed before it`
          : `no phase is called ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,
      what: 'A phase needs one that there is none of, or that is listed after it.',
    },
    'need-cycle': {
      words: (facts) => `these phases need each other in a circle: ${cycle(facts)}`,

      what: 'Phases need each other in a circle: none of them could ever start.',
      ways: ['take one of the needs out'],
    },
    'unknown-input': {
      words: (facts) => `no phase makes ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,
      what: 'An input names an output that no phase makes.',
    },
    'no-unit-file': {
      words: (facts) =>
        `${one(facts, 'found')} needs units with a file: units: { glob: … }, or units: { …, file: FIELD }`,

      what: 'An input takes the unit’s own file, and the units of its stage have none.',
      ways: [
        'name the field that holds its path: units: { …, file: FIELD }',
        'or list the units by their files: units: { glob: "src/*.md" }',
      ],
      page: 'docs/guide/files.md',
    },
    'input-from-later-phase': {
      words: (facts) =>
        `${one(facts, 'found')} is made after ${one(facts, 'phase')}, and no gate leads back from there`,

      what: 'An input comes from a later phase, and no gate leads back from there: it would never be there.',
      page: 'docs/guide/gates.md',
    },
    'unknown-file': {
      words: (facts) => `no declared file is called ${one(facts, 'found')}${guess(facts)}${valid(facts)}`,

      what: 'An input or a list of units names a file that inputs at the top does not declare.',
      ways: ['declare it under inputs'],
    },
    'duplicate-output': {
      words: (facts) =>
        `${one(facts, 'found')}${ofUnit(facts)} is taken by ${one(facts, 'other')}; every file has one writer`,

      what: 'Two outputs would lie at the same path. Every file has one writer.',
      ways: ['give one of them another path'],
    },
    'output-not-per-unit': {
      words: (facts) =>
        `${one(facts, 'found')} is the same for all ${one(facts, 'units')} units; put {unit} into it`,

      what: 'The path of an output is the same for all units: each would overwrite the others.',
      ways: ['put {unit} into the path'],
    },
    'path-absolute': {
      words: (facts) =>
        `${one(facts, 'found')} is absolute; write it relative to the workspace${ofUnit(facts)}`,

      what: 'A path is absolute. A workspace may be moved, so paths are relative to it.',
      ways: ['write it relative to the workspace'],
    },
    'path-outside': {
      words: (facts) => `${one(facts, 'found')} leads out of the workspace${ofUnit(facts)}`,

      what: 'A path leads out of the workspace by way of "..".',
      ways: ['keep the file in the workspace'],
    },
    'path-reserved': {
      words: (facts) => `${one(facts, 'found')} is reserved and cannot be part of a path${ofUnit(facts)}`,

      what: 'Part of a path is a name that some system takes for a device, or belongs to Pawl or git.',
      ways: ['choose another name'],
    },
    'path-control-character': {
      words: (facts) => `the path holds ${one(facts, 'found')}; use plain letters and "/"${ofUnit(facts)}`,

      what: 'A path holds a character that cannot be seen or typed.',
      ways: ['use plain letters'],
    },
    'path-through-link': {
      words: (facts) => `${one(facts, 'found')} leads out of the workspace through a symbolic link`,

      what: 'A path leads out of the workspace through a symbolic link.',
      ways: ['keep the file in the workspace'],
    },
    'pattern-unknown-field': {
      words: (facts) =>
        `there is no field ${one(facts, 'found')}${ofUnit(facts)}${ofFile(facts)}${guess(facts)}${valid(facts)}`,

      what: 'A pattern has a {field} that its units, inputs or parameters do not have.',
    },
    'template-missing': {
      words: (facts) => `there is no template ${one(facts, 'found')}`,

      what: 'There is no file at the path of a template, or of one that it includes.',
      page: 'docs/guide/prompts.md',
    },
    'template-too-large': {
      words: (facts) => `the template ${one(facts, 'found')} is too large; at most ${size(facts)}`,
      what: 'A template has more than 1 MiB.',
      page: 'docs/guide/prompts.md',
    },
    'template-syntax': {
      words: (facts) =>
        one(facts, 'cause') === 'include-not-literal'
          ? 'an include must name its file in quotes, so that changes of it can be seen'
          : `not a template: ${one(facts, 'detail')}`,

      what: 'A template cannot be read: a tag is wrong, or an include names its file by a variable.',
      page: 'docs/guide/prompts.md',
    },
    'template-unknown-variable': {
      words: (facts) =>
        has(facts, 'takes')
          ? `the phase does not take the file of its unit, which ${one(facts, 'found')} needs; add inputs: { file: ${one(facts, 'takes')} }`
          : `there is no variable ${one(facts, 'found')}${guess(facts)}`,

      what: 'A template uses a variable that this phase does not have. What it takes whatever happens is told before a run begins; what stands behind a condition, when a prompt is made.',
      ways: ['pawl prompt UNIT/PHASE shows what comes of it'],
      page: 'docs/guide/prompts.md',
    },
    'template-includes-itself': {
      words: (facts) => `these templates include each other in a circle: ${cycle(facts)}`,

      what: 'Templates include each other in a circle.',
      page: 'docs/guide/prompts.md',
    },
    'shell-with-template': {
      words: (facts) =>
        `${one(facts, 'found')} would become part of a program text of ${one(facts, 'program')}; pass it as an argument of its own`,

      what: 'A value would become part of the text of a program, as with sh -c: what a model wrote could then run.',
      ways: ['pass it as an argument of its own'],
    },
    'program-from-unit': {
      words: (facts) =>
        `the program would be what ${one(facts, 'found')} says; name the program here, and pass the value as an argument`,

      what: 'A field of a unit would say which program is started: whoever fills in the field could run anything.',
      ways: ['name the program in the manifest, and pass the value as an argument'],
    },
    'env-forbidden': {
      words: (facts) => `the variable ${one(facts, 'found')} may not be set: it changes what a program loads`,

      what: 'A command sets a variable that changes what programs load or run: NODE_OPTIONS, BASH_ENV, ENV, PERL5OPT, RUBYOPT, PYTHONSTARTUP, GIT_SSH_COMMAND, LD_PRELOAD and the like.',
      ways: ['set it where you start Pawl, if you mean it'],
    },
    'gate-unknown-output': {
      words: (facts) =>
        `this phase has no output ${one(facts, 'found')} for the gate to read${guess(facts)}${valid(facts)}`,

      what: 'A gate reads an output that its phase does not have.',
      page: 'docs/guide/gates.md',
    },
    'gate-back-to-later': {
      words: (facts) =>
        `${one(facts, 'found')} is listed after the gate; a gate goes back to its own phase or one before${valid(facts)}`,

      what: 'A gate goes back to a phase that comes after it.',
      page: 'docs/guide/gates.md',
    },
    'gate-loops-overlap': {
      words: (facts) =>
        `the loops of the gates ${one(facts, 'found')} and ${one(facts, 'other')} share phases`,

      what: 'The loops of two gates share phases: nobody could count their rounds.',
      page: 'docs/guide/gates.md',
    },
    'gate-needs-key': {
      words: (facts) =>
        `${one(facts, 'found')} does nothing without ${one(facts, 'needs')}; add ${one(facts, 'needs')}`,

      what: 'A key does nothing without another one, as plateau without a score.',
      ways: ['add the key that is named'],
      page: 'docs/guide/gates.md',
    },
    'when-outside-loop': {
      words: (facts) => `no gate goes back to ${one(facts, 'found')} or before, so it would never run`,

      what: 'A phase runs only after a gate has failed, and no gate goes back to it or before: it would never run.',
      page: 'docs/guide/gates.md',
    },
    'ladder-outside-loop': {
      words: () => 'no gate goes back to this phase or before, so it has no later rounds',

      what: 'A phase has a ladder for later rounds, and no gate goes back to it or before: it has none.',
      page: 'docs/guide/gates.md',
    },
    'not-the-only-unit': {
      words: (facts) =>
        `stage ${one(facts, 'stage')} has ${one(facts, 'units')} units; take "of: every", or "of: previous" within a stage`,

      what: 'Something is taken from "the only unit" of a stage that has several.',
      ways: ['take of: every, or of: previous within a stage'],
    },
    'state-missing': {
      words: () => 'this phase uses a state, and the manifest declares none; add a "state" at the top',

      what: 'A phase reads or writes the state, and the manifest declares none.',
      ways: ['add a state at the top'],
    },
    'state-needs-chain': {
      words: () => 'units that share a state must follow one another; add "order: chain"',

      what: 'Units share a state and could run at once: then nobody could tell which state each starts from.',
      ways: ['add order: chain'],
    },
    'state-two-writers': {
      words: (facts) => `${one(facts, 'other')} writes the state already; only one phase can`,
      what: 'Two phases write the state. Only one can.',
    },
    'schema-invalid': {
      words: (facts) =>
        one(facts, 'cause') === 'missing'
          ? `there is no schema ${one(facts, 'found')}`
          : `${one(facts, 'found')} is not a JSON Schema${detail(facts)}`,

      what: 'The schema of a check is not there, or is no JSON Schema that can be judged.',
      page: 'docs/reference/checks.md',
    },
    'regex-invalid': {
      words: (facts) => `${found(facts)} is not a regular expression${detail(facts)}`,

      what: 'The pattern of a check is no regular expression.',
      page: 'docs/reference/checks.md',
    },
    'version-unsupported': {
      words: (facts) =>
        `version ${one(facts, 'found')} of the format is not known; this pawl reads version ${one(facts, 'expected')}`,

      what: 'The manifest is of a version that this Pawl does not know.',
      ways: ['write pawl: 1, or install a newer Pawl'],
    },
  },
);
