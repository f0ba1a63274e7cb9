import { defineConfig } from 'rolldown';

/*
 * Each file that is loaded costs more than what is in it, and a command is waited for at every call: so what belongs
 * together is one file. The types come from `tsc`. `docs/adr/0013-few-files.md` says why.
 */
export default defineConfig({
  input: {
    index: 'src/index.ts',
    'cli/main': 'src/cli/main.ts',
    'hooks/main': 'src/hooks/main.ts',
    'mcp/main': 'src/mcp/main.ts',
    // Measured by itself in `bench/`.
    'artifacts/checks/png': 'src/artifacts/checks/png.ts',
  },
  platform: 'node',
  transform: { target: 'node20.19' },
  external: /^[^./]/,
  output: {
    dir: 'dist',
    entryFileNames: '[name].js',
    // As deep as the folders of the rooms: the files of the package are found from either.
    chunkFileNames: 'parts/[name].js',
    codeSplitting: {
      groups: [
        // Help is asked for by shells and people who wait, and needs nothing else.
        { name: 'help', test: /src\/(cli\/commands|report\/help\/help)\.ts$/, priority: 1 },
        // A hook is waited for at every turn of an agent: what it shares with the rest must not bring the rest along.
        {
          name: 'ground',
          test: /src\/(base\/plain|brief\/staleness|engine\/(?:environment|brief\/standing)|runner\/brief\/state-file)\.ts$/,
          priority: 2,
        },
        // What a loop of agents asks for all day, and with it what every command needs; then the same for people.
        { name: 'next', test: /src\/(cli\/(program|acts\/next)|report\/next-json)\.ts$/, priority: 1 },
        { name: 'next-words', test: /src\/report\/tasks\.ts$/ },
      ],
    },
  },
});
