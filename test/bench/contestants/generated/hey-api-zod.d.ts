export { createClient, getRule, listSnapshots } from './hey-api.js';
