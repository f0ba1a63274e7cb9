export type { BriefState } from '../../projections/brief-file/state-file.ts';
export {
  isCurrent,
  isOwnHash,
  readStateOf,
  writeBriefState,
} from '../../projections/brief-file/state-file.ts';
