// One sitting of the engine.
import { runWorkload } from '../engine.mjs';

const { root, ...options } = JSON.parse(process.argv[2] ?? '');
console.log(JSON.stringify(await runWorkload(root, options)));
