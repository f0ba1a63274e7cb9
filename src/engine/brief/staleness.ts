export { type StalenessLevel, staleness } from '../../brief/staleness.ts';
