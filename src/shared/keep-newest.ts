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

/** Keeps each item once, by its id; a later one takes the place of that before. */
export const keepEach = <IdName extends string, Item extends Readonly<Record<IdName, string>>>(
  byId: Map<string, Item>,
  items: readonly Item[],
  idName: IdName,
  isLater: (item: Item, before: Item) => boolean,
): ReadonlyMap<string, Item> => {
  for (const item of items) {
    const before = byId.get(item[idName]);
    if (before === undefined || isLater(item, before)) byId.set(item[idName], item);
  }
  return byId;
};
