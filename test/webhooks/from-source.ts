// Lets an example run without a build before it: node --import <this file> <example>
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'data-quality-client/webhooks'
      ? nextResolve(new URL('../../src/webhooks/index.ts', import.meta.url).href, context)
      : nextResolve(specifier, context),
});
