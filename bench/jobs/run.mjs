// One sitting of the engine. Ends the process itself: what the engine leaves behind must not be waited for.
import { runWorkload } from '../engine.mjs';

const { root, ...options } = JSON.parse(process.argv[2] ?? '');
process.stdout.write(JSON.stringify(await runWorkload(root, options)), () => process.exit());
