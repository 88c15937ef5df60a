/** Programs that print their own stack in a signal handler, by glibc's `backtrace_symbols`. */
import { crash, type Family, type Frame } from '../found.js';
import { isRecursion } from '../frames.js';
import { functionName, programFrames } from '../native.js';

/** `./tool(parse_list+0x1d) [0x4011f2]`, or without the space, as `backtrace_symbols_fd` writes it. */
const line = /^(\S*?)\(([^()+]*(?:\(.*\))?[^()+]*)\+0x[\da-f]+\) ?\[0x[\da-f]+\]$/;

export const glibc: Family = ({ text, lines }) => {
  if (!/\+0x[\da-f]+\) ?\[0x[\da-f]+\]/.test(text)) return undefined;
  const from = lines.findIndex(each => line.test(each));
  if (from < 0) return undefined;
  const frames: Frame[] = [];
  for (const each of lines.slice(from)) {
    const [, module, symbol] = line.exec(each) ?? [];
    if (module === undefined) break;
    // The frame in which the kernel calls the handler has no name: the handler's own frames come before it.
    if (symbol === '' && /\/libc[.-]/.test(module) && isHandler(frames)) frames.length = 0;
    else if (symbol) frames.push({ name: functionName(symbol) });
  }
  const own = programFrames(frames);
  const recursion = isRecursion(own);
  return {
    kind: 'backtrace',
    line: recursion ? 'crash by endless recursion' : crash,
    frames: own,
    depth: recursion ? 0 : 2,
  };
};

/** Too few frames to include those of the program: its start has no name either. */
const isHandler = (frames: readonly Frame[]): boolean =>
  frames.length <= mostOfHandler && !frames.some(({ name }) => name === 'main');
const mostOfHandler = 3;
