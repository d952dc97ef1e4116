import en from 'zod/v4/locales/en.js';

/**
 * What a schema is parsed with, so that its issues say in words what is wrong: zod/mini has no messages of its
 * own, and its global configuration belongs to the user.
 */
export const messages = { error: en().localeError };
