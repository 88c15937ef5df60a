// argv[2]: the folder of the version. Exit 0: a link by http, as in the old release. 1: by https, as in the new one. 125: anything else.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const script = `
import markupsafe
markupsafe.soft_unicode = markupsafe.soft_str  # Jinja 2 has the older name.
from jinja2 import Template
print(Template('{{ "www.example.com"|urlize }}').render())
`;
const folders = [path.resolve(process.argv[2], 'src'), path.join(__dirname, 'lib'), process.env.PYTHONPATH];
const env = { ...process.env, PYTHONPATH: folders.filter(Boolean).join(':') };
const { stdout, stderr } = spawnSync('python3', ['-B', '-c', script], { env, encoding: 'utf8', timeout: 60_000 });
console.log(`got: ${(stdout || stderr).trim()}`);
process.exit(/href="http:/.test(stdout) ? 0 : /href="https:/.test(stdout) ? 1 : 125);
