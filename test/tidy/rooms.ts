import { type Import, importsOf } from './imports.ts';
import { type Finding, isTest, type Source } from './source.ts';

interface Room {
  readonly may: readonly string[];
  /** Rooms of which only types may be taken. */
  readonly mayType?: readonly string[];
}

const below = ['base', 'model', 'disk', 'store', 'checks', 'pipeline', 'ledger', 'planner'];

/** Who may enter which room, in the order of the layers: the table of ARCHITECTURE.md. */
const rooms: Readonly<Record<string, Room>> = {
  base: { may: [] },
  model: { may: ['base'] },
  disk: { may: ['base'] },
  store: { may: ['base', 'model', 'disk'] },
  checks: { may: ['base', 'model', 'disk'] },
  pipeline: { may: ['base', 'model'] },
  ledger: { may: ['base', 'model'] },
  planner: { may: ['base', 'model', 'ledger', 'pipeline'] },
  runner: { may: below },
  projections: { may: [...below, 'runner'] },
  import: { may: [...below, 'runner', 'projections'] },
  engine: { may: [...below, 'runner', 'projections', 'import'] },
  text: {
    may: ['base', 'model'],
    mayType: ['ledger', 'planner', 'runner', 'projections', 'import', 'engine'],
  },
  cli: { may: ['base', 'model', 'engine', 'text'] },
  mcp: { may: ['base', 'model', 'engine', 'text'] },
  hooks: { may: ['base', 'model', 'engine', 'text'] },
  'index.ts': { may: ['base', 'model', 'pipeline', 'engine', 'text'], mayType: ['planner', 'runner'] },
};

/** Every import from room to room that the table does not allow. Tests may look everywhere. */
export function checkRooms(sources: readonly Source[]): Finding[] {
  return sources
    .filter((source) => source.path.startsWith('src/') && !isTest(source))
    .flatMap((source) => {
      const room = rooms[roomOf(source.path)];
      if (room === undefined) {
        return [
          {
            path: source.path,
            line: 1,
            message: `the room ${roomOf(source.path)} is not in the table of rooms`,
          },
        ];
      }
      return importsOf(source).flatMap((found) => checkImport(found, room));
    });
}

/** The folder under `src`, or the name of a file that stands directly in it. */
function roomOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function checkImport(found: Import, room: Room): Finding[] {
  if (found.path === undefined) return [];
  const place = { path: found.from.path, line: found.line };
  const own = roomOf(found.from.path);
  if (!found.path.startsWith('src/'))
    return [{ ...place, message: `${own} reaches out of src: ${found.specifier}` }];
  const other = roomOf(found.path);
  if (other === 'store' && own !== 'store' && found.path.startsWith('src/store/file/'))
    return [{ ...place, message: `only store knows where things are kept: ${found.specifier}` }];
  if (other === own || room.may.includes(other)) return [];
  if (room.mayType?.includes(other)) {
    return found.isType
      ? []
      : [{ ...place, message: `${own} may take only types from ${other}: ${found.specifier}` }];
  }
  return [{ ...place, message: `${own} may not import ${other}: ${found.specifier}` }];
}
