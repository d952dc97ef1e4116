/** The style of the page: its colours are variables that the charts use too. */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #11151a);
  --card: light-dark(#f6f8fa, #1a2027);
  --ink: light-dark(#1b1f24, #e8ecf0);
  --muted: light-dark(#545d68, #a5b0bb);
  --grid: light-dark(#e1e5ea, #2b333c);
  --axis: light-dark(#8c96a0, #5f6b77);
  --good: light-dark(#1a6b35, #5fd483);
  --bad: light-dark(#b3191f, #ff8a84);
  --warn: light-dark(#7a4c00, #f0b84a);
  --line0: light-dark(#1f5fbf, #79b0ff);
  --line1: light-dark(#9a3ea8, #dc9be6);
  --line2: light-dark(#0d7377, #55c9cd);
  --line3: light-dark(#a14a00, #f0a060);
  --line4: light-dark(#5b6b12, #b9cf5a);
  --line5: light-dark(#6b5548, #c9b0a0);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
header p { margin: 0; }
h1 { margin: 0.2rem 0; font-size: 2.2rem; line-height: 1.2; }
h2 { margin: 1.5rem 0 0.5rem; border-bottom: 2px solid var(--grid); }
h3 { margin: 1rem 0 0.3rem; font-size: 1.05rem; overflow-wrap: anywhere; }
small { color: var(--muted); font-weight: normal; font-size: 0.875rem; }
a { color: var(--line0); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--line0); outline-offset: 2px; }
code { overflow-wrap: anywhere; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--page); padding: 0.5rem; }
.counts, nav ul, .legend, .samples, .reasons { list-style: none; padding: 0; }
.counts, nav ul, .legend { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; margin: 0.5rem 0; }
.reasons { margin: 0.5rem 0; }
.reasons li { padding: 0.1rem 0; }
.badge { display: inline-block; border: 1px solid currentcolor; border-radius: 1em; padding: 0 0.6em; font-size: 0.875rem; }
.passed { color: var(--good); }
.failed { color: var(--bad); }
.inconclusive, .tolerated { color: var(--warn); }
.skipped { color: var(--muted); }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.8rem 0.35rem 0; border-bottom: 1px solid var(--grid); }
thead th { color: var(--muted); font-weight: normal; font-size: 0.875rem; }
tbody th { font-weight: 600; overflow-wrap: anywhere; }
tbody th small { display: block; }
time { white-space: nowrap; }
.strip { display: inline-flex; flex-wrap: wrap; align-items: end; min-height: 1.3rem; }
.strip i { width: calc(var(--n, 1) * 5px); height: 1.3rem; background: repeating-linear-gradient(90deg, var(--c) 0 4px, transparent 4px 5px); }
.strip .p { --c: var(--good); height: 0.7rem; }
.strip .f { --c: var(--bad); }
.strip .u { --c: var(--warn); height: 1rem; }
.strip i, .legend i { print-color-adjust: exact; }
.legend i { display: inline-block; width: 1.2em; height: 0.2em; margin-right: 0.4em; vertical-align: middle; }
figure { margin: 0; padding: 0.8rem; background: var(--card); border-radius: 0.5rem; }
figure svg { display: block; width: 100%; height: auto; max-width: 36rem; }
figure text, .wide text { dominant-baseline: central; }
figure text { font: 12px system-ui; fill: var(--muted); }
.wide { overflow-x: auto; padding: 0.8rem; background: var(--card); border-radius: 0.5rem; }
.wide svg { display: block; min-width: 36rem; width: 100%; max-width: 60rem; height: auto; }
.wide text { font: 12px system-ui; }
figcaption p { margin: 0 0 0.4rem; }
.metrics { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem; }
.metrics figure { min-width: 0; }
details { margin: 0.5rem 0; }
summary { cursor: pointer; }
.samples li { padding: 0.1rem 0; }
.samples span { color: var(--muted); }
@media (max-width: 40rem) {
  table[role] thead { position: absolute; left: -99rem; }
  table[role] tr { display: grid; grid-template-columns: auto 1fr; gap: 0.2rem 0.8rem; padding: 0.6rem 0; border-bottom: 1px solid var(--grid); }
  table[role] td, table[role] th { border: 0; padding: 0; }
  table[role] td:nth-child(n + 3) { grid-column: 1 / -1; }
}
@media print {
  :root { color-scheme: light; }
  header, main { max-width: none; }
  nav, .skip { display: none; }
  figure, tr { break-inside: avoid; }
  .metrics { grid-template-columns: 1fr 1fr; }
}
`;
