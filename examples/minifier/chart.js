// A small chart library: bars, lines and pies as SVG. It works; the minifier that was to shrink it does not.

const palette = ['#4c78a8', '#f58518', '#54a24b', '#e45756', '#72b7b2', '#eeca3b', '#b279a2', '#9d755d'];

/** What a chart shows besides its marks, as bits. */
export const Parts = { none: 0, axes: 1, grid: 2, legend: 4, labels: 8, shadow: 16 };

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeText = text => String(text).replace(/[&<>"]/g, sign => entities[sign]);

function element(name, attributes, ...children) {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => ` ${key}="${escapeText(value === true ? key : value)}"`)
    .join('');
  return children.length === 0 ? `<${name}${list}/>` : `<${name}${list}>${children.flat().join('')}</${name}>`;
}

/** A colour from three bytes of a palette file, which stores the blue one first. */
export function colourAt(bytes, at) {
  const number = (bytes[at + 2] << 16) | ((bytes[at] | (bytes[at + 1] << 8)) & 0xffff);
  return `#${number.toString(16).padStart(6, '0')}`;
}

export function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? [0, 1] : [low, high];
}

export function scale([low, high], [from, to]) {
  const span = high - low || 1;
  return value => from + ((value - low) / span) * (to - from);
}

/** Round numbers between low and high, about `count` of them. */
export function ticks(low, high, count = 5) {
  const raw = (high - low) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= raw) ?? power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) found.push(Number(at.toFixed(10)));
  return found;
}

/** The bits that a theme leaves on. Print has no shadows, and a thumbnail has nothing but its marks. */
export function visible(parts, theme) {
  switch (theme) {
    case 'print':
      return parts & ~Parts.shadow;
    case 'thumbnail':
      return Parts.none;
    case 'slides':
      return parts | Parts.labels;
    default:
      return parts;
  }
}

function axes({ width, height, margin }, values, parts) {
  const [low, high] = extent([0, ...values]);
  const y = scale([low, high], [height - margin, margin]);
  const marks = ticks(low, high).map(at => [
    parts & Parts.grid
      ? element('line', { x1: margin, x2: width - margin, y1: y(at), y2: y(at), stroke: '#ddd' })
      : element('line', { x1: margin - 4, x2: margin, y1: y(at), y2: y(at), stroke: '#333' }),
    element('text', { x: margin - 8, y: y(at) + 4, 'text-anchor': 'end', 'font-size': 11 }, escapeText(at)),
  ]);
  const frame = element('path', {
    d: `M${margin} ${margin}V${height - margin}H${width - margin}`,
    fill: 'none',
    stroke: '#333',
  });
  return [frame, ...marks.flat()];
}

function legend({ width, margin }, names) {
  return names.map((name, i) =>
    element(
      'g',
      { transform: `translate(${width - margin - 90} ${margin + 16 * i})` },
      element('rect', { width: 10, height: 10, fill: palette[i % palette.length] }),
      element('text', { x: 14, y: 9, 'font-size': 11 }, escapeText(name)),
    ),
  );
}

export function bars(rows, size) {
  const { width, height, margin } = size;
  const [low, high] = extent([0, ...rows.map(row => row.value)]);
  const y = scale([low, high], [height - margin, margin]);
  const step = (width - 2 * margin) / Math.max(1, rows.length);
  return rows.map((row, i) =>
    element('rect', {
      x: margin + i * step + step * 0.1,
      width: step * 0.8,
      y: Math.min(y(0), y(row.value)),
      height: Math.abs(y(0) - y(row.value)),
      fill: row.colour ?? palette[i % palette.length],
    }),
  );
}

export function line(rows, size) {
  const { width, height, margin } = size;
  const y = scale(extent(rows.map(row => row.value)), [height - margin, margin]);
  const x = scale([0, Math.max(1, rows.length - 1)], [margin, width - margin]);
  const d = rows.map((row, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(row.value).toFixed(1)}`).join('');
  return [element('path', { d, fill: 'none', stroke: palette[0], 'stroke-width': 2 })];
}

export function pie(rows, size) {
  const radius = Math.min(size.width, size.height) / 2 - size.margin;
  const total = rows.reduce((sum, row) => sum + Math.max(0, row.value), 0) || 1;
  let angle = -Math.PI / 2;
  return rows.map((row, i) => {
    const turn = (Math.max(0, row.value) / total) * 2 * Math.PI;
    const [x1, y1] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    angle += turn;
    const [x2, y2] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    const large = turn > Math.PI ? 1 : 0;
    return element('path', {
      d: `M0 0L${x1} ${y1}A${radius} ${radius} 0 ${large} 1 ${x2} ${y2}Z`,
      transform: `translate(${size.width / 2} ${size.height / 2})`,
      fill: row.colour ?? palette[i % palette.length],
    });
  });
}

const kinds = { bars, line, pie };

export function chart(rows, { kind = 'bars', theme = 'screen', parts = Parts.axes, ...rest } = {}) {
  const size = { width: 480, height: 280, margin: 40, ...rest };
  const draw = kinds[kind];
  if (!draw) throw new RangeError(`There is no chart of the kind ${kind}.`);
  const shown = visible(parts, theme);
  const values = rows.map(row => row.value);
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${size.width} ${size.height}` },
    shown & Parts.axes && kind !== 'pie' ? axes(size, values, shown) : [],
    draw(rows, size),
    shown & Parts.legend ? legend(size, rows.map(row => row.name)) : [],
  );
}

export function fromCsv(text) {
  const [head, ...lines] = text.trim().split(/\r?\n/);
  const columns = head.split(',').map(name => name.trim());
  return lines.map(row => {
    const cells = row.split(',');
    const entry = Object.fromEntries(columns.map((name, i) => [name, cells[i]?.trim() ?? '']));
    return { ...entry, value: Number(entry.value) || 0 };
  });
}
