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
}

/** What a page may load and run: nothing but its own style and script. */
export const contentSecurityPolicy = [
  `default-src 'none'`,
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(style)}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

/** Puts content into a page of its own that loads nothing, with style and script inside. */
export function renderPage({ title, body }: PageContent): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="Content-Security-Policy" content="${raw(contentSecurityPolicy)}" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${raw(tighten(body.markup))} ${raw(`<script>${script}</script>`)}
      </body>
    </html> `.markup;
}

/**
 * Removes the spaces beside elements that start a line of their own, where nobody sees them; texts have no bare `<`
 * or `>`, so that they stay as they are.
 */
function tighten(markup: string): string {
  return markup.replaceAll(besideBlock, '$1$2');
}

const block = String.raw`<\/?(?:div|dl|dt|dd|ul|li|section|fig\w+|table|thead|tbody|t[rdh]|details|summary|p|h\d|svg|path|option)(?:\s[^>]*)?>`;
const besideBlock = new RegExp(`(?<=>) (${block})|(${block}) (?=<)`, 'g');

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
