/** Frames of native stacks: which belong to the program, and what their functions are called. */
import type { Frame } from './found.js';

/** What surrounds the program on a native stack: signal handlers, abort, allocators, the code that calls main. */
const machinery = new RegExp(
  [
    '^(?:__GI_|__)?(?:raise|abort|gsignal|pthread_kill|assert_fail\\w*|assert_perror_fail|assert_rtn|kill)(?:_\\w*)?$',
    '^__pthread_kill\\w*$|^__libc_(?:message|fatal)$|^__(?:fortify_fail|stack_chk_fail)\\w*$|^malloc_printerr$|^_int_(?:free|malloc|realloc)$',
    '^__chk_fail$|^__\\w+_chk$|^_?_IO_\\w+$|^__v\\w*printf\\w*$',
    '^_?_start$|^(?:__libc_)?start_\\w+$|^__libc_start_\\w+$|^call_init$|^__?clone\\d?$|^<signal handler called>$|^_dl_\\w+$',
    '^llvm::sys::|SignalHandler|^CrashRecovery|^llvm::(?:report_fatal_error|llvm_unreachable_internal|CrashRecoveryContext::)',
    '^__(?:a|t|m|l|ub|hwa|san)\\w*san(?:_|::)|^__sanitizer|^__interceptor|^(?:_+)?interceptor_|^___?asan',
    '^(?:mem(?:cpy|move|set|cmp|chr)|str\\w{2,8}|malloc|calloc|realloc|free|operator (?:new|delete)(?:\\[\\])?|v?s?n?printf\\w*)$',
    '^std::(?:terminate|rethrow_exception|__terminate|__throw_\\w+|__glibcxx_assert\\w*|__replacement_assert)|^__cxa_|^__gnu_cxx::__verbose_terminate|^__cxxabiv1::|^_Unwind_',
    '^toplev(?:::main)?$|^diagnostic_\\w+$|^internal_error$|^fancy_abort$|^crash_signal$|^compile_file$',
    '^\\?+$|^<unknown>$',
  ].join('|'),
);

/** glibc's own names for its functions begin with `__GI_`. */
export const isRuntimeFrame = (name: string): boolean => machinery.test(name.replace(/^__GI_/, ''));

/** The program's own frames. */
export const programFrames = (frames: readonly Frame[]): readonly Frame[] =>
  frames.filter(({ name, file }) => name !== '' && !isRuntimeFrame(name) && !/\blibsanitizer\b/.test(file ?? ''));

/** `void a::b<int>::c(int) const [clone .isra.0]` → `a::b::c`: overloads, instances and clones count as one function. */
export function functionName(symbol: string): string {
  const text = symbol
    .replace(/\s*\[(?:clone|inlined|abi:)[^\]]*\]/g, '')
    .replace(/\(anonymous namespace\)::|\{anonymous\}::/g, '')
    .replace(/operator\(\)/g, 'operator_call')
    .replace(/operator(<=>|<<=?|>>=?|<=?|>=?|->\*?)/g, 'operator_angle');
  let depth = 0;
  let flat = '';
  for (const char of text) {
    if (char === '<') depth++;
    else if (char === '>' && depth > 0) depth--;
    else if (depth === 0) {
      if (char === '(') break;
      flat += char;
    }
  }
  const words = flat
    .replace(/\.(?:isra|constprop|part|cold|llvm)\b[.\d]*/g, '')
    .trim()
    .split(/\s+/);
  const operator = words.findIndex(word => /(?:^|::)operator$/.test(word));
  const name = operator >= 0 ? words.slice(operator).join(' ') : (words.at(-1) ?? '');
  return name
    .replace('operator_call', 'operator()')
    .replace('operator_angle', 'operator<>')
    .replace(/^[*&]+/, '');
}
