import { knock } from './door.mjs';

process.on('SIGTERM', () => undefined);
await knock(`${process.env.PAWL_UNIT}/${process.env.PAWL_PHASE}/grandchild`);
