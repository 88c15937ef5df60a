// Reads a settings file and prints it as JSON. A fuzzer found nine files on which it crashes.
import { readFileSync } from 'node:fs';

const settings = { '': {} };
let section = '';

function open(line) {
  section = line.match(/^\[(.*)\]/)[1].trim();
  settings[section] ??= {};
}

function valueOf(text) {
  if (/^\d/.test(text)) return numberOf(text);
  return text.startsWith('$') ? lookUp(text.slice(1)) : text;
}

function numberOf(text) {
  const [whole, fraction = ''] = text.split('.');
  return Number(whole) + Number(fraction) / 10 ** fraction.length;
}

function lookUp(name) {
  const [from, key] = name.split(':');
  return settings[from].hasOwnProperty(key) ? settings[from][key] : '';
}

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').map(each => each.trim())) {
  if (line === '' || line.startsWith(';')) continue;
  if (line.startsWith('[')) open(line);
  else {
    const at = line.indexOf('=');
    const key = line.slice(0, at).trim();
    settings[section][key] = valueOf(line.slice(at + 1).trim());
    if (Number.isNaN(settings[section][key])) throw new RangeError(`the value of ${key.length} letters is no number`);
  }
}
console.log(JSON.stringify(settings));
