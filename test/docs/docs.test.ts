import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { commandsPage } from './commands-page.ts';
import { type Block, blocksOf, linksOf } from './page.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('the pages', () => {
  it.each([
    ['docs/guide/first-steps.md', 8],
    ['docs/guide/tasks-and-agents.md', 10],
    ['docs/guide/feature.md', 15],
    ['docs/guide/gates.md', 4],
    ['docs/guide/checkpoints.md', 8],
    ['docs/guide/notifications.md', 2],
    ['docs/guide/brief.md', 16],
    ['docs/guide/coding-agents.md', 10],
    ['docs/guide/models.md', 7],
    ['docs/guide/prompts.md', 5],
    ['docs/guide/cost.md', 3],
    ['docs/reference/library.md', 1],
  ])('%s works as it is written', (page, leastSteps) => {
    const folder = newFolder();
    let steps = 0;
    let output = '';
    for (const block of blocksOf(readFileSync(join(root, page), 'utf8'))) {
      if (isFile(block)) write(folder, block);
      if (block.language === 'sh') output = runShell(folder, page, block);
      if (block.language === 'text') expect(output, `${page}:${block.line}`).toContain(block.text.trim());
      if (block.info === 'embed.mjs')
        output = runShell(folder, page, { ...block, info: '', text: 'node embed.mjs' });
      if (block.language === 'sh' || block.info === 'embed.mjs') steps += 1;
    }
    expect(steps).toBeGreaterThanOrEqual(leastSteps);
  });

  it('list the commands that there are', () => {
    const page = join(root, 'docs/reference/commands.md');
    if (process.env.UPDATE_DOCS) writeFileSync(page, commandsPage());
    expect(readFileSync(page, 'utf8')).toBe(commandsPage());
  });

  it('have no dead links', () => {
    const dead = pages().flatMap((page) =>
      linksOf(readFileSync(join(root, page), 'utf8'))
        .filter((link) => !existsSync(resolve(root, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('keep the README under 150 lines', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThan(150);
  });
});

function pages(): string[] {
  const { status, stdout } = spawnSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
    { cwd: root, encoding: 'utf8' },
  );
  expect(status).toBe(0);
  return stdout.split('\n').filter((page) => page !== '');
}

/** A workspace of a new user: the package is found as if it were installed. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-docs-'));
  folders.push(folder);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules/pawl'));
  symlinkSync(join(root, 'bin/pawl.js'), join(folder, 'node_modules/.bin/pawl'));
  return folder;
}

function isFile({ language, info }: Block): boolean {
  return language !== 'sh' && /^[\w./-]+\.\w+$/.test(info);
}

function write(folder: string, { info, text }: Block): void {
  mkdirSync(dirname(join(folder, info)), { recursive: true });
  writeFileSync(join(folder, info), text);
}

/** What stands behind `sh` is the exit code to expect. */
function runShell(folder: string, page: string, { text, info, line }: Block): string {
  const env = {
    ...process.env,
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
    XDG_STATE_HOME: join(folder, '.state'),
    HOME: join(folder, '.home'),
    CLAUDE_PROJECT_DIR: folder,
    NO_COLOR: '1',
  };
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', text], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(status, `${relative('.', page)}:${line}\n${stdout}${stderr}`).toBe(Number(info || 0));
  return stdout + stderr;
}
