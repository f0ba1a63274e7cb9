/** An element of a document, without what it holds. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A small parser that takes no more than XML allows. Gives the elements; throws at the first fault. */
export function parseXml(text: string): XmlElement[] {
  const open: string[] = [];
  const elements: XmlElement[] = [];
  const piece = /<!--(?:(?!--)[\s\S])*-->|<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  let roots = 0;
  while (piece.lastIndex < text.length) {
    const at = piece.lastIndex;
    const match = piece.exec(text);
    if (match === null) throw new Error(`no XML at ${at}: ${text.slice(at, at + 80)}`);
    const [whole, closing, name = '', attributes = '', empty, characters] = match;
    checkCharacters(whole);
    if (characters !== undefined && open.length === 0 && characters.trim() !== '')
      throw new Error('text outside');
    if (name === '') continue;
    if (closing === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing at ${at}`);
      continue;
    }
    if (open.length === 0 && ++roots > 1) throw new Error('a second root');
    elements.push({ name, attributes: attributesOf(attributes) });
    if (empty !== '/') open.push(name);
  }
  if (open.length > 0 || roots === 0) throw new Error(`not closed: ${open.join(' ')}`);
  return elements;
}

function attributesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(/([\w:-]+)="([^"]*)"/g)) {
    if (found.has(name)) throw new Error(`${name} twice`);
    found.set(name, value);
  }
  return found;
}

function checkCharacters(text: string): void {
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new Error('no XML character');
  if (/&(?!(?:amp|lt|gt|quot|#39|#\d+);)/.test(text)) throw new Error('a bare &');
  if (text.includes(']]>')) throw new Error(']]> in text');
}
