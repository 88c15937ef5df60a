/** Remembers what was made from an object, as long as the object lives, or from the text that was asked about last. */

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

/** What `make` returned for this text, if it is the one that was asked about last: the passes look at one text after the other. */
export function onceForLast<Value>(make: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | undefined;
  return text => {
    if (last?.text !== text) last = { text, value: make(text) };
    return last.value;
  };
}
