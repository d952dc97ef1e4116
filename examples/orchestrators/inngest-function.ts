/**
 * A function of Inngest that publishes a table after a load, if the data is good. Reads DATA_QUALITY_BASE_URL and
 * DATA_QUALITY_API_KEY.
 */
import { DataQualityClient } from 'data-quality-client';
import { gate } from 'data-quality-client/gate';
import { Inngest, NonRetriableError, RetryAfterError } from 'inngest';

export const inngest = new Inngest({ id: 'warehouse' });

/** Creates the function that follows the event `warehouse/table.loaded`, whose data is `{ assetId, table }`. */
export function createPublishFunction(
  publish: (table: string) => Promise<void>,
  createClient = () => new DataQualityClient(),
) {
  return inngest.createFunction(
    { id: 'publish-table', triggers: [{ event: 'warehouse/table.loaded' }] },
    async ({ event, step }) => {
      const { assetId, table } = event.data as { assetId: string; table: string };
      // The step, whose result Inngest keeps, returns no values of rows.
      await step.run('check-data-quality', async () => {
        const { outcome, reasons } = await gate(createClient(), assetId, {
          rules: { table_path: table },
          sampleLimit: 0,
          throw: false,
        });
        const message = `${table}: ${reasons.join('; ')}`;
        // Checked again, bad data is still bad; what was inconclusive may pass.
        if (outcome === 'failed') throw new NonRetriableError(message);
        if (outcome === 'inconclusive') throw new RetryAfterError(message, '5m');
        return outcome;
      });
      await step.run('publish', async () => publish(table));
      return { published: table };
    },
  );
}
