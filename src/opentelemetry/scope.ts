/** The instrumentation scope of every span and metric. */
export const scope = 'data-quality-client';
