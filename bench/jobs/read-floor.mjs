// The least that a program must do to know that nothing is to be done: read the journal, stat the files.
import { readJournalFiles, statArtifacts } from '../floor.mjs';
import { outputPath, phaseNames, unitName } from '../workload.mjs';

const { root, units, parse } = JSON.parse(process.argv[2] ?? '');
const cells = units * phaseNames.length;
const segments = readJournalFiles(root);
const found = statArtifacts(root, parse ? recordedPaths() : declaredPaths());
if (found !== cells) throw new Error(`${found} of ${cells} artifacts`);

function* recordedPaths() {
  for (const bytes of segments) {
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line === '') continue;
      const { type, outputs } = JSON.parse(line);
      if (type === 'attempt_succeeded') yield outputs.text.path;
    }
  }
}

function* declaredPaths() {
  for (let index = 0; index < units; index++) {
    for (const phase of phaseNames) yield outputPath(unitName(index), phase);
  }
}
