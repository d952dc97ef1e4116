// What every runtime has to get right, in plain JavaScript: it runs in Node, Deno, Bun, workerd and browsers alike.
import { DataQualityClient, isApiError, isDataQualityError } from 'data-quality-client';
import { gate, renderHtml, renderJUnit, renderMarkdown, renderText } from 'data-quality-client/gate';
import { apply, hasChanges, parseDefinition, plan } from 'data-quality-client/rules';
import { validityRuleSchema } from 'data-quality-client/schemas';
import { createFakeService } from 'data-quality-client/testing';
import { createWebhookHandler, signPayload, verifySignature } from 'data-quality-client/webhooks';

const assetId = '7f9c3a52-6c1d-4b70-9d2e-0c4b5a1f8e33';

function expect(condition, message) {
  if (!condition) throw new Error(message);
}

async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('resolved, although it should have been rejected');
}

function steps(baseUrl, { fetch, pathForUpload } = {}) {
  const common = { apiKey: 'key-of-the-battery', dangerouslyAllowBrowser: true, ...(fetch && { fetch }) };
  const client = new DataQualityClient({ baseUrl, ...common });
  const fake = createFakeService();
  const faked = new DataQualityClient({
    baseUrl: fake.baseUrl,
    apiKey: fake.keys.readWrite,
    fetch: fake.fetch,
    dangerouslyAllowBrowser: true,
    rateLimit: false,
  });
  const fakeAsset = fake.assets[0].id;
  const rule = { rule_type: 'NOT_NULL', table_path: 'shop.main.orders', column_name: 'id' };

  return {
    async 'a call returns its value and its metadata'() {
      const { data, meta } = await client.validity.get(assetId, 'v_1').withResponse();
      expect(data.uuid === 'v_1' && meta.status === 200 && meta.attempts === 1, JSON.stringify(data));
    },
    async 'a list is iterated over all its pages'() {
      let count = 0;
      for await (const { id } of client.validity.list(assetId)) count += id > 0 ? 1 : 0;
      expect(count === 130, `${count} rules`);
    },
    async 'a GET is repeated after a 503'() {
      const { meta } = await client.validity.get(assetId, 'v_flaky').withResponse();
      expect(meta.attempts === 2, `${meta.attempts} attempts`);
    },
    async 'an unknown rule is a typed error'() {
      const error = await rejection(client.validity.get(assetId, 'v_unknown'));
      expect(isApiError(error, 'RULE_NOT_FOUND') && error.status === 404, String(error));
    },
    async 'an attempt ends with its timeout'() {
      const error = await rejection(client.validity.get(assetId, 'v_slow', { timeout: 100, maxRetries: 0 }));
      expect(isDataQualityError(error) && error.name === 'TimeoutError', String(error));
    },
    async 'a call ends with its signal'() {
      const controller = new AbortController();
      const call = client.validity.get(assetId, 'v_slow', { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      const error = await rejection(call);
      expect(isDataQualityError(error) && error.name === 'AbortError', String(error));
    },
    async 'a POST whose connection breaks is sent once'() {
      const error = await rejection(client.validity.create('reset', rule));
      expect(isDataQualityError(error) && error.mayHaveBeenProcessed === true, String(error));
      const { count } = await client.request({ method: 'GET', path: '/count' });
      expect(count === 1, `the service received ${count} POSTs`);
    },
    async 'manifests are uploaded from objects, bytes and blobs'() {
      const manifest = { metadata: {}, nodes: {}, sources: {}, parent_map: {} };
      const text = JSON.stringify(manifest);
      for (const given of [manifest, new TextEncoder().encode(text), new Blob([text])]) {
        const { sync_stats: stats } = await client.lineage.upload(assetId, given);
        expect(stats.nodes_created === 1, JSON.stringify(stats));
      }
    },
    async 'manifests are uploaded from a path, or refused with a sentence'() {
      if (pathForUpload === undefined) {
        const error = await rejection(client.lineage.upload(assetId, '/no/such/manifest.json'));
        expect(isDataQualityError(error), String(error));
        return;
      }
      const { sync_stats: stats } = await client.lineage.upload(assetId, pathForUpload);
      expect(stats.nodes_created === 1, JSON.stringify(stats));
    },
    async 'a wrong option is a configuration error'() {
      try {
        const made = new DataQualityClient({
          baseUrl: 'not a URL',
          apiKey: 'x',
          dangerouslyAllowBrowser: true,
        });
        expect(made === undefined, 'was accepted');
      } catch (error) {
        expect(isDataQualityError(error) && error.name === 'ConfigurationError', String(error));
      }
    },
    async 'calls keep to a stated rate limit'() {
      const limited = new DataQualityClient({
        baseUrl,
        ...common,
        apiKey: 'key-with-a-limit',
        rateLimit: { perSecond: 50, perMinute: 3000 },
      });
      const all = await Promise.all(Array.from({ length: 8 }, () => limited.validity.get(assetId, 'v_1')));
      expect(all.length === 8, `${all.length} responses`);
    },
    async 'webhooks are signed, verified and handled'() {
      const payload = JSON.stringify({ event_type: 'alert.triggered', alert: { id: 'a1' } });
      const signature = await signPayload(payload, 'secret');
      expect(await verifySignature(payload, signature, 'secret'), 'the signature was refused');
      expect(!(await verifySignature(payload, signature, 'other')), 'a wrong signature was accepted');
      const received = [];
      const handle = createWebhookHandler({
        secret: 'secret',
        onAlert: (alert) => void received.push(alert),
      });
      const post = (header) =>
        handle(
          new Request('https://receiver.test/', {
            method: 'POST',
            body: payload,
            headers: { 'content-type': 'application/json', 'x-service-signature': header },
          }),
        );
      const statuses = [(await post(signature)).status, (await post('sha256=00')).status];
      expect(statuses[0] < 300 && statuses[1] === 401 && received.length === 1, statuses.join());
    },
    async 'rules as code are planned, applied and gated'() {
      const definition = parseDefinition({
        tables: { 'shop.main.orders': { rules: [{ rule_type: 'NOT_NULL', column_name: 'id' }] } },
      });
      await apply(faked, await plan(faked, fakeAsset, definition));
      expect(!hasChanges(await plan(faked, fakeAsset, definition)), 'the second plan has changes');
      const [created] = await faked.validity.list(fakeAsset).toArray();
      expect(validityRuleSchema.parse(created).uuid === created.uuid, 'the schema refuses the rule');
      fake.setCheckResult(created.uuid, { total_rows: 10, invalid_count: 0 });
      const passed = await gate(faked, fakeAsset, { throw: false });
      fake.setCheckResult(created.uuid, { total_rows: 10, invalid_count: 3 });
      const failed = await gate(faked, fakeAsset, { throw: false });
      expect(
        `${passed.outcome} ${failed.outcome}` === 'passed failed',
        `${passed.outcome} ${failed.outcome}`,
      );
      for (const render of [renderText, renderJUnit, renderMarkdown, renderHtml]) {
        expect(render(failed).includes('orders'), 'a rendering lacks the table');
      }
    },
    async 'faults of the fake reach the client'() {
      fake.failNext({ status: 429, retryAfter: 0, times: 1 });
      const { meta } = await faked.validity.summary(fakeAsset).withResponse();
      expect(meta.attempts === 2, `${meta.attempts} attempts`);
    },
  };
}

/** Runs every step and resolves with what became of each; never rejects. */
export async function runBattery(baseUrl, platform) {
  const outcomes = [];
  for (const [name, step] of Object.entries(steps(baseUrl, platform))) {
    try {
      await step();
      outcomes.push({ name, ok: true });
    } catch (error) {
      outcomes.push({ name, ok: false, message: String(error?.stack ?? error) });
    }
  }
  return outcomes;
}
