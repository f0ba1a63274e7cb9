export { documentStaleness, type StalenessLevel } from '../../projections/brief/staleness.ts';
