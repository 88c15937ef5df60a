/** Elements and numbers. Text always goes in as text: nothing that a program under test printed becomes markup. */

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== undefined && child !== null && child !== false));
  return element;
}

export function svg(size, ...paths) {
  const space = 'http://www.w3.org/2000/svg';
  const root = document.createElementNS(space, 'svg');
  root.setAttribute('viewBox', size);
  root.setAttribute('aria-hidden', 'true');
  for (const { d, ...attributes } of paths) {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('d', d);
    for (const [name, value] of Object.entries(attributes)) path.setAttribute(name, value);
    root.append(path);
  }
  return root;
}

/** A section with its heading; `fill` puts new content below the heading. */
export function section(id, title, about, ...tools) {
  const body = h('div');
  const root = h(
    'section',
    { id, 'aria-labelledby': `${id}-title` },
    h(
      'div',
      { class: 'head' },
      h('div', {}, h('h2', { id: `${id}-title` }, title), about && h('p', {}, about)),
      tools.length > 0 && h('div', { class: 'tools' }, tools),
    ),
    body,
  );
  return { root, fill: (...children) => body.replaceChildren(...children.flat(Infinity).filter(Boolean)) };
}

/** A few buttons of which one is down. */
export function choice(label, options, chosen, choose) {
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': label });
  const draw = () =>
    group.replaceChildren(
      ...options().map(({ key, text, count }) =>
        h(
          'button',
          {
            type: 'button',
            'data-key': key,
            'aria-pressed': String(key === chosen()),
            onclick: () => {
              choose(key);
              draw();
              group.querySelector(`[data-key="${key}"]`).focus();
            },
          },
          text,
          count !== undefined && h('span', { class: 'count' }, number(count)),
        ),
      ),
    );
  draw();
  return { group, draw };
}

export const number = value => Math.round(value).toLocaleString('en-US');
export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
export const amount = (value, unit) => plural(value, unit === 'bytes' ? 'byte' : 'delta');

export function duration(seconds) {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = value => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)} h`;
}

export function share(part, whole) {
  if (whole <= 0 || part >= whole) return '100 %';
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 0.01) return 'less than 0.01 %';
  return `${percent < 0.1 ? percent.toFixed(2) : percent.toFixed(1)} %`;
}

export const outcomes = {
  fail: { sign: '✗', text: 'fails' },
  pass: { sign: '✓', text: 'passes' },
  unresolved: { sign: '?', text: 'unresolved' },
};
