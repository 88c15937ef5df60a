/** A program that only prints what another one printed: a statement for each line, so that lines can be removed. */
import type { Output } from './profile.js';

interface Printing {
  /** Prints a literal as a line; as the open end of the output; as a line of the other stream. */
  line(literal: string): string;
  end(literal: string): string;
  error(literal: string): string;
  exit(code: number): string;
  raise(name: string, message: string): string;
  /** What the second stream needs. */
  readonly forErrors?: string;
}

/** A text in double quotes, with escapes that both languages know. */
const literalOf = (text: string): string => JSON.stringify(text);

const printing =
  ({ line, end, error, exit, raise, forErrors }: Printing) =>
  ({ lines, isOpen, exit: code, thrown }: Output): string => {
    const statements = lines.map(([stream, text], i) => {
      const literal = literalOf(text);
      return stream === 2 ? error(literal) : isOpen && i === lines.length - 1 ? end(literal) : line(literal);
    });
    const first = forErrors !== undefined && lines.some(([stream]) => stream === 2) ? [forErrors] : [];
    const [name, message] = thrown ?? [];
    const raised = name === undefined ? undefined : raise(name, message === undefined ? '' : literalOf(message));
    const last = raised ?? (code === 0 ? undefined : exit(code));
    return [...first, ...statements, ...(last === undefined ? [] : [last]), ''].join('\n');
  };

export const printingJavascript = printing({
  line: literal => `console.log(${literal});`,
  end: literal => `process.stdout.write(${literal});`,
  error: literal => `console.error(${literal});`,
  exit: code => `process.exitCode = ${code};`,
  raise: (name, message) => `throw new ${name}(${message});`,
});

export const printingPython = printing({
  line: literal => `print(${literal})`,
  end: literal => `print(${literal}, end="")`,
  error: literal => `print(${literal}, file=sys.stderr)`,
  exit: code => `exit(${code})`,
  raise: (name, message) => `raise ${name}(${message})`,
  forErrors: 'import sys',
});
