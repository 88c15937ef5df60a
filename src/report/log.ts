/**
 * A sequence that only grows at its end, as plain data: chunks of at most `chunk` items, all full except the last.
 * Appending copies one chunk and the list of chunks, so an old log stays valid and a run of a million answers does not cost
 * a million copies.
 */
export type Log<Item> = readonly (readonly Item[])[];

export const chunk = 128;

export function append<Item>(log: Log<Item>, item: Item): Log<Item> {
  const last = log.at(-1);
  if (last === undefined || last.length >= chunk) return [...log, [item]];
  return [...log.slice(0, -1), [...last, item]];
}

export const logOf = <Item>(items: readonly Item[]): Log<Item> => {
  const log: Item[][] = [];
  for (let from = 0; from < items.length; from += chunk) log.push(items.slice(from, from + chunk));
  return log;
};

export const itemsOf = <Item>(log: Log<Item>): Item[] => log.flat();

export const lengthOf = (log: Log<unknown>): number =>
  log.length === 0 ? 0 : (log.length - 1) * chunk + log[log.length - 1]!.length;

export const lastOf = <Item>(log: Log<Item>): Item | undefined => log.at(-1)?.at(-1);
