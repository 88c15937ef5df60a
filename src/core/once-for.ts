/** Remembers what was made from an object, as long as the object lives. */

/** What `make` returned for this key the first time. It must not be `undefined`. */
export function onceFor<Key extends object, Value>(
  made: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make(key);
  made.set(key, value);
  return value;
}
