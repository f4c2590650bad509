/** Puts an entry at the end of the map, and drops the first one beyond `most`. */
export const keepNewest = <Key, Value>(
  kept: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void => {
  kept.delete(key);
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
};
