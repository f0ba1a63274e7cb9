export type { BriefState } from '../../runner/brief/state-file.ts';
export { isCurrent, readStateOf, writeBriefState } from '../../runner/brief/state-file.ts';
