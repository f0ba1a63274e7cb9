/** @typedef {import('./words.mjs').Word} Word */

const fontSize = 13;
const cellWidth = 7.8;
const rowHeight = 17;
const margin = 16;
const barHeight = 34;
/** Between two frames on the film: a screen that is drawn smaller may round over its edge. */
const gap = 20;

const style = `
.frame{fill:#0d1117;stroke:#444c56}
.dot{fill:#444c56}
text{font:${fontSize}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#e6edf3}
.b{font-weight:bold}
.d{fill-opacity:.62}
.c0{fill:#6e7681}.c1{fill:#ff7b72}.c2{fill:#3fb950}.c3{fill:#e3b341}.c4{fill:#79c0ff}.c5{fill:#d2a8ff}.c6{fill:#56d4dd}.c7{fill:#b1bac4}
.c8{fill:#8b949e}.c9{fill:#ffa198}.c10{fill:#56d364}.c11{fill:#e3b341}.c12{fill:#a5d6ff}.c13{fill:#e2c5ff}.c14{fill:#b3f0ff}.c15{fill:#fff}
`;

/**
 * One animated picture: the frames lie below one another on a film, which moves on behind a window. Where nothing may
 * move, or nothing can, the last frame stands. Each different row is written once.
 */
export function svgOf(
  /** @type {readonly import('./frames.mjs').Frame[]} */ frames,
  /** @type {{ columns: number, rows: number, title: string }} */ { columns, rows, title },
) {
  const screen = { width: round(columns * cellWidth), height: rows * rowHeight };
  const width = Math.ceil(screen.width + 2 * margin);
  const height = barHeight + screen.height + margin;
  const film = filmOf(frames, screen.height + gap);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>${style}${film.style}</style>
<defs>
${film.rows}
</defs>
<rect class="frame" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[0, 1, 2].map((dot) => `<circle class="dot" cx="${margin + 6 + dot * 20}" cy="18" r="6"/>`).join('')}
<svg x="${margin}" y="${barHeight}" width="${screen.width}" height="${screen.height}">
<g class="film">
${film.frames}
</g>
</svg>
</svg>
`;
}

function filmOf(/** @type {readonly import('./frames.mjs').Frame[]} */ frames, /** @type {number} */ pitch) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const drawn = frames.map(({ rows }, at) => {
    const uses = rows.flatMap((words, row) => {
      if (words.length === 0) return [];
      const shape = words.map(wordSvg).join('');
      const name = names.get(shape) ?? `r${names.size}`;
      names.set(shape, name);
      return `<use href="#${name}" y="${at * pitch + row * rowHeight}"/>`;
    });
    return `<g>${uses.join('')}</g>`;
  });
  return {
    rows: Array.from(names, ([shape, name]) => `<g id="${name}">${shape}</g>`).join('\n'),
    frames: drawn.join('\n'),
    style: motion(frames, pitch),
  };
}

function motion(/** @type {readonly import('./frames.mjs').Frame[]} */ frames, /** @type {number} */ pitch) {
  const totalMs = frames.reduce((sum, { shownMs }) => sum + shownMs, 0);
  let atMs = 0;
  const steps = frames.map(({ shownMs }, at) => {
    const percent = round((atMs / totalMs) * 100);
    atMs += shownMs;
    return `${percent}%{transform:translateY(${-at * pitch}px)}`;
  });
  return `.film{transform:translateY(${-(frames.length - 1) * pitch}px);animation:film ${round(totalMs / 1000)}s step-end infinite}
@media (prefers-reduced-motion:reduce){.film{animation:none}}
@keyframes film{${steps.join('')}}
`;
}

/** A word takes up the cells that it has in the terminal, whatever the font: columns stay columns. */
function wordSvg(/** @type {Word} */ { column, cells, text, style: names }) {
  const isSymbol = !/^[!-~]/.test(text);
  const length = cells > 1 || isSymbol ? ` textLength="${round(cells * cellWidth)}"` : '';
  const squeeze = isSymbol ? ' lengthAdjust="spacingAndGlyphs"' : '';
  const look = names === '' ? '' : ` class="${names}"`;
  return `<text x="${round(column * cellWidth)}" y="${fontSize}"${length}${squeeze}${look}>${escaped(text)}</text>`;
}

function round(/** @type {number} */ value) {
  return Math.round(value * 1000) / 1000;
}

function escaped(/** @type {string} */ text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
