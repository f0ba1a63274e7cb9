import { defineConfig } from 'rolldown';
import { notices } from './scripts/notices.mjs';

/*
 * Each file that is loaded costs more than what is in it, and a command is waited for at every call: so what belongs
 * together is one file. The types come from `tsc`. `docs/adr/0013-few-files.md` says why, and 0017 why the command is a
 * program of its own.
 */
const common = {
  platform: /** @type {const} */ ('node'),
  transform: { target: 'node20.19' },
  // Of a package that comes both ways the modules: what is not used is left out.
  resolve: { mainFields: ['module', 'main'] },
};

/** What a user may install beside it is looked for when it is needed. */
const optional = /^(?:ai|@ai-sdk\/.*|@opentelemetry\/.*|sharp)$/;

/** The library: modules, with what they use of their dependencies in them. */
const library = defineConfig({
  ...common,
  input: {
    index: 'src/index.ts',
    // Measured by itself in `bench/`.
    'checks/png': 'src/checks/png.ts',
  },
  external: [/^node:/, optional],
  plugins: [notices()],
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name].js',
    // It finds the files of the package, and is as deep below its root here as in `src`.
    codeSplitting: { groups: [{ name: 'program', test: /src\/base\/program\.ts$/ }] },
  },
});

/** What `pawl` starts: with its dependencies in it, as far as it uses them. */
const command = defineConfig({
  ...common,
  input: {
    'cli/main': 'src/cli/main.ts',
    'mcp/main': 'src/mcp/main.ts',
    'engine/brief/finished-step': 'src/engine/brief/finished-step.ts',
    'engine/brief/refresh': 'src/engine/brief/refresh.ts',
    'engine/brief/parse-recovery': 'src/engine/brief/parse-recovery.ts',
  },
  external: [/^node:/, optional],
  plugins: [notices()],
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'command/[name].cjs',
    codeSplitting: {
      groups: [
        // What `main` itself needs is apart, because else it would be put into one of the following.
        {
          name: 'start',
          test: /src\/(cli\/(main|process-io|start-in)|base\/(call-process|clock|start-folder))\.ts$/,
          priority: 3,
        },
        // Help needs the table of commands and nothing else. It has a file of its own, because shells wait for it.
        { name: 'help', test: /src\/(cli\/commands|text\/help\/help)\.ts$/, priority: 2 },
        // A loop of agents calls `pawl next` all day: that use case is in one file with what every command needs.
        { name: 'next', test: /src\/(cli\/program|engine\/tasks\/next)\.ts$/, priority: 1 },
        { name: 'next-words', test: /src\/text\/tasks\.ts$/ },
      ],
    },
  },
});

/** A hook is waited for at every turn of an agent: it shares nothing with the rest, so it cannot bring the rest along. */
const hooks = defineConfig({
  ...common,
  input: { 'hooks/main': 'src/hooks/main.ts' },
  external: [/^node:/],
  plugins: [
    {
      name: 'the rest is loaded when it is needed',
      resolveId: (source) => {
        const [, name] = /\/(finished-step|refresh|parse-recovery)\.ts$/.exec(source) ?? [];
        return name === undefined ? undefined : { id: `../engine/brief/${name}.cjs`, external: true };
      },
    },
  ],
  output: { dir: 'dist', format: 'cjs', entryFileNames: '[name].cjs' },
});

export default [library, command, hooks];
