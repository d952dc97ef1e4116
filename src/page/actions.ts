import { type DataQualityClient, type InvalidSample, isApiError } from '../index.ts';
import { notePage } from './http.ts';

/** What an action works with. */
export interface ActionParts {
  /** May do what the session may. */
  readonly client: DataQualityClient;
  readonly keepSamples: (rule: string, samples: readonly InvalidSample[]) => void;
}

/** Rows that a check shows. */
const sampleLimit = 10;

/**
 * Does what a button of the page is for, and leads back to what it belongs to. A key that may not is refused by the
 * service itself.
 */
export async function act(action: string, form: URLSearchParams, parts: ActionParts): Promise<Response> {
  const asset = form.get('asset') ?? '';
  const subject = form.get('subject') ?? '';
  try {
    await run(action, asset, subject, parts);
  } catch (error) {
    if (!isApiError(error)) throw error;
    return notePage({ status: error.status, title: 'Not possible', text: error.message, link: '/' });
  }
  const back = form.get('back') ?? '';
  return new Response(null, {
    status: 303,
    headers: { Location: /^\/(\?[^#\s]*)?(#[\w.-]+)?$/.test(back) ? back : '/' },
  });
}

async function run(
  action: string,
  asset: string,
  subject: string,
  { client, keepSamples }: ActionParts,
): Promise<void> {
  switch (action) {
    case 'check': {
      const result = await client.validity.check(asset, subject, { sample_limit: sampleLimit });
      keepSamples(subject, result.invalid_samples?.samples ?? []);
      return;
    }
    case 'capture':
      await client.metrics.capture(asset, subject);
      return;
    default: {
      const path = `/api/v1/local/metrics/${encodeURIComponent(asset)}/${encodeURIComponent(subject)}/accept`;
      await client.request({ method: 'POST', path });
    }
  }
}
