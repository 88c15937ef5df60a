/** Completion for zsh. */
import type { CommandShape, OptionShape } from './shape.js';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** Brackets and colons have a meaning in a specification. */
const plain = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&');

function specification({ long, short, description, value }: OptionShape): readonly string[] {
  const what = plain(long.replace(/^-+/, ''));
  const after =
    value === 'none'
      ? ''
      : value === 'path'
        ? `:${what}:_files`
        : value === 'other'
          ? `:${what}: `
          : `:${what}:(${value.join(' ')})`;
  return [long, ...(short ? [short] : [])].map(flag => quoted(`*${flag}[${plain(description)}]${after}`));
}

function argumentOf({ argument }: CommandShape): readonly string[] {
  if (argument === 'none') return [];
  if (argument === 'run') return [quoted('*:run:_files -/ -W .culprit')];
  return [quoted(argument === 'path' ? '*:path:_files' : `*:word:(${argument.join(' ')})`)];
}

export function zshCompletion(commands: readonly CommandShape[]): string {
  const names = commands.map(({ name, description }) => `    ${quoted(`${name}:${plain(description)}`)}`);
  const cases = commands.map(command => {
    const specs = [...command.options.flatMap(specification), ...argumentOf(command)];
    return [
      `    ${command.name})`,
      `      _arguments -s ${specs.map(spec => `\\\n        ${spec}`).join(' ')} ;;`,
    ].join('\n');
  });
  return `#compdef culprit
# zsh completion for culprit: eval "$(culprit completion zsh)", or save it as _culprit in a folder of $fpath.
_culprit() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local dashes=\${words[(i)--]}
  if (( dashes < CURRENT )); then
    words=("\${(@)words[dashes+1,-1]}")
    (( CURRENT -= dashes ))
    _normal
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ \${funcstack[1]} == _culprit ]]; then _culprit "$@"; else compdef _culprit culprit; fi
`;
}
