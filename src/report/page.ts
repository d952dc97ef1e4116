import { createHash } from 'node:crypto';

import { html, type Markup, raw } from './markup.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** What a page shows. */
export interface PageContent {
  /** The title of the window. */
  readonly title: string;
  /** The content of the body. */
  readonly body: Markup;
  /** What the page has beside the style and script of a report. */
  readonly own?: PageParts | undefined;
}

/** What a page that is more than a report brings with it. */
export interface PageParts {
  readonly style: string;
  readonly script: string;
  /** What it may do that a report may not, as directives of a content security policy. */
  readonly allows: readonly string[];
}

/** What a page may load and run: nothing but its own styles and scripts. */
export function contentSecurityPolicy(own?: PageParts): string {
  return [
    `default-src 'none'`,
    `script-src ${hashesOf([script, own?.script])}`,
    `style-src ${hashesOf([style, own?.style])}`,
    `base-uri 'none'`,
    ...(own?.allows ?? [`form-action 'none'`]),
  ].join('; ');
}

/** Puts content into a page of its own that loads nothing, with style and script inside. */
export function renderPage({ title, body, own }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="${raw(contentSecurityPolicy(own))}" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)} ${own !== undefined && raw(`<style>${own.style}</style>`)}
      </head>
      <body>
        ${raw(tighten(body.markup))} ${raw(`<script>${script}</script>`)}
        ${own !== undefined && raw(`<script>${own.script}</script>`)}
      </body>
    </html> `.markup;
}

/**
 * Removes the spaces beside elements that start a line of their own, where nobody sees them; texts have no bare `<`
 * or `>`, so that they stay as they are.
 */
export function tighten(markup: string): string {
  return markup.replaceAll(besideBlock, '$1$2');
}

const block = String.raw`<\/?(?:div|dl|dt|dd|ul|li|section|fig\w+|table|thead|tbody|t[rdh]|details|summary|p|h\d|svg|path|option)(?:\s[^>]*)?>`;
const besideBlock = new RegExp(`(?<=>) (${block})|(${block}) (?=<)`, 'g');

function hashesOf(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`)
    .join(' ');
}
