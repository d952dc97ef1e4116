import type { Contestant } from './contestant.ts';

/** Loads one contestant alone, so that no process carries the code of another. */
export const contestants: Readonly<Record<string, () => Promise<Contestant>>> = {
  'raw-fetch': async () => (await import('./contestants/raw-fetch.ts')).rawFetch,
  'ky-alone': async () => (await import('./contestants/ky-alone.ts')).kyAlone,
  'fetch-zod': async () => (await import('./contestants/fetch-zod.ts')).fetchZod,
  'ky-zod-p-retry': async () => (await import('./contestants/ky-zod-p-retry.ts')).kyZodPRetry,
  'openapi-fetch': async () => (await import('./contestants/openapi-fetch.ts')).openapiFetch,
  'hey-api': async () => (await import('./contestants/hey-api.ts')).heyApi,
  'hey-api-zod': async () => (await import('./contestants/hey-api.ts')).heyApiZod,
  openai: async () => (await import('./contestants/openai.ts')).openai,
  octokit: async () => (await import('./contestants/octokit.ts')).octokit,
  ours: async () => (await import('./contestants/ours.ts')).ours,
  'ours-compiled': async () => (await import('./contestants/ours-compiled.ts')).oursCompiled,
};
