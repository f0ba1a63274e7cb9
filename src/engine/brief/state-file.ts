export type { BriefState } from '../../runner/brief/state-file.ts';
export { isCurrent, isOwnHash, readStateOf, writeBriefState } from '../../runner/brief/state-file.ts';
