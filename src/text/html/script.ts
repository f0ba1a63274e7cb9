/** All that the page can do beyond being read: show some of the units only, and play pictures in turn. */
export const pageScript = `
const buttons = document.querySelectorAll('[data-show]');
for (const button of buttons) {
  button.addEventListener('click', () => {
    document.body.dataset.shown = button.dataset.show;
    for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
  });
}
for (const filters of document.querySelectorAll('.filters')) filters.hidden = false;

for (const player of document.querySelectorAll('.player')) {
  const frames = [...document.querySelectorAll('#' + player.dataset.frames + ' .good img.final')];
  const [image, button, speed, words] = ['img', 'button', 'input', 'output'].map((name) => player.querySelector(name));
  let at = 0;
  let timer;
  const show = () => {
    image.src = frames[at].src;
    image.width = frames[at].getAttribute('width');
    words.textContent = at + 1 + ' of ' + frames.length;
  };
  const start = () => {
    clearInterval(timer);
    timer = setInterval(() => { at = (at + 1) % frames.length; show(); }, 1000 / speed.value);
  };
  button.addEventListener('click', () => {
    const plays = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(plays));
    button.textContent = plays ? 'Pause' : 'Play';
    if (plays) start(); else clearInterval(timer);
  });
  speed.addEventListener('input', () => { if (button.getAttribute('aria-pressed') === 'true') start(); });
  if (frames.length > 0) { show(); player.hidden = false; }
}
`;
