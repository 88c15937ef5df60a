/** The plot of size against tests. */
import { amount, choice, h, number, outcomes, section } from './dom.js';

/** The papers' plot: size against tests. The line is the smallest failure so far, the dots are what was tested. */
export function plot() {
  const stored = { scale: 'log' };
  let chart;
  let latest;
  const scale = choice(
    'Scale of the size',
    () => [
      { key: 'linear', text: 'Linear' },
      { key: 'log', text: 'Log' },
    ],
    () => stored.scale,
    key => {
      stored.scale = key;
      build();
    },
  );
  const zoom = (name, label, factor) =>
    h(
      'button',
      { type: 'button', class: 'tool', 'aria-label': label, title: label, onclick: () => zoomBy(factor) },
      name,
    );
  const { root, fill } = section(
    'plot',
    'Size against tests',
    'Drag across the plot to zoom in, double-click to see all of it.',
    scale.group,
    zoom('−', 'Zoom out', 2),
    zoom('+', 'Zoom in', 0.5),
    zoom('All', 'See all tests', Infinity),
  );
  const place = h('div', { class: 'canvas', tabindex: '0', onkeydown: event => step(event) });
  const readout = h('output', {});
  /** By keyboard, the same is read out as under the mouse. */
  function step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || !chart) return;
    event.preventDefault();
    const last = chart.data[0].length - 1;
    const index = Math.min(last, Math.max(0, (chart.cursor.idx ?? (by > 0 ? -1 : last + 1)) + by));
    chart.setCursor({ left: chart.valToPos(chart.data[0][index], 'x'), top: 0 });
  }
  const key = (name, colour, stroke) =>
    h('li', {}, h('i', { class: stroke && 'stroke', style: `--colour: var(--${colour})` }), name);
  fill(
    h(
      'div',
      { class: 'sheet plot' },
      place,
      h(
        'div',
        { class: 'legend' },
        h(
          'ul',
          {},
          key('smallest failure', 'accent', true),
          key('fails', 'fail'),
          key('passes', 'pass'),
          key('unresolved', 'unresolved'),
        ),
        readout,
      ),
    ),
  );

  function zoomBy(factor) {
    const last = Math.max(1, latest.counts.tests);
    const { min, max } = chart.scales.x;
    const middle = (min + max) / 2;
    const half = Math.min(last, ((max - min) / 2) * factor);
    const from = factor === Infinity ? 0 : Math.max(0, middle - half);
    const to = factor === Infinity ? last : Math.min(last, middle + half);
    chart.setScale('x', { min: from, max: Math.max(from + 1, to) });
  }

  function build() {
    const range = chart?.zoomed ? { ...chart.scales.x } : undefined;
    chart?.destroy();
    chart = draw(place, latest, stored.scale, readout);
    if (range) chart.setScale('x', { min: range.min, max: range.max });
  }

  const onResize = new ResizeObserver(() =>
    chart?.setSize({ width: place.clientWidth, height: heightFor(place.clientWidth) }),
  );
  onResize.observe(place);
  return {
    root,
    update(data) {
      latest = data;
      place.setAttribute('role', 'img');
      place.setAttribute(
        'aria-label',
        `Size against tests: from ${amount(data.before, data.unit)} to ${amount(data.best, data.unit)} in ${number(data.counts.tests)} tests.`,
      );
      if (!chart) build();
      else {
        const { min, max } = chart.scales.x;
        const zoomed = min > 0 || max < (chart.last ?? 0);
        chart.report = data;
        chart.last = Math.max(1, data.counts.tests);
        chart.setData(columns(data, stored.scale), !zoomed);
        if (zoomed) chart.setScale('x', { min, max });
      }
    },
    restyle: () => latest && build(),
  };
}

const heightFor = width => Math.round(Math.min(380, Math.max(240, width * 0.42)));

/** uPlot wants one row of x for all series: every step that is known, in order. */
function columns(data, scale) {
  const lowest = scale === 'log' ? 1 : 0;
  const shown = size => Math.max(size, lowest);
  const byStep = new Map();
  const at = step => byStep.get(step) ?? byStep.set(step, {}).get(step);
  for (const [step, size] of data.series) at(step).best = shown(size);
  for (const row of data.rows) at(row.step)[row.outcome] = shown(data.unit === 'bytes' ? (row.bytes ?? 0) : row.deltas);
  at(data.counts.tests).best ??= shown(data.best);
  const steps = [...byStep.keys()].sort((a, b) => a - b);
  const series = ['best', 'pass', 'unresolved', 'fail'].map(name => steps.map(step => byStep.get(step)[name] ?? null));
  let best = null;
  series[0] = series[0].map(size => (best = size ?? best));
  return [steps, ...series];
}

