import { html, type Markup } from '../report/markup.ts';
import { contentSecurityPolicy, renderPage } from '../report/page.ts';
import { livePage } from './live-page.ts';

/**
 * Whether somebody opens the page in a window of its own. Browsers say so since 2023; a program that is not a browser
 * has no cookie that a stranger could use.
 */
export function isNavigation(request: Request): boolean {
  const mode = request.headers.get('Sec-Fetch-Mode');
  const destination = request.headers.get('Sec-Fetch-Dest');
  return (mode === null || mode === 'navigate') && (destination === null || destination === 'document');
}

/** Whether a request was made by the page itself: by its script, or by a form that was sent. */
export function isFromPage(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = request.headers.get('Origin');
  // What changes something is believed only with a proof; browsers leave the origin out of what only asks.
  if (origin === null) return site !== null || request.method === 'GET';
  return URL.parse(origin)?.host === request.headers.get('Host')?.toLowerCase();
}

const headers = {
  'Content-Security-Policy': `${contentSecurityPolicy(livePage)}; frame-ancestors 'none'`,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // With less, browsers send the forms of the page without their origin.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** A page, which nothing may frame, keep, or add anything to. */
export function htmlResponse(
  page: string,
  status = 200,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(page, { status, headers: { ...headers, ...more } });
}

/** A response from which a stranger learns nothing. */
export function refused(status = 403): Response {
  return new Response('Refused.\n', { status, headers: { ...headers, 'Content-Type': 'text/plain' } });
}

/** What a page with one message says. */
export interface Note {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Where to go on. */
  readonly link?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A page with one message. */
export function notePage({ status, title, text, link, headers: more }: Note): Response {
  const body = html`<p>${text}</p>
    ${link !== undefined && html`<p><a href="${link}">Go on</a></p>`}`;
  return htmlResponse(plainPage(title, body), status, more);
}

/** A page without a report. */
export function plainPage(title: string, content: Markup): string {
  const body = html`<main class="plain-page">
    <h1>${title}</h1>
    ${content}
  </main>`;
  return renderPage({ title, body, own: livePage });
}
