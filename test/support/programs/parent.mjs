// A command phase with a child of its own, which lives for as long as nobody ends it and does not mind being asked.
import { spawn } from 'node:child_process';

spawn(process.execPath, ['grandchild.mjs'], { stdio: 'ignore' }).unref();
await import('./tool.mjs');
