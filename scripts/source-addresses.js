import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** For esbuild: in a bundle of the sources, each module finds its assets (agents, pages) where they are. */
export const sourceAddresses = {
  name: 'addresses',
  setup(at) {
    at.onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      return { contents: text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' };
    });
  },
};
