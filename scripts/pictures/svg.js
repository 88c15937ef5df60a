// Frames of a terminal as one animated SVG, without scripts: it plays in a README.

const colours = { 1: 'b', 2: 'f', 31: 'r', 32: 'g', 33: 'y', 36: 'c' };
const lineHeight = 18;
const characterWidth = 7.8;
const most = 26;
const longestPause = 1.2;
const endPause = 6;

/** `frames`: `{ at: seconds, lines }`. The last one stays for a while, and the picture begins again. */
export function animated(frames, { columns, title }) {
  const chosen = spread(frames.filter((frame, i) => i === 0 || textOf(frame) !== textOf(frames[i - 1])));
  const rows = Math.max(...chosen.map(({ lines }) => lines.length)) + 2;
  const width = Math.ceil(columns * characterWidth) + 32;
  const height = rows * lineHeight + 48;
  let at = 0;
  const starts = chosen.map((frame, i) => {
    at += i === 0 ? 0 : Math.min(longestPause, Math.max(0.12, frame.at - chosen[i - 1].at));
    return at;
  });
  const all = at + endPause;
  const groups = chosen.map((frame, i) => {
    const isLast = i === chosen.length - 1;
    const [from, to] = [starts[i], isLast ? all : starts[i + 1]].map(time =>
      Math.max(0, Math.min(100, (100 * time) / all)).toFixed(2),
    );
    const name = `s${i}`;
    const keyframes =
      i === 0
        ? `@keyframes ${name}{0%{visibility:visible}${to}%,100%{visibility:hidden}}`
        : `@keyframes ${name}{0%{visibility:hidden}${from}%{visibility:visible}${isLast ? '' : `${to}%,`}100%{visibility:${isLast ? 'visible' : 'hidden'}}}`;
    return {
      keyframes,
      // Without animation (a printer, a strict viewer) the end is shown.
      group: `<g style="visibility:${isLast ? 'visible' : 'hidden'};animation:${name} ${all.toFixed(1)}s step-end infinite">${frame.lines
        .map((line, row) => lineOf(line, row + 1))
        .join('')}</g>`,
    };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A run of culprit in a terminal">
<style>text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d9d5cc;white-space:pre}.b{font-weight:700;fill:#fff}.f{fill:#8d887f}.r{fill:#ff8a66}.g{fill:#74c796}.y{fill:#d8b44c}.c{fill:#7fc6cf}
${groups.map(({ keyframes }) => keyframes).join('\n')}</style>
<rect width="100%" height="100%" rx="10" fill="#17181b"/>
<circle cx="20" cy="18" r="5" fill="#ff6b57"/><circle cx="38" cy="18" r="5" fill="#f4bd4f"/><circle cx="56" cy="18" r="5" fill="#61c454"/>
${lineOf(
  [...title].map(character => [character, '1']),
  0,
)}
${groups.map(({ group }) => group).join('\n')}
</svg>
`;
}

const textOf = ({ lines }) => lines.map(line => line.map(([character]) => character).join('')).join('\n');

/** The first, the last, and the others as evenly in time as they come. */
function spread(frames) {
  if (frames.length <= most) return frames;
  const [first, last] = [frames[0], frames.at(-1)];
  const step = (last.at - first.at) / (most - 1);
  const chosen = [first];
  for (const frame of frames.slice(1, -1)) if (frame.at - chosen.at(-1).at >= step) chosen.push(frame);
  return [...chosen, last];
}

function lineOf(line, row) {
  const y = 48 + row * lineHeight;
  const runs = [];
  for (const [character, style] of line) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += character;
    else runs.push({ text: character, style });
  }
  const spans = runs.map(({ text, style }) =>
    colours[style] ? `<tspan class="${colours[style]}">${escaped(text)}</tspan>` : escaped(text),
  );
  return spans.length === 0 ? '' : `<text x="16" y="${y}">${spans.join('')}</text>`;
}

const escaped = text => text.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`);
