export { documentStaleness, type StalenessLevel } from '../../brief/staleness.ts';
