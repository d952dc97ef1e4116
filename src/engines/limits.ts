/** Most samples that a check returns, whatever is requested. */
export const mostSamples = 10_000;

/** Longest value of a sample or a group, in characters of its JSON; a longer one is cut. */
export const longestValue = 4096;

/** Most bytes of JSON that the samples of a check have together. */
export const mostSampleBytes = 4 * 1024 * 1024;

/** Most groups that a capture returns. */
export const mostGroups = 1000;

/** Longest reason that is stored with a result, in characters. */
export const longestReason = 300;
