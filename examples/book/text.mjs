// Words and sentences: what the lint measures and what the stand-in has to look at.

/** Words too common to show that a sentence is about a beat. */
const common = new Set(
  'that this with from into they them their there then than been have what when where which would could'.split(
    ' ',
  ),
);

/** A sentence that holds this share of a beat's telling words mentions the beat. */
const shareMin = 0.6;

/** @param {string} text */
export function words(text) {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+(?:[’'][\p{L}]+)*/gu), (match) => match[0]);
}

/** The paragraphs of a scene, without headings. @param {string} prose */
export function paragraphs(prose) {
  return prose
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '' && !paragraph.startsWith('#'));
}

/** The sentences of a scene in order. A full stop inside a quotation ends one only before a capital. @param {string} prose */
export function sentences(prose) {
  return paragraphs(prose).flatMap((paragraph) =>
    paragraph.replaceAll('\n', ' ').split(/(?<=[.!?][”"]?)\s+(?=[“"]?\p{Lu})/u),
  );
}

/** The first word of a sentence, for comparing. @param {string} sentence */
export function firstWord(sentence) {
  return (words(sentence)[0] ?? '').toLowerCase();
}

/** Whether a sentence of the text says what the beat says. @param {string} text @param {string} beat */
export function mentions(text, beat) {
  const telling = tellingWords(beat);
  return sentences(text).some((sentence) => {
    const present = new Set(words(sentence.toLowerCase()));
    const found = telling.filter((word) => present.has(word)).length;
    return found >= telling.length * shareMin;
  });
}

/** @param {string} text @param {string} word */
export function holdsWord(text, word) {
  return words(text.toLowerCase()).includes(word.toLowerCase());
}

/** @param {string} beat */
function tellingWords(beat) {
  const all = [...new Set(words(beat.toLowerCase()))];
  const telling = all.filter((word) => word.length >= 4 && !common.has(word));
  return telling.length > 0 ? telling : all;
}
