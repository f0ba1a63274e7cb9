// Runs very many cells that take no time, and ends itself hard after so many of them; or only its thread.
//   node many-files.mjs LIBRARY ROOT [DIE-AFTER | thread:DIE-AFTER]
const [library = '', root = '', dieAfter = ''] = process.argv.slice(2);
const { definePipeline, run, systemEnvironment } = await import(library);

const pipeline = definePipeline({
  pawl: 1,
  pipeline: 'many',
  durability: 'process',
  units: { count: 900, id: 'u{index:04}' },
  phases: {
    draft: {
      run: ({ unit }) => {
        const text = Buffer.from(`draft of ${unit.id}\n`);
        // Its own buffer, which it uses again.
        setImmediate(() => text.fill(0));
        return { text };
      },
      outputs: { text: { path: 'out/draft/{unit}.txt', check: { regex: 'draft' } } },
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
let thread;
process.on('worker', (worker) => {
  threads += 1;
  thread = worker;
});
let succeeded = 0;
const progress = ({ type }) => {
  if (type !== 'attempt-succeeded') return;
  succeeded += 1;
  if (`thread:${succeeded}` === dieAfter) thread?.terminate();
  if (String(succeeded) === dieAfter) process.kill(process.pid, 'SIGKILL');
};
const env = { ...systemEnvironment(), cwd: root };
const observer = { begun: () => undefined, progress };
const answer = await run({ path: root, pipeline, observer, replaceExisting: true }, env);
console.log(JSON.stringify({ threads, succeeded, ok: answer.ok, status: answer.value?.heading.status }));
