/** XML and its dialects. */
import { profile } from './generic.js';
import { markup } from './markup.js';

export const xml = profile({
  name: 'xml',
  wasm: 'xml',
  extensions: [
    'xml',
    'svg',
    'xsd',
    'xsl',
    'xslt',
    'xhtml',
    'rss',
    'atom',
    'plist',
    'csproj',
    'pom',
    'wsdl',
    'drawio',
    'gpx',
    'kml',
  ],
  aliases: ['svg'],
  ...markup,
});