function draw(place, data, scale, readout) {
  const probe = h('span');
  place.append(probe);
  const colour = name => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const faded = (name, percent) => {
    probe.style.color = `color-mix(in srgb, var(--${name}) ${percent}%, transparent)`;
    return getComputedStyle(probe).color;
  };
  const font = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  const soft = colour('soft');
  const line = colour('line');
  const dots = (name, size, alpha) => ({
    scale: 'y',
    paths: () => null,
    points: { show: true, size, width: 0, fill: faded(name, alpha), stroke: 'transparent' },
  });
  const axis = {
    stroke: soft,
    font,
    grid: { stroke: line, width: 1, filter: (_, ticks) => ticks.map(tick => (named(tick, scale) ? tick : null)) },
    ticks: { show: false },
  };
  const width = place.clientWidth;
  const options = {
    width,
    height: heightFor(width),
    legend: { show: false },
    padding: [24, 12, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: true } },
    scales: {
      x: {
        time: false,
        range: (u, min, max) => (max > min ? [min, max] : [0, Math.max(1, u.report?.counts.tests ?? 1)]),
      },
      y: scale === 'log' ? { distr: 3, log: 10 } : { range: (_, __, max) => [0, max * 1.04 || 1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 30,
        label: 'tests',
        labelSize: 18,
        labelFont: font,
        values: (_, ticks) => ticks.map(tick => (Number.isInteger(tick) ? number(tick) : '')),
      },
      {
        ...axis,
        size: (_, values) => 20 + Math.max(0, ...(values ?? []).map(text => text.length)) * 7.2,
        values: (_, ticks) => ticks.map(tick => label(tick, scale)),
      },
    ],
    series: [
      {},
      {
        scale: 'y',
        stroke: colour('accent'),
        width: 2,
        fill: faded('accent', 6),
        fillTo: scale === 'log' ? u => u.scales.y.min : 0,
        paths: uPlot.paths.stepped({ align: 1 }),
        points: { show: false },
      },
      dots('pass', 4, 45),
      dots('unresolved', 4, 60),
      dots('fail', 5, 90),
    ],
    hooks: {
      drawClear: [u => bands(u, font, soft, line)],
      setCursor: [
        u => {
          readout.textContent = describe(u);
          // The pass under the cursor is drawn with its name, also if there is no room for all names.
          const pass = passAt(u);
          if (pass === u.pass) return;
          u.pass = pass;
          u.redraw(false);
        },
      ],
    },
  };
  const chart = new uPlot(options, columns(data, scale), (u, init) => {
    u.report = data;
    u.last = Math.max(1, data.counts.tests);
    place.replaceChildren(u.root);
    init();
  });
  Object.defineProperty(chart, 'zoomed', { get: () => chart.scales.x.min > 0 || chart.scales.x.max < chart.last });
  return chart;
}

/** On a logarithmic scale only the powers of ten get a line and a name. */
const named = (tick, scale) => scale !== 'log' || Number.isInteger(Math.log10(tick));

function label(tick, scale) {
  if (tick === null || !named(tick, scale)) return '';
  if (tick >= 1e6) return `${+(tick / 1e6).toPrecision(3)} M`;
  return tick >= 1e4 ? `${+(tick / 1e3).toPrecision(3)} k` : number(tick);
}

/** Where each pass begins: a thin line, and its name if there is room for it. */
function bands(u, font, soft, line) {
  const { ctx, bbox, report } = u;
  const ratio = devicePixelRatio || 1;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
  ctx.clip();
  ctx.font = font.replace('12px', `${11 * ratio}px`);
  ctx.textBaseline = 'top';
  const nameOf = pass => (pass.round > 1 ? `${pass.name}, round ${pass.round}` : pass.name);
  report.passes.forEach((pass, i) => {
    const from = u.valToPos(pass.from, 'x', true);
    const to = u.valToPos(report.passes[i + 1]?.from ?? report.counts.tests, 'x', true);
    if (to - from < 2 * ratio) return;
    ctx.fillStyle = line;
    ctx.fillRect(Math.round(from), bbox.top - 16 * ratio, ratio, bbox.height + 16 * ratio);
    const name = nameOf(pass);
    ctx.fillStyle = soft;
    const x = Math.max(from, bbox.left) + 6 * ratio;
    const hasRoom = ctx.measureText(name).width < to - x - 2 * ratio;
    if (hasRoom && u.pass === undefined) ctx.fillText(name, x, bbox.top - 18 * ratio);
  });
  const pass = report.passes[u.pass];
  if (pass) {
    const from = Math.max(bbox.left, u.valToPos(pass.from, 'x', true));
    const to = u.valToPos(report.passes[u.pass + 1]?.from ?? report.counts.tests, 'x', true);
    ctx.globalAlpha = 0.12;
    ctx.fillStyle = soft;
    ctx.fillRect(from, bbox.top, Math.max(ratio, to - from), bbox.height);
    ctx.globalAlpha = 1;
    const { width } = ctx.measureText(nameOf(pass));
    ctx.fillText(nameOf(pass), Math.min(from + 6 * ratio, bbox.left + bbox.width - width), bbox.top - 18 * ratio);
  }
  ctx.restore();
}

/** The number of the pass under the cursor. */
function passAt(u) {
  const { idx, left } = u.cursor;
  if (idx === null || idx === undefined || left < 0) return undefined;
  const found = u.report.passes.findLastIndex(pass => pass.from < u.data[0][idx]);
  return found < 0 ? undefined : found;
}

function describe(u) {
  const index = u.cursor.idx;
  if (index === null || index === undefined || u.cursor.left < 0) return '';
  const [steps, best, pass, unresolved, fail] = u.data;
  const tested = fail[index] ?? pass[index] ?? unresolved[index];
  const outcome = fail[index] !== null ? 'fail' : pass[index] !== null ? 'pass' : 'unresolved';
  const now = tested === null ? '' : ` · ${outcomes[outcome].sign} with ${number(tested)}`;
  const band = u.report.passes[passAt(u)];
  const during = band ? `${band.name} · ` : '';
  return `${during}test ${number(steps[index])}${now} · smallest ${amount(best[index], u.report.unit)}`;
}
