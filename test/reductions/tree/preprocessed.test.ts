/** What a preprocessor leaves between declarations. */
import { describe, expect, it } from 'vitest';
import { all, empty } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { preprocessed } from '../../../src/reductions/tree/large/preprocessed.js';

const text = `# 1 "a.cpp"
# 1 "/usr/include/b.h" 1 3


# 12 "/usr/include/b.h" 3
    struct b {
# 1 "/usr/include/c.h" 1 3 4
      int x;
# 14 "/usr/include/b.h" 2 3
    };
# 2 "a.cpp" 2
int main() {
  return 0;
}
`;

describe('what a preprocessor leaves', () => {
  const left = preprocessed(text)!;

  it('goes as a whole', () => {
    expect(left.build(empty)).toBe('struct b {\nint x;\n};\nint main() {\nreturn 0;\n}\n');
    expect(left.build(all(left.count))).toBe(text);
    expect(textOf(left.trace!(empty), text)).toBe(left.build(empty));
  });

  it('or without what says where headers of the system begin and end', () => {
    expect(left.build([0, 1])).toBe(`# 1 "/usr/include/b.h" 3
struct b {
# 1 "/usr/include/c.h" 3 4
int x;
# 1 "/usr/include/b.h" 3
};
# 1 "a.cpp"
int main() {
return 0;
}
`);
  });

  it('or only the whitespace at the beginning of lines', () => {
    expect(left.build([0, 2])).toBe(text.replace(/^\s+/gm, ''));
  });

  it('is not asked about if it is little', () => {
    expect(preprocessed(`${text}int y${'y'.repeat(10_000)};\n`)).toBeUndefined();
    expect(preprocessed('')).toBeUndefined();
  });
});
