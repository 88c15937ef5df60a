/** Names that other places point at, as they are spelled in pages and in texts with links. */
import type { Mark } from './profile.js';

export const matches = (text: string, like: RegExp): RegExpMatchArray[] => [...text.matchAll(like)];

export const marked = (spelled: string, start: number, by: string): Mark => ({
  name: `#${decoded(spelled)}`,
  start,
  end: start + spelled.length,
  by,
});

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
