/** Completion for bash. */
import type { CommandShape } from './shape.js';

const quoted = (words: readonly string[]): string => `'${words.join(' ').replaceAll("'", "'\\''")}'`;

export function bashCompletion(commands: readonly CommandShape[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ long, short, value }) => {
      if (value === 'none') return [];
      const pattern = [long, ...(short ? [short] : [])].map(flag => `'${name} ${flag}'`).join('|');
      const reply =
        value === 'path' ? 'compgen -f -- "$word"' : `compgen -W ${quoted(value === 'other' ? [] : value)} -- "$word"`;
      return [`    ${pattern}) mapfile -t COMPREPLY < <(${reply}); return ;;`];
    }),
  );
  const words = commands.map(({ name, options, argument }) => {
    const flags = quoted(options.flatMap(({ long, short }) => [long, ...(short ? [short] : [])]).concat('--help'));
    const rest =
      argument === 'none'
        ? ''
        : argument === 'path'
          ? 'compgen -f -- "$word"'
          : argument === 'run'
            ? `compgen -d -- "\${word:-.culprit/}"`
            : `compgen -W ${quoted(argument)} -- "$word"`;
    return [
      `    ${name})`,
      `      if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W ${flags} -- "$word")`,
      `      else ${rest === '' ? 'COMPREPLY=()' : `mapfile -t COMPREPLY < <(${rest})`}; fi ;;`,
    ].join('\n');
  });
  return `# bash completion for culprit: eval "$(culprit completion bash)"
_culprit() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W ${quoted([...commands.map(({ name }) => name), 'help', '--help', '--version'])} -- "$word")
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -- ]] || continue
    if ((i + 1 == COMP_CWORD)); then mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
    else mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
    return
  done
  case "$command $before" in
${values.join('\n')}
  esac
  case $command in
${words.join('\n')}
  esac
}
complete -o filenames -F _culprit culprit
`;
}
