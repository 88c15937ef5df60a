/** CSS, and the languages that compile to it. */
import { profile } from './generic.js';

export const css = profile({ name: 'css', wasm: 'css', extensions: ['css'], comments: ['/*'] });

export const scss = profile({
  name: 'scss',
  wasm: 'scss',
  extensions: ['scss', 'less'],
  aliases: ['less', 'postcss'],
  comments: ['//', '/*'],
  namesInText: {
    word: /[$@%]?[A-Za-z_][\w-]*/g,
    declared: /^\s*(?:([$@][\w-]+)\s*:|@(?:mixin|function)\s+([\w-]+)|(%[\w-]+))/,
  },
});
