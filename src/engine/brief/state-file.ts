export type { BriefState } from '../../runner/brief/state-file.ts';
export { isCurrent, readBriefState, writeBriefState } from '../../runner/brief/state-file.ts';
