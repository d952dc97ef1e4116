import type * as Msw from 'msw';

import { ConnectionReset } from './fault-response.ts';

/** The handlers that let MSW respond to every request below `baseUrl`; throws if `msw` is not installed. */
export function createHandlers(
  baseUrl: string,
  respond: (request: Request) => Promise<Response>,
): readonly Msw.HttpHandler[] {
  const { http, HttpResponse } = loadMsw();
  return [
    http.all(`${baseUrl}/*`, async ({ request }) => {
      try {
        return await respond(request);
      } catch (error) {
        if (error instanceof ConnectionReset) return HttpResponse.error();
        throw error;
      }
    }),
  ];
}

/** Loads MSW on first use, synchronously, because a list of handlers cannot be awaited in the call that takes it. */
function loadMsw(): typeof Msw {
  const require = createRequire();
  if (require === undefined) {
    throw new Error('fake.handlers needs ES modules on Node.js, Bun or Deno; use fake.fetch instead.');
  }
  try {
    return require('msw') as typeof Msw;
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    throw new Error(
      'fake.handlers need the package msw: npm install --save-dev msw@3, or use fake.fetch instead.',
      { cause },
    );
  }
}

/** `undefined` on an edge runtime, where reading `getBuiltinModule` throws, and in a CommonJS bundle without a URL. */
function createRequire(): ((name: string) => unknown) | undefined {
  try {
    // The only way to a package that may be missing that no bundler tries to resolve, and that Jest and Vitest share.
    return globalThis.process?.getBuiltinModule?.('node:module').createRequire(import.meta.url);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}
