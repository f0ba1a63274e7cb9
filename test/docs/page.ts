/** A fenced block of a page: its language, what stands behind it, and its text. */
export interface Block {
  readonly language: string;
  readonly info: string;
  readonly text: string;
  readonly line: number;
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; info: string; lines: string[]; line: number } | undefined;
  page.split('\n').forEach((line, at) => {
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) {
      open = { language: fence[1] ?? '', info: fence[2] ?? '', lines: [], line: at + 1 };
    } else {
      blocks.push({
        language: open.language,
        info: open.info,
        text: `${open.lines.join('\n')}\n`,
        line: open.line,
      });
      open = undefined;
    }
  });
  return blocks;
}

/** Where a page leads to within the project: a file, or none for the page itself, and a heading in it. */
export interface Link {
  readonly text: string;
  readonly path: string;
  readonly anchor: string | undefined;
}

export function linksOf(page: string): Link[] {
  return Array.from(proseOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, text = '']) => text)
    .filter((text) => !/^[a-z]+:/.test(text))
    .map((text) => {
      const [path = '', anchor] = text.split('#');
      return { text, path, anchor };
    });
}

/** The names under which headings can be led to. */
export function anchorsOf(page: string): Set<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const slug = slugOf(heading);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

/** As GitHub makes them: small letters, digits, `-` and `_`; spaces become `-`, and all else goes. */
export function slugOf(heading: string): string {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Files and folders of the repository that are named between back quotes. */
export function pathsIn(page: string): string[] {
  const named = Array.from(proseOf(page).matchAll(/`([^`\n]+)`/g), ([, text = '']) => text);
  return named.filter((text) =>
    /^(?:src|test|docs|scripts|schema|bench|bin|skills|examples)\/[\w./-]+$/.test(text),
  );
}

/** Everything but fenced blocks, line by line. */
function proseOf(page: string): string {
  let isOpen = false;
  const lines = page.split('\n').filter((line) => {
    if (!line.startsWith('```')) return !isOpen;
    isOpen = !isOpen;
    return false;
  });
  return lines.join('\n');
}
