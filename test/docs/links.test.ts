import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/workspace.ts';
import { anchorsOf, type Link, linksOf, pathsIn } from './page.ts';

const pages = markdownFiles();

describe('the pages', () => {
  it('have no dead links', () => {
    const dead = pages.flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !leadsSomewhere(page, link))
        .map(({ text }) => `${page}: ${text}`),
    );
    expect(dead).toEqual([]);
  });

  it('name no file of the repository that is not there', () => {
    // Those of the examples speak of the workspace that they lie in.
    const ours = pages.filter((page) => !page.startsWith('examples/'));
    const dead = ours.flatMap((page) =>
      pathsIn(read(page))
        .filter((path) => !existsSync(join(projectRoot, path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  it('can all be found from the contents', () => {
    const found = new Set(['docs/README.md']);
    for (const page of found)
      for (const { path } of linksOf(read(page))) {
        const to = normalize(join(dirname(page), path));
        if (path !== '' && to.startsWith('docs/') && to.endsWith('.md') && existsSync(join(projectRoot, to)))
          found.add(to);
      }
    expect(pages.filter((page) => page.startsWith('docs/') && !found.has(page))).toEqual([]);
  });

  it('of the guide lead from one to the next', () => {
    const order = linksOf(read('docs/README.md').split('\n## ')[1] ?? '').map(({ path }) => path);
    const guide = pages
      .filter((page) => page.startsWith('docs/guide/'))
      .map((page) => page.slice('docs/'.length));
    expect(order.toSorted()).toEqual(guide.toSorted());
    const wrong = order.slice(0, -1).filter((path, at) => {
      const last = linksOf(read(`docs/${path}`)).at(-1);
      return normalize(join(dirname(path), last?.path ?? '')) !== order[at + 1];
    });
    expect(wrong).toEqual([]);
  });

  it('keep the README under 150 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThan(150);
  });
});

function leadsSomewhere(page: string, { path, anchor }: Link): boolean {
  const to = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(projectRoot, to))) return false;
  return anchor === undefined || !to.endsWith('.md') || anchorsOf(read(to)).has(anchor);
}

function read(page: string): string {
  return readFileSync(join(projectRoot, page), 'utf8');
}

function markdownFiles(): string[] {
  const call = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '*.md'];
  const { status, stdout } = spawnSync('git', call, { cwd: projectRoot, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout.split('\n').filter((page) => page !== '' && existsSync(join(projectRoot, page)));
}
