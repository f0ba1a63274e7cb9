// Runs 1,800 steps that take no time, and kills itself after DIE-AFTER of them.
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

let succeeded = 0;
const progress = ({ type }) => {
  if (type !== 'attempt-succeeded') return;
  succeeded += 1;
  if (String(succeeded) === dieAfter) process.kill(process.pid, 'SIGKILL');
};
const env = { ...systemEnvironment(), cwd: root };
const observer = { begun: () => undefined, progress };
const answer = await run({ path: root, pipeline, observer, replaceExisting: true }, env);
console.log(JSON.stringify({ succeeded, ok: answer.ok, status: answer.value?.heading.status }));
