import type { ProblemCode } from '../../model/failure.ts';
import { choice } from '../style/words.ts';
import { makeEntries } from './entry.ts';
import { exitCodes } from './exit-codes.ts';
import {
  expected,
  found,
  guess,
  has,
  many,
  one,
  type ProblemWords,
  range,
  size,
  unknownKey,
  valid,
  yamlSyntax,
} from './problem-facts.ts';
/** What the problems of a manifest have in common. */
export const ofManifest = {
  follows: 'The place is shown with file, line and column, beside all other problems. Nothing is started.',
  ways: ['mend it and try again; pawl schema prints what may stand there'],
  exitCode: exitCodes.usage,
  page: 'docs/reference/manifest.md',
} as const;

type TextProblem = Extract<
  ProblemCode,
  | 'file-too-large'
  | 'file-unreadable'
  | 'not-utf8'
  | 'manifest-empty'
  | 'yaml-syntax'
  | 'yaml-too-deep'
  | 'yaml-too-many-aliases'
  | 'yaml-custom-tag'
  | 'yaml-duplicate-key'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'literal-secret'
  | 'not-one-of'
  | 'out-of-range'
  | 'bad-name'
  | 'reserved-name'
>;

/** What can be wrong with the text and the keys of a manifest. */
export const manifestTextProblems = makeEntries<TextProblem, Readonly<Record<TextProblem, ProblemWords>>>(
  ofManifest,
  {
    'file-too-large': {
      words: (facts) => `${one(facts, 'found')} is too large; at most ${size(facts)}`,

      what: 'The manifest, or a file that it names, has more bytes than are read: 1 MiB for a manifest or a schema.',
    },
    'file-unreadable': {
      words: (facts) =>
        one(facts, 'cause') === 'ENOENT'
          ? `there is no file ${one(facts, 'found')}${guess(facts)}`
          : `${one(facts, 'found')} cannot be read (${one(facts, 'cause')})`,

      what: 'A file that the manifest names is not there, or may not be read.',
      ways: ['put it there, or mend the path'],
    },
    'not-utf8': {
      words: (facts) => `${one(facts, 'found')} is not a UTF-8 text`,
      what: 'A file is no text in UTF-8.',
      ways: ['save it as UTF-8'],
    },
    'manifest-empty': {
      words: () =>
        'the file is empty; it needs pawl: 1, pipeline, units and phases, as in the example that pawl init minimal FOLDER writes',

      what: 'There is nothing in the manifest, or nothing but comments.',
      ways: [
        'write pawl, pipeline, units and phases into it',
        'pawl init writes an example into a new folder',
      ],
    },
    'yaml-syntax': {
      words: yamlSyntax,
      what: 'The text is no YAML (or no JSON), or holds a second document.',
    },
    'yaml-too-deep': {
      words: (facts) => `nested deeper than ${one(facts, 'limit')} levels`,

      what: 'The document nests deeper than anybody writes. It is not read: a parser could break on it.',
    },
    'yaml-too-many-aliases': {
      words: (facts) => `more than ${one(facts, 'limit')} aliases, or aliases of aliases`,
      what: 'There are more aliases than are followed, or aliases of aliases.',
    },
    'yaml-custom-tag': {
      words: (facts) => `the tag ${one(facts, 'found')} is not allowed; write plain YAML`,

      what: 'A value has a tag of its own (!name). Manifests are plain data.',
      ways: ['leave the tag out'],
    },
    'yaml-duplicate-key': {
      words: (facts) => `the key ${one(facts, 'found')} stands here twice`,

      what: 'A key stands twice in one map: nobody could tell which one counts.',
      ways: ['take one of them out'],
    },
    'unknown-key': {
      words: unknownKey,
      what: 'There is no such key at this place, or it cannot stand beside another one.',
    },
    'missing-key': {
      words: (facts) =>
        has(facts, 'valid')
          ? `one of ${choice(many(facts, 'valid'))} is needed here`
          : `missing${expected(facts)}`,
      what: 'A key is needed here and missing.',
    },
    'wrong-type': {
      words: (facts) => `found ${found(facts)}${expected(facts) || '; it does not fit here'}`,
      what: 'The value has another type or form than it can have here.',
    },
    'literal-secret': {
      words: (facts) =>
        `holds what looks like ${one(facts, 'found')}; keep it in a variable of the environment and name that here, as in env: { TOKEN: $TOKEN }`,

      what: 'A value of the manifest looks like a key or a password. It would lie in clear in the lock file, in the content store and in git.',
      ways: [
        'set it as a variable of the environment, and write its name: env: { TOKEN: $TOKEN } for a command, key: $NAME for a provider',
        'a key that was committed once has to be revoked',
      ],
    },
    'not-one-of': {
      words: (facts) => `${found(facts)} is not possible here${guess(facts)}${valid(facts)}`,
      what: 'The value is none of those that are possible here.',
    },
    'out-of-range': {
      words: range,
      what: 'A number, a length or a duration is smaller or larger than it may be.',
    },
    'bad-name': {
      words: (facts) =>
        one(facts, 'expected') === 'letters'
          ? `${found(facts)} cannot be a name: a number would lose its place; begin it with a letter`
          : `${found(facts)} cannot be a name; use a-z, 0-9, ".", "_" and "-", beginning with a letter or digit, 64 at most${guess(facts)}`,

      what: 'A name cannot be a file name on every system: a-z, 0-9, dot, dash, underscore, 64 at most. A bare number would lose its place in the order.',
    },
    'reserved-name': {
      words: (facts) => `the name ${one(facts, 'found')} is reserved; choose another one`,

      what: 'A name that some system takes for a device, or that Pawl uses itself.',
      ways: ['choose another name'],
    },
  },
);
