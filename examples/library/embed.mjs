// Pawl inside a script: a pipeline in code, looked at, run, asked about, and a failure in words.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePipeline, endOf, explain, plan, run, why } from 'pawl';

const pipeline = definePipeline({
  pawl: 1,
  pipeline: 'squares',
  units: [
    { id: 'two', number: 2 },
    { id: 'three', number: 3 },
  ],
  phases: {
    square: {
      run: (task) => ({ number: `${task.unit.number ** 2}\n` }),
      outputs: { number: 'out/{unit}.txt' },
    },
    double: {
      run: (task) => ({ result: { doubled: Number(task.inputs.number.text()) * 2 } }),
      outputs: { result: { path: 'out/{unit}.json', check: 'json' } },
    },
  },
});

// The folder is the workspace: its journal lies in it, and the same folder is the same run.
const path = mkdtempSync(join(tmpdir(), 'squares-'));
const request = { pipeline, path };

const { counts } = demand(await plan(request));
console.log(`${counts.run} can start, ${counts.wait} wait for them`);

const observer = {
  begun: ({ units }) => console.log(`${units.length} units`),
  progress: (progress) => {
    if (progress.type === 'attempt-succeeded') console.log(`${progress.unit}/${progress.phase} is done`);
  },
};
const answer = demand(await run({ ...request, observer }));
console.log(endOf(answer), answer.ran.succeeded, readFileSync(join(path, 'out/three.json'), 'utf8'));

// Nothing is done twice: it is proven, and asked about one by one.
console.log(
  demand(await run(request)).kind,
  demand(await why({ ...request, cell: 'two/double' })).verdict.do,
);

// What can go wrong is a value with a stable reason, and there are words for it.
writeFileSync(join(path, 'out/two.txt'), '5\n');
const refused = await run(request);
if (!refused.ok) console.log(refused.failure.reason, explain(refused.failure));
rmSync(path, { recursive: true });

function demand(result) {
  if (!result.ok) throw new Error(explain(result.failure).message);
  return result.value;
}
