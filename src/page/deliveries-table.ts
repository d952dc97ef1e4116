import { html, type Markup } from '../report/markup.ts';
import { formatMoment } from '../report/time.ts';
import type { ShownDelivery } from './deliveries.ts';

/** The colour and the word of a status. */
const words: Readonly<Record<string, readonly [outcome: string, word: string]>> = {
  delivered: ['passed', 'delivered'],
  failed: ['failed', 'not delivered'],
  pending: ['inconclusive', 'waiting'],
};

/** Shows the latest deliveries of alerts. */
export function deliveriesTable(deliveries: readonly ShownDelivery[]): Markup {
  if (deliveries.length === 0) return html`<p class="note">No alert was sent.</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Deliveries">
    <table class="log">
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Delivery</th>
          <th scope="col">Alert</th>
          <th scope="col">Destination</th>
          <th scope="col" class="number">Attempts</th>
          <th scope="col">Last problem</th>
        </tr>
      </thead>
      <tbody>
        ${deliveries.map(row)}
      </tbody>
    </table>
  </div>`;
}

function row({ subject, destination, status, attempts, at, problem }: ShownDelivery): Markup {
  const [outcome, word] = words[status] ?? ['inconclusive', status];
  return html`<tr>
    <td>${formatMoment(at)}</td>
    <td><b class="badge ${outcome}">${word}</b></td>
    <td>${subject}</td>
    <td>${destination}</td>
    <td class="number">${attempts}</td>
    <td>${problem ?? '–'}</td>
  </tr>`;
}
