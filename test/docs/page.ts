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

/** Links of a page that lead to another file of the project. */
export function linksOf(page: string): string[] {
  const links = Array.from(page.matchAll(/\]\(([^)\s]+)\)/g), (match) => match[1] ?? '');
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => link.split('#')[0] ?? '')
    .filter((link) => link !== '');
}
