export { DataQualityError } from './errors.ts';
