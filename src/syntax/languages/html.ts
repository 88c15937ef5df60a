/** HTML, and the languages whose files are pages with scripts and styles in them. */
import { attributeWith, profile } from './generic.js';
import { markup } from './markup.js';

export const html = profile({
  name: 'html',
  wasm: 'html',
  extensions: ['html', 'htm'],
  ...markup,
  embeds: { ...markup.embeds, attribute_value: attributeWith(/^on/i) },
});

export const vue = profile({ name: 'vue', wasm: 'html', extensions: ['vue'], ...markup });

export const svelte = profile({
  name: 'svelte',
  wasm: 'html',
  extensions: ['svelte', 'astro'],
  aliases: ['astro'],
  ...markup,
});
