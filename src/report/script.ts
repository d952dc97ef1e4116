/**
 * The script of the page, as the browser gets it: search, filters, order, opening what a link points into, and the
 * values under the pointer. The page is complete without it. A page that replaces its content says so by the event
 * `contentreplaced`, and the script starts over with what is there then.
 */
export const script = `'use strict';
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const one = (selector, root = document) => root.querySelector(selector);

const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target.scrollIntoView();
  if (target.tagName === 'DETAILS') one('summary', target).focus({ preventScroll: true });
};
addEventListener('hashchange', reveal);

const startForm = (signal) => {
  const form = one('form.toolbar');
  if (!form) return;
  const tables = one('#tables');
  const list = one('#list');
  const items = all('.item');
  const rules = items.filter((item) => item.matches('.rule'));
  const home = new Map(items.map((item) => [item, { parent: item.parentElement, next: item.nextElementSibling }]));
  const words = new Map(items.map((item) => [item, (item.textContent + ' ' + item.id + ' ' + (item.dataset.table ?? '')).toLowerCase()]));
  const wasOpen = new Map(all('details', tables).map((it) => [it, it.open]));
  const gravity = ['failed', 'inconclusive', 'tolerated', 'passed', 'skipped'];
  const severity = ['info', 'warning', 'critical'];
  const rank = (item) => { const at = severity.indexOf(item.dataset.severity); return at < 0 ? 3 : at; };
  const name = (item) => one('.name b', item).textContent;
  const orders = {
    gravity: (a, b) => gravity.indexOf(a.dataset.status) - gravity.indexOf(b.dataset.status) || rank(b) - rank(a),
    name: (a, b) => name(a).localeCompare(name(b)),
    share: (a, b) => b.dataset.share - a.dataset.share,
    at: (a, b) => b.dataset.at - a.dataset.at,
  };
  for (const item of rules) one('.name small', item).dataset.table = item.dataset.table;
  let before = 'table';
  const place = (view) => {
    if (view === before) return;
    if (view === 'table') for (const item of rules.toReversed()) home.get(item).parent.insertBefore(item, home.get(item).next);
    else list.append(...rules.toSorted(orders[view]));
    tables.hidden = view !== 'table';
    list.hidden = view === 'table';
    before = view;
  };
  const filters = ['status', 'severity', 'table'];
  const value = (field) => form.elements[field]?.value ?? '';
  const apply = () => {
    place(value('view'));
    const wanted = value('text').trim().toLowerCase().split(/\\s+/).filter(Boolean);
    const active = wanted.length > 0 || filters.some((field) => value(field) !== '');
    const subjects = before === 'table' ? items : rules;
    let shown = 0;
    for (const item of subjects) {
      const fits = filters.every((field) => value(field) === '' || item.dataset[field] === value(field)) && wanted.every((word) => words.get(item).includes(word));
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    if (before === 'table') for (const group of all('.group, .table', tables)) {
      group.hidden = active && !all('.item', group).some((item) => !item.hidden);
      group.open = active ? true : wasOpen.get(group);
    }
    one('#nothing').hidden = shown > 0;
    form.elements.count.textContent = shown + ' of ' + subjects.length + (before === 'table' ? ' checks' : ' rules');
  };
  const toggle = (open) => {
    const scope = before === 'table' ? all('.table, .group', tables) : rules.filter((item) => !item.hidden);
    const inner = before === 'table' && open && scope.every((it) => it.open) ? rules.filter((item) => !item.hidden) : [];
    for (const it of [...scope, ...inner]) it.open = open;
    if (!open) for (const it of rules) it.open = false;
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(apply));
  form.elements.open.addEventListener('click', () => toggle(true));
  form.elements.close.addEventListener('click', () => toggle(false));
  addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href^="#"]');
    const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (target?.closest('[hidden]')) { form.reset(); apply(); }
    if (target && link.hash === location.hash) setTimeout(reveal);
  }, { signal });
  apply();
};

const tip = document.createElement('div');
tip.className = 'tip';
tip.setAttribute('role', 'status');
document.body.append(tip);
const outcomes = { f: 'failed', i: 'unclear', t: 'tolerated', s: 'inactive' };
const compact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 7 });
const read = (path) => {
  let at = 0;
  return path.dataset.p.split(';').flatMap((run) => {
    const [token, times = 1] = run.split('*');
    const [minutes, value, outcome, count, lower, upper] = token.split(':');
    return Array.from({ length: +times }, () => ({ at: (at += parseInt(minutes, 36)), value: value === '' || value === undefined ? undefined : +value, outcome, count, lower, upper }));
  });
};
const charts = new WeakMap();
const pointsOf = (plot) => {
  if (!charts.has(plot)) charts.set(plot, all('[data-p]', plot).flatMap((path, line) => read(path).map((point) => ({ ...point, line }))).filter((point) => point.value !== undefined).sort((a, b) => a.at - b.at));
  return charts.get(plot);
};
const show = (plot, point) => {
  const [from, to] = plot.dataset.x.split(' ').map(Number);
  const [low, high] = plot.dataset.y.split(' ').map(Number);
  const box = plot.getBoundingClientRect();
  const unit = plot.dataset.unit;
  const metric = plot.closest('.metric');
  const group = metric && all('.key-line', metric)[point.line]?.textContent;
  const text = [
    new Date(point.at * 60000).toISOString().slice(0, 16).replace('T', ' '),
    (group ? group + ': ' : '') + compact.format(point.value) + unit + (point.count ? ', ' + compact.format(point.count) + ' rows' : ''),
    ...(point.lower && point.upper ? ['expected ' + compact.format(point.lower) + ' to ' + compact.format(point.upper) + unit] : []),
    ...(point.outcome ? [metric && point.outcome === 'f' ? 'anomaly' : outcomes[point.outcome]] : []),
  ];
  tip.replaceChildren(...text.map((line) => Object.assign(document.createElement('div'), { textContent: line })));
  tip.classList.toggle('bad', point.outcome === 'f');
  const x = box.left + (from === to ? 0.5 : (point.at - from) / (to - from)) * box.width;
  const y = box.top + (1 - (point.value - low) / (high - low)) * box.height;
  tip.classList.add('on');
  tip.style.left = scrollX + Math.max(4, Math.min(x - tip.offsetWidth / 2, document.documentElement.clientWidth - tip.offsetWidth - 4)) + 'px';
  tip.style.top = scrollY + (y - tip.offsetHeight - 12 > 0 ? y - tip.offsetHeight - 12 : y + 12) + 'px';
  plot.current = point;
};
const hide = () => tip.classList.remove('on');
const startPlots = () => {
for (const plot of all('.plot[data-x]')) {
  plot.tabIndex = 0;
  plot.addEventListener('pointermove', (event) => {
    const [from, to] = plot.dataset.x.split(' ').map(Number);
    const box = plot.getBoundingClientRect();
    const at = from + ((event.clientX - box.left) / box.width) * (to - from);
    const points = pointsOf(plot);
    if (points.length > 0) show(plot, points.reduce((best, point) => (Math.abs(point.at - at) < Math.abs(best.at - at) ? point : best)));
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('keydown', (event) => {
    const points = pointsOf(plot);
    const at = points.indexOf(plot.current);
    const next = { ArrowRight: at + 1, ArrowLeft: at < 0 ? points.length - 1 : at - 1, Home: 0, End: points.length - 1 }[event.key];
    if (event.key === 'Escape') hide();
    if (next === undefined || points.length === 0) return;
    event.preventDefault();
    show(plot, points[Math.max(0, Math.min(points.length - 1, next))]);
  });
}
};
const closed = [];
addEventListener('beforeprint', () => { for (const it of all('.table:not([open])')) { it.open = true; closed.push(it); } });
addEventListener('afterprint', () => { for (const it of closed.splice(0)) it.open = false; });
let former;
const start = () => {
  former?.abort();
  former = new AbortController();
  hide();
  startForm(former.signal);
  startPlots();
  for (const it of all('.lineage')) one('.hint', it.parentElement)?.classList.toggle('on', it.scrollWidth > it.clientWidth);
};
addEventListener('contentreplaced', start);
start();
if (location.hash) reveal();
})();
`;
