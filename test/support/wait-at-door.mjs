// Loaded into the command before anything else: it waits at the test's door, so that many can be let go at once.
import { knock } from './programs/door.mjs';

await knock('gate');
