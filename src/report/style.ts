/** The style of the page: its colours are variables that the charts use too. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #0f1318);
  --card: light-dark(#f7f8fa, #161b22);
  --raised: light-dark(#ffffff, #1c222b);
  --ink: light-dark(#1a1f26, #e6eaef);
  --muted: light-dark(#57606b, #9aa5b1);
  --rule: light-dark(#e3e7ec, #2a323c);
  --edge: light-dark(#8a95a1, #65717e);
  --good: light-dark(#1a6b3c, #57c785);
  --bad: light-dark(#b42318, #ff8a80);
  --warn: light-dark(#8a5300, #edb458);
  --bad-soft: light-dark(#fdeceb, #35191a);
  --warn-soft: light-dark(#fdf3e0, #31260f);
  --good-soft: light-dark(#e8f5ed, #11291b);
  --accent: light-dark(#2458b8, #85b4ff);
  --l1: light-dark(#9a3ea8, #dc9be6);
  --l2: light-dark(#0d7377, #55c9cd);
  --l3: light-dark(#a14a00, #f0a060);
  --l4: light-dark(#5b6b12, #b9cf5a);
  --l5: light-dark(#6b5548, #c9b0a0);
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 6rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; position: relative; }
header, main { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 2rem; }
main { padding-bottom: 4rem; outline: none; }
p { margin: 0.3rem 0; }
h1, h2, h3, h4, h5 { line-height: 1.25; margin: 0; }
h1 { font-size: 2.1rem; letter-spacing: -0.02em; margin: 0.1rem 0 0.6rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 0.7rem; }
h3 { font-size: 1rem; }
h4 { font-size: 0.875rem; font-weight: 600; color: var(--muted); }
h5 { font-size: 0.875rem; }
small, .note { color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: 0.8125rem; }
pre { margin: 0.3rem 0 0; padding: 0.5rem 0.7rem; background: var(--card); border: 1px solid var(--rule); border-radius: 6px; white-space: pre-wrap; max-height: 16rem; overflow: auto; }
ul { list-style: none; margin: 0; padding: 0; }
time { white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--page); padding: 0.5rem; z-index: 3; }
.title { color: var(--muted); font-size: 1rem; }
.passed { color: var(--good); }
.failed { color: var(--bad); }
.inconclusive, .tolerated { color: var(--warn); }
.skipped { color: var(--muted); }
h1.passed { color: var(--ink); }
header .counts { display: flex; flex-wrap: wrap; gap: 0.4rem 1.1rem; font-variant-numeric: tabular-nums; margin-bottom: 0.4rem; }
nav { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin-top: 1rem; padding: 0.6rem 0; border-block: 1px solid var(--rule); }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.badge { display: inline-flex; align-items: baseline; gap: 0.35em; font-size: 0.8125rem; font-weight: 600; white-space: nowrap; }
.badge::before { display: inline-block; width: 1em; text-align: center; }
.badge.passed::before { content: "✓" / ""; }
.badge.failed::before { content: "✕" / ""; }
.badge.inconclusive::before { content: "?" / ""; }
.badge.tolerated::before { content: "!" / ""; }
.badge.skipped::before { content: "–" / ""; }
.new { font-style: normal; font-size: 0.75rem; font-weight: 600; color: var(--bad); background: var(--bad-soft); border-radius: 4px; padding: 0 0.4em; }
.concerns { border: 1px solid var(--rule); border-radius: 8px; overflow: hidden; }
.concerns li { display: grid; grid-template-columns: 6rem minmax(0, 3fr) minmax(0, 2fr); gap: 0.1rem 1rem; padding: 0.55rem 0.9rem; align-items: baseline; }
.concerns li + li { border-top: 1px solid var(--rule); }
.concerns a { font-weight: 600; }
.concerns small, .name small { display: block; }
.recovered { margin-top: 0.6rem; }
.recovered b { color: var(--good); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; margin-top: 1.5rem; }
.card { background: var(--card); border: 1px solid var(--rule); border-radius: 8px; padding: 1rem 1.1rem; min-width: 0; }
.card h2 { margin: 0 0 0.6rem; font-size: 1rem; }
.value { font-size: 1.15rem; font-variant-numeric: tabular-nums; margin-right: 0.3rem; }
.gauge { display: block; width: 100%; margin-top: 0.4rem; }
.gauge .track { fill: var(--rule); }
.gauge .tick { fill: var(--ink); }
.gauge .passed { fill: var(--good); } .gauge .failed { fill: var(--bad); } .gauge .tolerated { fill: var(--warn); }
.sla { margin-top: 0.9rem; padding-top: 0.7rem; border-top: 1px solid var(--rule); }
.week { display: block; width: 100%; min-width: 4rem; height: 0.6rem; border-radius: 3px; }
.week .track { fill: var(--rule); } .week .passed { fill: var(--good); } .week .failed { fill: var(--bad); } .week .inconclusive { fill: var(--warn); }
.weeks { width: 100%; } .weeks td, .weeks th { vertical-align: middle; padding-right: 0.7rem; } .weeks td:nth-child(3) { width: 40%; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.toolbar { display: flex; flex-wrap: wrap; gap: 0.6rem; align-items: end; padding: 0.7rem 0; position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--rule); margin-bottom: 0.8rem; }
.toolbar label { display: grid; gap: 0.15rem; color: var(--muted); font-size: 0.75rem; min-width: 0; }
.toolbar .search { flex: 1 1 9rem; }
.toolbar input, .toolbar select, .toolbar button { font: inherit; font-size: 0.875rem; color: var(--ink); background: var(--raised); border: 1px solid var(--edge); border-radius: 6px; padding: 0.3rem 0.55rem; min-height: 2.1rem; max-width: 100%; }
.toolbar .search input { width: 100%; min-width: 0; }
.toolbar select { max-width: 10rem; }
.toolbar button { cursor: pointer; }
.toolbar button:hover { border-color: var(--ink); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.4rem; }
output { color: var(--muted); font-size: 0.8125rem; margin-left: auto; padding: 0.4rem 0; font-variant-numeric: tabular-nums; }
summary { cursor: pointer; }
.table { border: 1px solid var(--rule); border-radius: 8px; margin-bottom: 0.8rem; }
.table > summary { display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; padding: 0.7rem 0.9rem; background: var(--card); border-radius: 8px; list-style: none; }
.table[open] > summary { border-radius: 8px 8px 0 0; }
.table > summary h3 { font-family: var(--mono); font-size: 0.875rem; min-width: 0; }
.table > summary h3 small { font-family: system-ui, sans-serif; }
.table > summary .counts { margin-left: auto; color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; }
.table > .note { padding: 0.2rem 0.9rem 0.6rem; margin: 0; }
summary::-webkit-details-marker { display: none; }
.table > summary::before, .rule > summary::before, .group > summary::before, .plain > summary::before { content: "›" / ""; color: var(--muted); display: inline-block; width: 0.7em; text-align: center; font-weight: 700; flex: none; }
.group > summary, .plain > summary { display: flex; gap: 0.5em; align-items: baseline; }
details[open] > summary::before { transform: rotate(90deg); }
.table > summary .badge { min-width: 6rem; }
.group > summary, .plain > summary { list-style: none; padding: 0.5rem 0.9rem; }
.plain > summary { padding: 0.4rem 0; color: var(--muted); font-size: 0.8125rem; }
.group, .rule { border-top: 1px solid var(--rule); }
#list .name small::before { content: attr(data-table) " · "; }
#list { border: 1px solid var(--rule); border-top: 0; border-radius: 8px; }
.rule > summary { display: grid; grid-template-columns: 0.7em 6rem minmax(0, 5fr) minmax(0, 4fr) 120px; gap: 0.2rem 0.8rem; align-items: center; padding: 0.45rem 0.9rem; list-style: none; }
.rule > summary:hover, .group > summary:hover { background: var(--card); }
.rule .name b { font-weight: 600; }
.found { color: var(--ink); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.rule[data-status="passed"] .found, .rule[data-status="skipped"] .found { color: var(--muted); }
.strip { width: 120px; height: 16px; display: block; }
.strip path { fill: none; stroke-dasharray: 3 1; stroke-width: 32; }
.strip .p { stroke: var(--good); stroke-width: 10; transform: translateY(13px); opacity: 0.75; }
.strip .f { stroke: var(--bad); }
.strip .i, .strip .t { stroke: var(--warn); stroke-width: 18; transform: translateY(9px); }
.strip .s { stroke: var(--edge); stroke-width: 6; transform: translateY(14px); }
.body { padding: 0.3rem 0.9rem 1rem 2.1rem; display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.8rem 2rem; align-items: start; }
.heading { font-weight: 600; font-size: 0.875rem; }
.body > .heading, .body > .scroll, .body > .note { grid-column: 1 / -1; }
dl { margin: 0; display: grid; gap: 0.3rem; font-size: 0.875rem; }
dl > div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0.6rem; }
dt { color: var(--muted); }
dd { margin: 0; }
figure { margin: 0; min-width: 0; }
figcaption { font-size: 0.8125rem; color: var(--muted); display: flex; flex-wrap: wrap; gap: 0 1rem; }
.metrics { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0.9rem; padding: 0.2rem 0.9rem 0.9rem; }
.metric { border: 1px solid var(--rule); border-radius: 8px; padding: 0.8rem 0.9rem; display: flex; flex-direction: column; gap: 0.3rem; }
.metric figcaption { display: block; color: var(--ink); }
.metric p { margin: 0.1rem 0; }
.metric time { display: block; }
.metric-head { display: flex; justify-content: space-between; gap: 0.8rem; align-items: baseline; }
.chart { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.3rem 0.6rem; margin-top: 0.7rem; }
.y { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin-block: -0.65em; }
.y, .x { color: var(--muted); font-size: 0.75rem; line-height: 1.3; white-space: nowrap; font-variant-numeric: tabular-nums; }
.x { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; }
.x span:only-child { margin: 0 auto; }
.plot { height: 8rem; min-width: 0; }
.plot svg { display: block; width: 100%; height: 100%; overflow: visible; }
.plot path { fill: none; vector-effect: non-scaling-stroke; }
.grid { stroke: var(--rule); stroke-width: 1; }
.plot .line { stroke: var(--c); stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.l0 { --c: var(--accent); } .l1 { --c: var(--l1); } .l2 { --c: var(--l2); } .l3 { --c: var(--l3); } .l4 { --c: var(--l4); } .l5 { --c: var(--l5); }
.plot .band { fill: var(--accent); opacity: 0.13; }
.plot .limit { stroke: var(--bad); stroke-width: 1.4; stroke-dasharray: 5 4; }
.plot .dot { stroke-linecap: round; stroke-width: 7; }
.plot .lone { stroke: var(--c); }
.plot .failed { stroke: var(--bad); }
.plot .inconclusive, .plot .tolerated { stroke: var(--warn); stroke-width: 5; }
.plot rect.failed { fill: var(--bad); stroke: none; } .plot rect.inconclusive { fill: var(--warn); stroke: none; } .plot .hit { fill: transparent; }
.plot g:hover .hit { fill: var(--rule); }
.legend { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; color: var(--muted); font-size: 0.75rem; }
.legend li::before { display: inline-block; vertical-align: middle; margin-right: 0.4em; content: ""; }
.legend .key-line::before { width: 1em; border-top: 2px solid var(--c); }
.legend .key-band::before { width: 1em; height: 0.7em; background: var(--accent); opacity: 0.25; }
.legend .key-limit::before { width: 1.2em; border-top: 2px dashed var(--bad); }
.legend .key-failed::before { width: 0.55em; height: 0.55em; border-radius: 50%; background: var(--bad); }
.legend .key-bar::before, .legend .key-unclear::before { width: 0.7em; height: 0.7em; background: var(--bad); }
.legend .key-unclear::before { background: var(--warn); }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-size: 0.8125rem; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--rule); overflow-wrap: normal; max-width: 28rem; }
th { color: var(--muted); font-weight: 500; white-space: nowrap; }
td code { overflow-wrap: break-word; white-space: pre-wrap; }
td i { color: var(--muted); }
.culprit { font-weight: 700; color: var(--bad); }
.culprit i { color: inherit; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.lineage { border: 1px solid var(--rule); border-radius: 8px; padding: 1rem; }
.lineage svg { display: block; }
.lineage text { font: 600 12px var(--mono); fill: var(--ink); }
.lineage .note { font-weight: 400; fill: var(--muted); }
.lineage rect { fill: var(--card); stroke: var(--rule); stroke-width: 1.5; }
.lineage rect.failed { fill: var(--bad-soft); stroke: var(--bad); } .lineage rect.passed { fill: var(--good-soft); stroke: var(--good); } .lineage rect.inconclusive, .lineage rect.tolerated { fill: var(--warn-soft); stroke: var(--warn); }
.lineage .note.failed { fill: var(--bad); } .lineage .note.passed { fill: var(--good); } .lineage .note.inconclusive, .lineage .note.tolerated { fill: var(--warn); }
.edge { fill: none; stroke: var(--edge); stroke-width: 1.4; }
.arrow { fill: var(--edge); }
.hint { display: none; }
.hint.on { display: block; }
.plain li { padding: 0.1rem 0; }
.tip { position: absolute; left: 0; top: 0; z-index: 4; pointer-events: none; visibility: hidden; background: var(--ink); color: var(--page); font-size: 0.75rem; line-height: 1.35; padding: 0.35rem 0.55rem; border-radius: 6px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.tip.on { visibility: visible; }
.tip div:first-child { opacity: 0.75; }
.tip.bad { border-left: 4px solid var(--bad); }
@media (max-width: 48rem) {
  header, main { padding-inline: 1rem; }
  header { padding-top: 1.2rem; }
  h1 { font-size: 1.7rem; }
  html { scroll-padding-top: 1rem; }
  .toolbar { position: static; }
  .toolbar select { max-width: 100%; width: 100%; }
  .toolbar label { flex: 1 1 40%; }
  .toolbar .search { flex-basis: 100%; }
  .concerns li { grid-template-columns: minmax(0, 1fr); }
  .rule > summary { grid-template-columns: 0.7em auto minmax(0, 1fr); }
  .rule > summary .name, .rule > summary .found { grid-column: 2 / -1; }
  .rule > summary .strip { grid-row: 1; grid-column: 3; justify-self: end; }
  .body { grid-template-columns: minmax(0, 1fr); padding-left: 0.9rem; }
  dl > div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .table > summary h3, .table > summary .counts { margin-left: 1.5rem; width: 100%; }
  .hint { display: block; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10pt; }
  header, main { max-width: none; padding: 0; }
  nav, .skip, .toolbar, .tip, .hint { display: none !important; }
  .concerns li, .rule, .metric, .card, tr { break-inside: avoid; }
  .scroll, pre { overflow: visible; max-height: none; }
  .lineage svg { width: 100%; height: auto; }
  * { print-color-adjust: exact; }
}
`;
