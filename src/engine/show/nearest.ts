/* For faces that guess what was meant by a word. Alone in a file: whoever guesses loads nothing else. */

export { nearest } from '../../pipeline/text/problems.ts';
