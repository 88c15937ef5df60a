/** How the runtime of each language lets expressions report their values. To add one, add it to the list. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Artifact } from '../../../core/artifact.js';
import type { Environment } from '../programs.js';
import { wrapPython } from '../runtimes/python.js';
import { placeAgent } from '../runtimes/reported-lines.js';
import { notedEnvironment } from './noted.js';

interface Reporter {
  /** The names of files that it loads; without them, it may load any file. */
  readonly files?: RegExp;
  /** Variables with which its processes have the function that expressions call. `around`: its environment so far. */
  environment(folder: string, around: Environment): Readonly<Record<string, string>>;
}

const agentAt = (name: string): URL => new URL(`./agents/${name}`, import.meta.url);

const node: Reporter = {
  environment: (_, { NODE_OPTIONS }) => ({
    NODE_OPTIONS: [NODE_OPTIONS, `--require=${JSON.stringify(fileURLToPath(agentAt('node.cjs')))}`]
      .filter(Boolean)
      .join(' '),
  }),
};

const python: Reporter = {
  environment(folder, around) {
    const agents = dirname(fileURLToPath(agentAt('culprit_values.py')));
    return {
      PYTHONPATH: [agents, around.PYTHONPATH].filter(Boolean).join(delimiter),
      ...wrapPython(join(folder, 'bin'), agents, around),
    };
  },
};

const ruby: Reporter = {
  files: /\.(?:rb|rake)$/,
  environment(folder, { RUBYOPT }) {
    placeAgent(folder, 'agent.rb', agentAt('agent.rb'));
    return { RUBYOPT: [`-r${join(folder, 'agent.rb')}`, RUBYOPT].filter(Boolean).join(' ') };
  },
};

/** There is one such variable for all versions, and one for each of them that counts instead. The agent runs the user's own. */
const luaInit = /^LUA_INIT(?:_5_\d)?$/;

const lua: Reporter = {
  files: /\.lua$/,
  environment(folder, around) {
    placeAgent(folder, 'agent.lua', agentAt('agent.lua'));
    const own = Object.keys(around).filter(name => luaInit.test(name) && around[name] !== undefined);
    const ours = `@${join(folder, 'agent.lua')}`;
    const first = own.sort().at(-1);
    return {
      ...Object.fromEntries(['LUA_INIT', ...own].map(name => [name, ours])),
      ...(first === undefined ? {} : { CULPRIT_LUA_INIT: around[first]! }),
    };
  },
};

const php: Reporter = {
  files: /\.(?:php|phtml)$/,
  environment(folder, { PHP_INI_SCAN_DIR = '' }) {
    placeAgent(folder, 'agent.php', agentAt('agent.php'));
    writeFileSync(join(folder, 'culprit.ini'), `auto_prepend_file="${join(folder, 'agent.php')}"\n`);
    // Nothing before the colon means the folders that PHP was built with.
    return { PHP_INI_SCAN_DIR: [PHP_INI_SCAN_DIR, folder].join(delimiter) };
  },
};

const compiled: Reporter = {
  files: /\.(?:[chi]|c\+\+|cc|cpp|cxx|cu|hh|hpp|hxx|h\+\+|ii|ipp|tpp)$/i,
  environment: notedEnvironment,
};

const reporters: readonly Reporter[] = [node, python, ruby, lua, php, compiled];

/** Where they report, in the temporary folder of a run. */
export function makeFolder(tmp: string): string {
  const folder = join(tmp, '.culprit-values');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The variables of all that may load a file of the input: what one adds to PATH is there for the next one. */
export function reportersFor(files: Artifact['files'], folder: string, around: Environment) {
  const paths = [...files.keys()];
  let added: Readonly<Record<string, string>> = { CULPRIT_VALUES: folder };
  for (const { files: own, environment } of reporters)
    if (own === undefined || paths.some(path => own.test(path)))
      added = { ...added, ...environment(folder, { ...around, ...added }) };
  return added;
}
