// Runs very many cells that take no time, and ends itself hard after so many of them.
//   node many-files.mjs LIBRARY ROOT [DIE-AFTER]
const [library = '', root = '', dieAfter = ''] = process.argv.slice(2);
const { definePipeline, run, systemEnvironment } = await import(library);

const pipeline = definePipeline({
  pawl: 1,
  pipeline: 'many',
  durability: 'process',
  units: { count: 900, id: 'u{index:04}' },
  phases: {
    draft: {
      run: ({ unit }) => ({ text: `draft of ${unit.id}\n` }),
      outputs: { text: 'out/draft/{unit}.txt' },
    },
    edit: {
      inputs: { draft: 'draft.text' },
      run: ({ inputs }) => ({ text: `edited ${inputs.draft.text()}` }),
      outputs: { text: 'out/edit/{unit}.txt' },
    },
  },
  pace: { concurrency: 64 },
});

let threads = 0;
process.on('worker', () => {
  threads += 1;
});
let succeeded = 0;
const progress = ({ type }) => {
  if (type !== 'attempt-succeeded') return;
  succeeded += 1;
  if (String(succeeded) === dieAfter) process.kill(process.pid, 'SIGKILL');
};
const env = { ...systemEnvironment(), cwd: root };
const answer = await run({ path: root, pipeline, observer: { begun: () => undefined, progress } }, env);
console.log(JSON.stringify({ threads, succeeded, ok: answer.ok, status: answer.value?.heading.status }));
