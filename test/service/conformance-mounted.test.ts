import { setupServer } from 'msw/node';

import { describeConformance } from './conformance.ts';
import { createFakeHarness } from './fake-harness.ts';
import { listen } from './listen.ts';

describeConformance('the fake, through MSW', async () => {
  const { fake, harness } = createFakeHarness('https://msw.test');
  const server = setupServer(...fake.handlers);
  server.listen();
  return {
    ...harness,
    fetch: async (input, init) => fetch(input, init),
    close: async () => server.close(),
  };
});

describeConformance('the fake, over a socket', async () => {
  const { fake, harness } = createFakeHarness('http://127.0.0.1');
  const served = await listen(async (request) => {
    const { pathname, search } = new URL(request.url);
    return fake.fetch(new Request(`http://127.0.0.1${pathname}${search}`, request));
  });
  return {
    ...harness,
    baseUrl: served.url,
    fetch: async (input, init) => fetch(input, init),
    close: async () => served.close(),
  };
});
