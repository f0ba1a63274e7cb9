import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemplateSet } from '../../src/pipeline/prompts/liquid.ts';
import { projectRoot } from '../support/workspace.ts';
import { checkDocument } from './blocks/documents.ts';
import { problemsOfManifest } from './blocks/manifests.ts';
import { holderOf, notRun, notRunPrefix } from './blocks/outside.ts';
import { checkTypes, newClone, newUsersFolder, runBlock, writeInto } from './blocks/workspace.ts';
import { type Block, blocksOf } from './page.ts';

/*
 * Every block of the README and the docs is run or held against the code, in the order of its page and in one folder:
 *
 * - `sh CODE` is run, and has to end with CODE (0 where none is given).
 * - `text` has to be in what was printed last; ids of runs and times are as good as any other.
 * - a block with a file name behind its language is written to that file, for the commands that come after it.
 * - `yaml` is a manifest, or a part of one, and has to load; `json` and `toml` are documents, `liquid` is a template.
 * - `ts` has to compile against the types of the package.
 * - `not-run:WHY`: why is in the short list of `blocks/outside.ts`.
 */

const pages = [
  'README.md',
  ...readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path))
    .sort(),
];

describe('every block works as it is written', () => {
  it.each(pages.filter((page) => blocksIn(page).length > 0))('%s', async (page) => {
    const run = new PageRun(page);
    for (const block of blocksIn(page)) {
      const where = `${page}:${block.line}`;
      await run.take(block).catch((error: Error) => {
        throw Object.assign(error, { message: `${where}: ${error.message}` });
      });
    }
    await run.end();
  });
});

describe('a block that is not run', () => {
  const left = pages.flatMap((page) => blocksIn(page).map((block) => ({ page, block })));

  it.each(Object.keys(notRun))('%s is a reason that some block has', (why) => {
    expect(left.map(({ block }) => block.info)).toContain(`${notRunPrefix}${why}`);
  });

  it.each([
    ['', ''],
    ['js', ''],
    ['text', ''],
    ['text', 'not-run:too-lazy'],
  ])('is a mistake: "%s %s"', async (language, info) => {
    const block = { language, info, text: 'pawl: 1\n', line: 1 };
    await expect(new PageRun('docs/page.md').take(block)).rejects.toThrow();
  });

  it('is held by a test that reads its page', () => {
    const wrong = left.filter(({ page, block }) => {
      const holder = holderOf(page, block);
      return holder !== undefined && !readFileSync(join(projectRoot, holder), 'utf8').includes(page);
    });
    expect(wrong).toEqual([]);
  });
});

function blocksIn(page: string): Block[] {
  return blocksOf(readFileSync(join(projectRoot, page), 'utf8'));
}

/** A page on its way through its blocks. */
class PageRun {
  readonly #page: string;
  /** Files that were written and that no command came after. */
  readonly #unused: string[] = [];
  #folder: string | undefined;
  #output: string | undefined;

  constructor(page: string) {
    this.#page = page;
  }

  async take(block: Block): Promise<void> {
    const { language, info, text } = block;
    if (holderOf(this.#page, block) !== undefined) return;
    if (info.startsWith(notRunPrefix)) expect(Object.keys(notRun)).toContain(info.slice(notRunPrefix.length));
    else if (language === 'sh') await this.#run(text, Number(info || 0));
    else if (language === 'ts') checkTypes(this.#inFolder(), text);
    else if (isFileName(info)) this.#write(info, text);
    else if (language === 'text') await this.#compare(text);
    else if (language === 'yaml') expect(await problemsOfManifest(text)).toBeUndefined();
    else if (language === 'json') checkDocument(text);
    else if (language === 'toml') checkToml(text);
    else if (language === 'liquid') checkTemplate(text);
    else expect.fail(`nobody runs a block of the language "${language}"`);
  }

  /** A program that no command comes after is run as it is. */
  async end(): Promise<void> {
    const [program] = this.#unused.splice(-1);
    if (program !== undefined) await this.#run(`node ${program}`, 0);
  }

  #write(path: string, text: string): void {
    writeInto(this.#inFolder(), path, text);
    this.#unused.push(path);
  }

  async #run(text: string, code: number): Promise<void> {
    const ended = await runBlock(this.#inFolder(), text, code);
    expect(ended.code, ended.output).toBe(code);
    this.#output = ended.output;
    this.#unused.length = 0;
  }

  async #compare(text: string): Promise<void> {
    await this.end();
    if (this.#output === undefined) expect.fail('no command has printed this');
    expect(likened(this.#output)).toContain(likened(text.trim()));
  }

  #inFolder(): string {
    this.#folder ??= this.#page === 'README.md' ? newClone() : newUsersFolder();
    return this.#folder;
  }
}

function isFileName(info: string): boolean {
  return /^[\w./-]+\.\w+$/.test(info);
}

/** The same for every run and at any time. */
function likened(output: string): string {
  return output
    .replaceAll(/\d{8}-\d{4}-([a-z]+)-[a-z0-9]{4}/g, 'ID-$1')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?/g, 'TIME');
}

/** As much of TOML as is JSON behind a key. */
function checkToml(text: string): void {
  const lines = text.split('\n').filter((line) => line !== '' && !/^\[[\w.]+\]$/.test(line));
  for (const line of lines) JSON.parse(line.slice(line.indexOf(' = ') + 3));
  expect(lines.length).toBeGreaterThan(0);
}

function checkTemplate(text: string): void {
  const templates = new TemplateSet((path) => (path === 'shown.md' ? text : undefined));
  templates.renderSync(templates.parsed('shown.md'), { feedback: [{ text: 'shorter' }] });
}
