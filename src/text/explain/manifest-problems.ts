import type { ProblemCode } from '../../model/failure.ts';
import { exitCodes } from '../catalogue/exit-codes.ts';
import { explained } from './explanation.ts';

/** What can be wrong with a manifest, or with a file that it names. */
export const manifestProblems = explained<ProblemCode>(
  {
    follows: 'The place is shown with file, line and column, beside all other problems. Nothing is started.',
    ways: ['mend it and try again; pawl schema prints what may stand there'],
    exitCode: exitCodes.usage,
    page: 'docs/reference/manifest.md',
  },
  {
    'file-too-large': {
      what: 'The manifest, or a file that it names, has more bytes than are read: 1 MiB for a manifest or a schema.',
    },
    'file-unreadable': {
      what: 'A file that the manifest names is not there, or may not be read.',
      ways: ['put it there, or mend the path'],
    },
    'not-utf8': { what: 'A file is no text in UTF-8.', ways: ['save it as UTF-8'] },
    'manifest-empty': {
      what: 'There is nothing in the manifest, or nothing but comments.',
      ways: [
        'write pawl, pipeline, units and phases into it',
        'pawl init writes an example into a new folder',
      ],
    },
    'yaml-syntax': { what: 'The text is no YAML (or no JSON), or holds a second document.' },
    'yaml-too-deep': {
      what: 'The document nests deeper than anybody writes. It is not read: a parser could break on it.',
    },
    'yaml-too-many-aliases': { what: 'There are more aliases than are followed, or aliases of aliases.' },
    'yaml-custom-tag': {
      what: 'A value has a tag of its own (!name). Manifests are plain data.',
      ways: ['leave the tag out'],
    },
    'yaml-duplicate-key': {
      what: 'A key stands twice in one map: nobody could tell which one counts.',
      ways: ['take one of them out'],
    },
    'unknown-key': { what: 'There is no such key at this place, or it cannot stand beside another one.' },
    'missing-key': { what: 'A key is needed here and missing.' },
    'wrong-type': { what: 'The value has another type or form than it can have here.' },
    'literal-secret': {
      what: 'A value of the manifest looks like a key or a password. It would lie in clear in the lock file, in the content store and in git.',
      ways: [
        'set it as a variable of the environment, and write its name: env: { TOKEN: $TOKEN } for a command, key: $NAME for a provider',
        'a key that was committed once has to be revoked',
      ],
    },
    'not-one-of': { what: 'The value is none of those that are possible here.' },
    'out-of-range': { what: 'A number, a length or a duration is smaller or larger than it may be.' },
    'bad-name': {
      what: 'A name cannot be a file name on every system: a-z, 0-9, dot, dash, underscore, 64 at most. A bare number would lose its place in the order.',
    },
    'reserved-name': {
      what: 'A name that some system takes for a device, or that Pawl uses itself.',
      ways: ['choose another name'],
    },
    'duplicate-unit': {
      what: 'Two units have the same id. Capitals do not tell two apart: on some systems their files would be one.',
    },
    'no-units': {
      what: 'There is nothing to work on: the list of units is empty, or no file matches units.glob. Only a list that the run itself makes may be empty.',
      ways: ['list at least one unit, or mend the pattern'],
    },
    'unit-source-missing': {
      what: 'The file from which the units are taken is not there.',
      ways: ['put it there, or mend units.from'],
    },
    'unit-source-not-a-list': {
      what: 'At the named place of the file there is something other than a list of units.',
      ways: ['mend the path of keys in units.from'],
    },
    'unknown-unit-need': { what: 'A unit needs another one that its stage does not list.' },
    'unit-cycle': {
      what: 'Units need each other in a circle: none of them could ever start.',
      ways: ['take one of the needs out'],
    },
    'no-phases': { what: 'A pipeline or a stage has no phases.', ways: ['list at least one phase'] },
    'duplicate-phase': {
      what: 'Two phases, or two stages, have the same name.',
      ways: ['rename one of them'],
    },
    'unknown-need': { what: 'A phase needs one that there is none of, or that is listed after it.' },
    'need-cycle': {
      what: 'Phases need each other in a circle: none of them could ever start.',
      ways: ['take one of the needs out'],
    },
    'unknown-input': { what: 'An input names an output that no phase makes.' },
    'no-unit-file': {
      what: 'An input takes the unit’s own file, and the units of its stage have none.',
      ways: [
        'name the field that holds its path: units: { …, file: FIELD }',
        'or list the units by their files: units: { glob: "src/*.md" }',
      ],
      page: 'docs/guide/files.md',
    },
    'input-from-later-phase': {
      what: 'An input comes from a later phase, and no gate leads back from there: it would never be there.',
      page: 'docs/guide/gates.md',
    },
    'unknown-file': {
      what: 'An input or a list of units names a file that inputs at the top does not declare.',
      ways: ['declare it under inputs'],
    },
    'duplicate-output': {
      what: 'Two outputs would lie at the same path. Every file has one writer.',
      ways: ['give one of them another path'],
    },
    'output-not-per-unit': {
      what: 'The path of an output is the same for all units: each would overwrite the others.',
      ways: ['put {unit} into the path'],
    },
    'path-absolute': {
      what: 'A path is absolute. A workspace may be moved, so paths are relative to it.',
      ways: ['write it relative to the workspace'],
    },
    'path-outside': {
      what: 'A path leads out of the workspace by way of "..".',
      ways: ['keep the file in the workspace'],
    },
    'path-reserved': {
      what: 'Part of a path is a name that some system takes for a device, or belongs to Pawl or git.',
      ways: ['choose another name'],
    },
    'path-control-character': {
      what: 'A path holds a character that cannot be seen or typed.',
      ways: ['use plain letters'],
    },
    'path-through-link': {
      what: 'A path leads out of the workspace through a symbolic link.',
      ways: ['keep the file in the workspace'],
    },
    'pattern-unknown-field': {
      what: 'A pattern has a {field} that its units, inputs or parameters do not have.',
    },
    'template-missing': {
      what: 'There is no file at the path of a template, or of one that it includes.',
      page: 'docs/guide/prompts.md',
    },
    'template-too-large': { what: 'A template has more than 1 MiB.', page: 'docs/guide/prompts.md' },
    'template-syntax': {
      what: 'A template cannot be read: a tag is wrong, or an include names its file by a variable.',
      page: 'docs/guide/prompts.md',
    },
    'template-unknown-variable': {
      what: 'A template uses a variable that this phase does not have. What it takes whatever happens is told before a run begins; what stands behind a condition, when a prompt is made.',
      ways: ['pawl prompt UNIT/PHASE shows what comes of it'],
      page: 'docs/guide/prompts.md',
    },
    'template-includes-itself': {
      what: 'Templates include each other in a circle.',
      page: 'docs/guide/prompts.md',
    },
    'shell-with-template': {
      what: 'A value would become part of the text of a program, as with sh -c: what a model wrote could then run.',
      ways: ['pass it as an argument of its own'],
    },
    'program-from-unit': {
      what: 'A field of a unit would say which program is started: whoever fills in the field could run anything.',
      ways: ['name the program in the manifest, and pass the value as an argument'],
    },
    'env-forbidden': {
      what: 'A command sets a variable that changes what programs load or run: NODE_OPTIONS, BASH_ENV, ENV, PERL5OPT, RUBYOPT, PYTHONSTARTUP, GIT_SSH_COMMAND, LD_PRELOAD and the like.',
      ways: ['set it where you start Pawl, if you mean it'],
    },
    'gate-unknown-output': {
      what: 'A gate reads an output that its phase does not have.',
      page: 'docs/guide/gates.md',
    },
    'gate-back-to-later': {
      what: 'A gate goes back to a phase that comes after it.',
      page: 'docs/guide/gates.md',
    },
    'gate-loops-overlap': {
      what: 'The loops of two gates share phases: nobody could count their rounds.',
      page: 'docs/guide/gates.md',
    },
    'gate-needs-key': {
      what: 'A key does nothing without another one, as plateau without a score.',
      ways: ['add the key that is named'],
      page: 'docs/guide/gates.md',
    },
    'when-outside-loop': {
      what: 'A phase runs only after a gate has failed, and no gate goes back to it or before: it would never run.',
      page: 'docs/guide/gates.md',
    },
    'ladder-outside-loop': {
      what: 'A phase has a ladder for later rounds, and no gate goes back to it or before: it has none.',
      page: 'docs/guide/gates.md',
    },
    'not-the-only-unit': {
      what: 'Something is taken from "the only unit" of a stage that has several.',
      ways: ['take of: every, or of: previous within a stage'],
    },
    'state-missing': {
      what: 'A phase reads or writes the state, and the manifest declares none.',
      ways: ['add a state at the top'],
    },
    'state-needs-chain': {
      what: 'Units share a state and could run at once: then nobody could tell which state each starts from.',
      ways: ['add order: chain'],
    },
    'state-two-writers': { what: 'Two phases write the state. Only one can.' },
    'schema-invalid': {
      what: 'The schema of a check is not there, or is no JSON Schema that can be judged.',
      page: 'docs/reference/checks.md',
    },
    'regex-invalid': {
      what: 'The pattern of a check is no regular expression.',
      page: 'docs/reference/checks.md',
    },
    'version-unsupported': {
      what: 'The manifest is of a version that this Pawl does not know.',
      ways: ['write pawl: 1, or install a newer Pawl'],
    },
  },
);
