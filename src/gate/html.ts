import { escapeMarkup } from './markup.ts';
import { headline, type Row, toRows } from './rows.ts';
import type { Verdict } from './verdict.ts';

/** Renders the verdict as one self-contained HTML page without scripts, in light and dark. */
export function renderHtml(verdict: Verdict): string {
  const title = escapeMarkup(headline(verdict));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1 class="${verdict.outcome}">${title}</h1>
<p>Started <time datetime="${escapeMarkup(verdict.startedAt)}">${escapeMarkup(verdict.startedAt)}</time>, finished in ${verdict.durationMs} ms.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Checks">
<table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Severity</th><th scope="col">Where</th><th scope="col">What</th><th scope="col">Found</th></tr></thead>
<tbody>
${toRows(verdict).map(renderRow).join('\n')}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
}

function renderRow({ outcome, severity, subject, title, detail, samples }: Row): string {
  const cells = [severity, subject, title].map((text) => `<td>${escapeMarkup(text)}</td>`).join('');
  const items = samples.map((sample) => `<li><code>${escapeMarkup(sample)}</code></li>`).join('');
  const list =
    items === '' ? '' : `<details><summary>${samples.length} samples</summary><ul>${items}</ul></details>`;
  return `<tr><td class="${outcome}">${outcome}</td>${cells}<td>${escapeMarkup(detail)}${list}</td></tr>`;
}

const style = `
:root { color-scheme: light dark; --line: light-dark(#d0d7de, #3d444d); }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #e6edf3); }
main { max-width: 80rem; margin: 0 auto; padding: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.4rem 0.8rem; border-bottom: 1px solid var(--line); }
.passed { color: light-dark(#116329, #56d364); }
.failed { color: light-dark(#a40e26, #ff8c85); }
.inconclusive, .tolerated { color: light-dark(#7d4e00, #e3b341); }
td.passed, td.failed, td.inconclusive, td.tolerated { font-weight: 600; }
code { overflow-wrap: anywhere; }
`;
