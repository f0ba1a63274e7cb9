import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { explainReason, listReasons } from '../../src/index.ts';
import { projectRoot } from '../support/workspace.ts';

/* What a user would install, without installing it: `scripts/packed.mjs` does that. */

const packed = pack();
const paths = packed.files.map(({ path }) => path);

describe('the package', () => {
  it('has all of the examples that are in the repository, and nothing that a run has made', () => {
    const kept = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'examples'], {
      encoding: 'utf8',
    })
      .split('\n')
      // One that is about to be moved is still known; and npm leaves these files out of every package.
      .filter((path) => existsSync(join(projectRoot, path || '-')) && !path.endsWith('.gitignore'));
    expect(paths.filter((path) => path.startsWith('examples/')).sort()).toEqual(kept.sort());
  });

  it('has what it is used for, and no tests or sources of its own', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['bin/pawl.js', 'dist/index.js', 'dist/index.d.ts', 'LICENSE']),
    );
    const folders = new Set(paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
    expect([...folders].sort()).toEqual(['bin', 'dist', 'docs', 'examples', 'schema', 'skills']);
    expect(paths.filter((path) => /^dist\/.*(\.test\.|\.map$|fixtures)/.test(path))).toEqual([]);
  });

  it('has every declaration that the library reaches', () => {
    const reached = new Set<string>();
    const look = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      const text = readFileSync(join(projectRoot, path), 'utf8');
      for (const [, found = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.[jt]s['"]/g))
        look(posix.join(posix.dirname(path), `${found}.d.ts`));
    };
    look('dist/index.d.ts');
    expect(reached.size).toBeGreaterThan(50);
    expect([...reached].filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('has the page that `pawl explain` names for each reason', async () => {
    const words = (await listReasons()).flatMap(({ reasons }) => reasons);
    const meanings = (await Promise.all(words.map(explainReason))).flat();
    const pages = new Set(meanings.map(({ page }) => page));
    expect(pages.size).toBeGreaterThan(5);
    expect([...pages].filter((page) => !paths.includes(page))).toEqual([]);
  });
});

describe('an install without the optional packages', () => {
  const needed = neededPackages();

  it('brings at most 25 packages', () => {
    expect(needed.length).toBeGreaterThan(3);
    expect(needed.length + 1).toBeLessThanOrEqual(25);
  });

  it('takes at most 25 MB', () => {
    const bytes = needed.reduce((sum, path) => sum + bytesBelow(join(projectRoot, path)), 0);
    expect(bytes + packed.unpackedSize).toBeLessThanOrEqual(25_000_000);
  });

  it('runs no script of anybody’s', () => {
    const isScript = (name: string) => /^(pre|post)?(install|prepare)$/.test(name);
    const { scripts } = readJson('package.json') as { scripts: object };
    expect(Object.keys(scripts).filter(isScript)).toEqual([]);
    const { packages } = readJson('package-lock.json') as Lock;
    expect(needed.filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
  });
});

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { dev?: true; optional?: true; peer?: true; devOptional?: true; hasInstallScript?: true }>
  >;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
}

function pack(): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const [answer] = JSON.parse(execFileSync('npm', args, { cwd: projectRoot, encoding: 'utf8' })) as Packed[];
  if (answer === undefined) throw new Error('npm pack has answered nothing');
  return answer;
}

/** What `npm install` brings besides the package itself: paths of folders, by the lock file. */
function neededPackages(): string[] {
  const { packages } = readJson('package-lock.json') as Lock;
  return Object.entries(packages)
    .filter(
      ([path, { dev, optional, peer, devOptional }]) => path && !(dev || optional || peer || devOptional),
    )
    .map(([path]) => path);
}

/** Without packages inside, which are listed by themselves. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !join(entry.parentPath, entry.name).slice(folder.length).includes('node_modules'),
    )
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
