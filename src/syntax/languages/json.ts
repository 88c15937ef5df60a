/** The profile of JSON. */
import { profile } from './generic.js';

export const json = profile({
  name: 'json',
  wasm: 'json',
  extensions: [
    'json',
    'jsonc',
    'json5',
    'jsonld',
    'geojson',
    'topojson',
    'gltf',
    'ipynb',
    'har',
    'webmanifest',
    'map',
    'avsc',
    'tfstate',
  ],
  aliases: ['jsonc'],
  pretty,
});

function pretty(text: string): string | undefined {
  try {
    const formatted = `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
    return formatted === text ? undefined : formatted;
  } catch {
    return undefined;
  }
}
