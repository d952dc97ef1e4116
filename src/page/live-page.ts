import type { PageParts } from '../report/page.ts';

const style = `
.actions { display: flex; flex-wrap: wrap; gap: 0.4rem; margin: 0.2rem 0 0.6rem; }
.actions:empty { display: none; }
.rule .actions { grid-column: 1 / -1; }
.actions button, .session button, .sign-in button, .sign-in input { font: inherit; font-size: 0.875rem; color: var(--ink); background: var(--raised); border: 1px solid var(--edge); border-radius: 6px; padding: 0.3rem 0.7rem; min-height: 2.1rem; cursor: pointer; }
.actions button:hover, .session button:hover, .sign-in button:hover { border-color: var(--ink); }
.actions button:disabled { opacity: 0.6; cursor: progress; }
.session { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; align-items: center; justify-content: space-between; margin-top: 0.7rem; }
.session nav { margin: 0; padding: 0; border: 0; }
.session ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.session [aria-current] { font-weight: 700; text-decoration: none; color: var(--ink); }
.session details { width: 100%; }
.session form { margin: 0; }
.log { width: 100%; }
.log td:nth-child(-n+2) { white-space: nowrap; }
.live { position: fixed; right: 0.8rem; bottom: 0.8rem; z-index: 5; margin: 0; padding: 0.25rem 0.7rem; border-radius: 999px; font-size: 0.8125rem; background: var(--raised); border: 1px solid var(--edge); color: var(--muted); max-width: calc(100vw - 1.6rem); }
.live:empty { display: none; }
.live::before { content: ""; display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; margin-right: 0.5em; background: var(--edge); }
.live.on::before { background: var(--good); }
.live.off::before { background: var(--bad); }
.live.off { color: var(--ink); }
.plain-page { padding-top: 3rem; max-width: 36rem; }
.sign-in { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; margin-top: 1rem; }
.sign-in label { flex: 1 1 14rem; display: grid; gap: 0.2rem; font-size: 0.8125rem; color: var(--muted); }
.sign-in input { cursor: text; width: 100%; }
@media print { .live, .actions, .session { display: none !important; } }
`;

/** Replaces the content when it changed, and leaves what a person opened, wrote, focused and looked at as it was. */
const script = `'use strict';
(() => {
if (!document.getElementById('page')) return;
const live = document.getElementById('live');
const say = (text, kind) => { if (live.textContent !== text) live.textContent = text; live.className = 'live ' + kind; };
const all = (selector, root = document.getElementById('page')) => [...root.querySelectorAll(selector)];
const address = (it) => { const home = it.id ? it : it.closest('[id]'); return it === home ? [it.id] : [home.id, it.localName, all(it.localName, home).indexOf(it)]; };
const find = ([id, name, at]) => { const home = document.getElementById(id); return home && name ? all(name, home)[at] : home; };
const headline = () => document.querySelector('#page h1').textContent;

let written = new Map();
const readDetails = () => new Map(all('details').map((it) => [JSON.stringify(address(it)), it.open]));
written = readDetails();
let toggled = new Map();

const swap = (content) => {
  const template = document.createElement('template');
  template.innerHTML = content;
  const next = template.content.firstElementChild;
  const form = document.querySelector('form.toolbar');
  const fields = form ? [...form.elements].filter((it) => it.name && 'value' in it && it.type !== 'button').map((it) => [it.name, it.value]) : [];
  const isFiltered = fields.some(([name, value]) => value !== '' && name !== 'count' && !(name === 'view' && value === 'table'));
  const former = toggled;
  toggled = new Map();
  for (const it of all('details')) {
    const key = JSON.stringify(address(it));
    // A filter opens groups of its own accord.
    const isOfFilter = isFiltered && it.matches('.table, .group');
    if (isOfFilter ? former.has(key) : written.has(key) && written.get(key) !== it.open) toggled.set(key, isOfFilter ? former.get(key) : it.open);
  }
  const active = document.activeElement?.closest('#page') ? document.activeElement : undefined;
  const focused = active && address(active);
  const selection = active?.selectionStart === undefined ? undefined : [active.selectionStart, active.selectionEnd];
  const anchor = all('[id]').find((it) => { const { top, height } = it.getBoundingClientRect(); return height > 0 && top >= 0; });
  const before = anchor && { id: anchor.id, top: anchor.getBoundingClientRect().top };

  document.getElementById('page').replaceWith(next);
  document.title = next.dataset.title;
  written = readDetails();
  for (const [key, open] of toggled) { const it = find(JSON.parse(key)); if (it) it.open = open; }
  dispatchEvent(new Event('contentreplaced'));
  const fresh = document.querySelector('form.toolbar');
  for (const [name, value] of fields) if (fresh?.elements[name] && name !== 'count') fresh.elements[name].value = value;
  fresh?.dispatchEvent(new Event('input'));
  const after = before && document.getElementById(before.id);
  if (after) scrollBy({ top: after.getBoundingClientRect().top - before.top, behavior: 'instant' });
  const target = focused && find(focused);
  target?.focus({ preventScroll: true });
  if (selection && target?.setSelectionRange && selection[0] !== null) target.setSelectionRange(...selection);
};

let last = document.getElementById('page').outerHTML;
let running;
let again = false;
const update = async () => {
  if (running) { again = true; return running; }
  running = (async () => {
    const response = await fetch('/page/content' + location.search);
    if (response.status === 401) { source.close(); say('Signed out. Reload the page to sign in.', 'off'); return; }
    if (!response.ok) { say('The service could not show its state.', 'off'); return; }
    const content = await response.text();
    if (content === last) return;
    last = content;
    const was = headline();
    swap(content);
    say(headline() === was ? 'Live' : 'Live: ' + headline(), 'on');
  })();
  try { await running; } catch { say('Connection lost, trying again', 'off'); } finally { running = undefined; }
  if (again) { again = false; await update(); }
};

const source = new EventSource('/page/changes');
source.addEventListener('open', () => say('Live', 'on'));
source.addEventListener('change', update);
source.addEventListener('error', () => say(source.readyState === 2 ? 'Not connected. Reload the page.' : 'Connection lost, trying again', 'off'));
source.addEventListener('open', () => update());

addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.closest('.actions')) return;
  event.preventDefault();
  const button = event.submitter ?? form.querySelector('button');
  button.disabled = true;
  say(form.dataset.doing, 'on');
  try {
    const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)), redirect: 'manual' });
    if (response.type === 'opaqueredirect') { say('Live', 'on'); await update(); }
    else {
      const problem = new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main p');
      say(problem?.textContent ?? 'It failed', 'off');
    }
  } catch { say('Connection lost, trying again', 'off'); } finally { button.disabled = false; }
});
})();
`;

/** What the live page has beside a report. */
export const livePage: PageParts = { style, script, allows: [`connect-src 'self'`, `form-action 'self'`] };
