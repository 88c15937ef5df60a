/** Inputs for the little calculator with planted defects: each hits one of them, among lines that do no harm. The same seed, the same files. */

type Random = (below: number) => number;

/** Mulberry32: small, and the same on every machine. */
function randomOf(seed: number): Random {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const words = ['alpha', 'beta', 'gamma', 'delta', 'omega', 'sigma'];

function harmless(random: Random): string {
  const n = () => String(1 + random(900));
  const word = () => words[random(words.length)]!;
  const list = () => `[${Array.from({ length: 1 + random(4) }, n).join(', ')}]`;
  const lines = [
    () => `print ${n()}`,
    () => `print "${word()} ${word()}"`,
    () => `print ((${n()}))`,
    () => `div ${n()} ${n()}`,
    () => `first ${list()}`,
    () => `last ${list()}`,
    () => `row ${random(3)}`,
    () => `column ${random(3)}`,
    () => `fact ${random(12)}`,
    () => `table ${random(900)}`,
    () => `date ${1 + random(12)}`,
    () => `slice "${word()}" ${random(2)} ${2 + random(3)}`,
    () => `format "${word()} %d"`,
    () => `join ["${word()}", "${word()}"]`,
    () => `less ${n()} ${n()}`,
    () => `/* ${word()} */ print -${n()}`,
    () => `print 0x${random(4096).toString(16)}`,
  ];
  return lines[random(lines.length)]!();
}

/** How to hit each defect, in more than one way if there is one. */
function trigger(defect: number, random: Random): readonly string[] {
  const one = (...choices: readonly string[]) => choices[random(choices.length)]!;
  const word = words[random(words.length)]!;
  const n = String(3 + random(900));
  switch (defect) {
    case 1:
      return [one(`div ${n} 0`, `div [1] (0)`, `div ${n} "${word}"`)];
    case 2:
      return [one(`let x = ${word}`, `print ${word}`, `first [${n}, ${word}]`, `less ${word} 1`)];
    case 3:
      return [one('first []', 'first ([])')];
    case 4:
      return [one('last []', 'last ([])')];
    case 5:
      return [`row ${n}`];
    case 6:
      return [`column ${n}`];
    case 7:
      return [
        one(`print "${word}`, `join ["${word}", "b]`, `let t = "${word}`, `format "${word} %`, `less "a" "${word}`),
      ];
    case 8:
      return [one(`print (((((${n})))))`, `row ((((((1))))))`, `let g = (((((${n}`)];
    case 9:
      return one('a', 'b') === 'a' ? ['alias x x', 'call x'] : ['alias x y', 'alias y x', 'call y'];
    case 10:
      return [`fact -${n}`];
    case 11:
      return [one('print 0x', `div 0xzz ${n}`, 'first [0x]')];
    case 12:
      return [one(`print "${word}\\q"`, `join ["\\t"]`, `format "\\w%d"`)];
    case 13:
      return [`table ${1001 + random(9000)}`];
    case 14:
      return ['date 13'];
    case 15:
      return [`slice "${word}" ${n} 1`];
    case 16:
      return [one(`format "${word}%"`, 'format "%d%"')];
    case 17:
      return [one('join [""]', `join ["${word}", "", "b"]`)];
    case 18:
      return [one('less [] 1', `less ${n} [${n}]`, `less "${word}" []`)];
    case 19:
      return [one(`/* ${word}`, '/*')];
    case 20:
      return [one(`print -"${word}"`, `row -"a"`, `first [-"${word}"]`)];
    default:
      throw new RangeError(`There is no defect ${defect}.`);
  }
}

export const defects = 20;

export interface Crash {
  readonly name: string;
  readonly defect: number;
  readonly text: string;
}

/** Some defects are hit far more often than others, as by a fuzzer. */
export function crashes(count: number, seed = 17): readonly Crash[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, i) => {
    const defect = i < defects ? i + 1 : 1 + Math.min(random(defects), random(defects));
    const lines = Array.from({ length: 3 + random(25) }, () => harmless(random));
    const at = random(lines.length + 1);
    lines.splice(at, 0, ...trigger(defect, random));
    return { name: `crash-${String(i + 1).padStart(4, '0')}`, defect, text: `${lines.join('\n')}\n` };
  });
}
