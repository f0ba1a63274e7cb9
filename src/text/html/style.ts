/** Calm, in light and dark, on paper, and without anything from elsewhere: fonts are those of the reader's system. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f6f4; --sheet: #ffffff; --well: #efefec; --edge: #e2e2de; --text: #23262a; --quiet: #6b7075;
  --check-a: #ffffff; --check-b: #ececea; --focus: #2b64b5;
  --good: #2c7a51; --good-back: #e3f1e8; --bad: #b23b32; --bad-back: #fae6e3;
  --warn: #8d5f0c; --warn-back: #f8edd5; --live: #2a66a8; --live-back: #e2edf9;
  --idle: #767b80; --idle-back: #eaeae7;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131518; --sheet: #1b1e22; --well: #23272c; --edge: #2e3338; --text: #e4e5e3; --quiet: #979da3;
    --check-a: #25292e; --check-b: #2c3136; --focus: #7fb0f0;
    --good: #74c596; --good-back: #1c3327; --bad: #ee8b81; --bad-back: #3d211f;
    --warn: #deb15e; --warn-back: #382b14; --live: #84b7f1; --live-back: #1b2d43;
    --idle: #8f959b; --idle-back: #2a2e33;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body {
  margin: 0 auto; max-width: 82rem; padding: 2.5rem clamp(1rem, 4vw, 3rem) 3rem;
  background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
h1, h2, h3, p, dl, dd, ol, ul, figure, pre { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1 { display: flex; flex-wrap: wrap; align-items: baseline; gap: .35rem .7rem; font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; }
section { margin-top: 1.75rem; }
h2 { margin: 0 0 .9rem; font-size: 1.15rem; font-weight: 600; letter-spacing: -.005em; }
h2 small, .quiet { color: var(--quiet); font-weight: 400; }
h3 { min-width: 0; font: 600 .9rem/1.4 var(--mono); }
code, pre { font: .8125rem/1.55 var(--mono); }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
:target { outline: 2px solid var(--focus); outline-offset: 3px; }

.tag { padding: .1rem .65rem; border-radius: 99px; background: var(--well); font-size: .95rem; font-weight: 500; letter-spacing: 0; }
.tag i { color: var(--quiet); font-style: normal; font-weight: 400; }
.badge { flex: none; padding: .1rem .6rem; border-radius: 99px; font-size: .78rem; font-weight: 600; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-back); }
.badge.bad { color: var(--bad); background: var(--bad-back); }
.badge.warn { color: var(--warn); background: var(--warn-back); }
.badge.live { color: var(--live); background: var(--live-back); }
.badge.idle { color: var(--idle); background: var(--idle-back); }

.state { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1rem; margin-top: .8rem; color: var(--quiet); font-size: .875rem; }
.state code { color: var(--text); }
.totals { display: flex; flex-wrap: wrap; gap: 1rem 2.75rem; margin-top: 1.9rem; }
.totals dt { color: var(--quiet); font-size: .8125rem; }
.totals dd { font-size: 1.55rem; line-height: 1.25; font-weight: 600; letter-spacing: -.01em; }
.totals small { color: var(--quiet); font-size: .8125rem; font-weight: 400; letter-spacing: 0; }
.map { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 1.6rem; }
.map a { display: block; width: 18px; height: 18px; border-radius: 4px; background: var(--idle); opacity: .8; }
.map a:hover { opacity: 1; }
.map .good { background: var(--good); }
.map .bad { background: var(--bad); }
.map .warn { background: var(--warn); }
.map .live { background: var(--live); }
.map .idle { background: none; border: 1.5px solid var(--idle); }
.trouble { margin-top: 1.5rem; padding: .8rem 1rem; border-radius: 8px; background: var(--warn-back); white-space: pre-wrap; }
.origin { margin-top: 1.5rem; font-size: .875rem; }
.origin dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; padding: .5rem 0 0 1.05rem; }
.origin dt { color: var(--quiet); }

summary { cursor: pointer; }
summary .quiet { margin-left: .6em; }
.filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; margin: 2rem -.5rem 0; padding: .6rem .5rem; background: var(--page); }
button { padding: .3rem .85rem; border: 1px solid var(--edge); border-radius: 99px; background: var(--sheet); color: inherit; font: inherit; font-size: .875rem; cursor: pointer; }
button:hover:enabled { border-color: var(--quiet); }
button:disabled { opacity: .5; cursor: default; }
button b { margin-left: .15em; color: var(--quiet); font-weight: 500; }
.filters [aria-pressed="true"] { border-color: var(--text); background: var(--text); color: var(--page); }
.filters [aria-pressed="true"] b { color: inherit; opacity: .75; }
[data-shown="retried"] .card:not([data-retried]), [data-shown="bad"] .card:not(.bad),
[data-shown="retried"] section:not(.results):not(:has([data-retried])), [data-shown="bad"] section:not(.results):not(:has(.card.bad)) { display: none; }

.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17.5rem), 1fr)); gap: 1.25rem; align-items: start; }
.grid.wide { grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
.card, .result, .player { overflow: hidden; border: 1px solid var(--edge); border-radius: 12px; background: var(--sheet); }
.card.bad { border-color: color-mix(in srgb, var(--bad) 55%, var(--edge)); }
.text { display: grid; gap: .6rem; padding: .85rem 1rem 1rem; }
.text header { display: flex; align-items: center; justify-content: space-between; gap: .75rem; }
.shot { display: flex; flex-direction: column; align-items: center; justify-content: center; gap: .5rem; min-height: 10rem; padding: 1rem; border-bottom: 1px solid var(--edge); background: repeating-conic-gradient(var(--check-a) 0 25%, var(--check-b) 0 50%) 0 0 / 20px 20px; }
.shot:not(:has(.pixels)) { background: var(--well); }
.shot.empty { color: var(--quiet); font-size: .875rem; }
img { display: block; max-width: 100%; height: auto; }
.pixels { image-rendering: pixelated; }
.final { max-height: 26rem; object-fit: contain; }
.others { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem; }
.left-out { padding: .5rem; color: var(--quiet); font-size: .78rem; text-align: center; }
.figures { display: flex; align-items: baseline; gap: .7rem; color: var(--quiet); font-size: .875rem; }
.figures .score { color: var(--text); font-size: 1.35rem; line-height: 1.2; font-weight: 600; letter-spacing: -.01em; }
.phases { display: flex; flex-wrap: wrap; gap: .3rem; }
.phases li { padding: .05rem .55rem; border-radius: 6px; background: var(--idle-back); color: var(--idle); font-size: .8125rem; }
.phases .good { background: var(--good-back); color: var(--good); }
.phases .bad { background: var(--bad-back); color: var(--bad); }
.phases .warn { background: var(--warn-back); color: var(--warn); }
.phases .live { background: var(--live-back); color: var(--live); }
.phases i { font-style: normal; opacity: .8; }

.strip { display: flex; flex-wrap: wrap; gap: .45rem; }
.strip li { flex: none; min-width: 58px; text-align: center; }
.thumb { display: flex; align-items: center; justify-content: center; gap: 3px; height: 72px; padding: 3px; border: 1px solid var(--edge); border-radius: 7px; background: var(--well); }
.thumb img { max-height: 64px; width: auto; }
.strip .good .thumb { border-color: var(--good); }
.strip .bad .thumb { border-color: color-mix(in srgb, var(--bad) 60%, var(--edge)); }
.caption { display: flex; justify-content: center; gap: .35rem; margin-top: .15rem; color: var(--quiet); font-size: .75rem; }
.caption b { color: var(--text); font-weight: 600; }
.strip .bad .caption b { color: var(--bad); }
.strip .good .caption b { color: var(--good); }

details { font-size: .875rem; }
.tries ol { display: grid; gap: .9rem; padding-top: .7rem; }
.line { display: flex; align-items: baseline; gap: .55rem; }
.number { min-width: 1.35em; color: var(--quiet); }
.verdict { font-weight: 600; }
.tries .bad .verdict { color: var(--bad); }
.tries .good .verdict { color: var(--good); }
.tries .warn .verdict { color: var(--warn); }
.line .score { margin-left: auto; font-weight: 600; }
.facts { padding-left: 1.9em; font-size: .78rem; }
.reasons { margin: .25rem 0 0 1.7em; padding-left: 1em; list-style: disc; }
.scores { margin: .4rem 0 0 1.7em; font-size: .78rem; }
.scores div { display: grid; grid-template-columns: minmax(4.5rem, 38%) 1fr; align-items: center; gap: .6rem; }
.scores dt { color: var(--quiet); }
.scores dd { display: grid; grid-template-columns: 1fr 3em; align-items: center; gap: .6rem; }
.scores dd span:only-child { grid-column: 1 / -1; }
.scores dd span { text-align: right; white-space: nowrap; }
.scores svg { display: block; width: 100%; height: 4px; border-radius: 2px; }
.rail { fill: var(--well); }
.bar { fill: var(--live); }
details pre { max-height: 22rem; margin-top: .5rem; padding: .7rem .85rem; overflow: auto; border-radius: 8px; background: var(--well); white-space: pre-wrap; }
.excerpt { max-height: 11.5em; overflow: hidden; white-space: pre-wrap; font: inherit; font-size: .9rem; -webkit-mask-image: linear-gradient(#000 75%, transparent); mask-image: linear-gradient(#000 75%, transparent); }
.outputs > div { display: grid; gap: .5rem; padding: .6rem 0 0 1rem; }
.output .quiet { font-size: .8125rem; }
.output p { margin-top: .35rem; }

.results { display: flex; flex-wrap: wrap; gap: 1.25rem; align-items: stretch; margin-top: 2.25rem; }
.result { display: flex; flex-direction: column; flex: 1 1 26rem; min-width: 0; }
.result .shot { flex: 1; }
.result:not(:has(.shot)) { flex-basis: 100%; }
.player { display: flex; flex-direction: column; flex: 0 1 19rem; }
.player .shot { flex: 1; }
figcaption { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .9rem; padding: .85rem 1rem; font-size: .8125rem; color: var(--quiet); }
figcaption label { display: flex; align-items: center; gap: .4rem; }
figcaption input { width: 4.5rem; accent-color: var(--live); }
footer { margin-top: 3.5rem; color: var(--quiet); font-size: .8125rem; }

/* A stage with one unit needs no column of its own. */
.card:only-child:has(.shot) { display: flex; grid-column: 1 / -1; max-width: 36rem; }
.card:only-child .shot { flex: none; width: 11rem; min-height: 0; border: 0; border-right: 1px solid var(--edge); }
.card:only-child .text { flex: 1; align-content: start; min-width: 0; }

@media (max-width: 30rem) {
  .player { flex-basis: 100%; }
  .card:only-child .shot { width: 8rem; }
  body { padding-top: 1.5rem; }
  h1 { font-size: 1.6rem; }
  .totals { gap: .9rem 1.75rem; }
  .totals dd { font-size: 1.3rem; }
}
@media print {
  :root { --page: #fff; --sheet: #fff; --text: #000; --quiet: #555; --edge: #ccc; }
  body { max-width: none; padding: 0; font-size: 11px; }
  .filters, .player, .map { display: none; }
  .card, .result { break-inside: avoid; }
  .grid, .grid.wide { grid-template-columns: repeat(3, 1fr); gap: .6rem; }
  details::details-content { content-visibility: visible; display: block; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
