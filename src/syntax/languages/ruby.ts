/** The profile of Ruby. */
import { beforeByLine, hash, profile, withoutBrackets } from './generic.js';
import { rubyValues } from './ruby-values.js';

export const ruby = profile({
  name: 'ruby',
  wasm: 'ruby',
  observation: rubyValues,
  extensions: ['rb', 'rake', 'gemspec'],
  files: ['Gemfile', 'Rakefile'],
  aliases: ['rb'],
  layout: true,
  ...hash,
  constants: withoutBrackets,
  lastIsValue: true,
  statementEnd: '\n',
  declare: (_, name, value) => `${name}=${value}\n`,
  before: beforeByLine,
});
