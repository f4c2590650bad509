/**
 * Works through the items in their order, at most so many at the same time. Once it is stopping none is begun; those
 * under way are finished. `work` takes care of its own failures.
 */
export const inLanes = async <Item>(
  lanes: number,
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> => {
  // One iterator for all: whichever lane is free takes the next item.
  const waiting =
    Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    while (!stopping.aborted) {
      const { done, value } = await waiting.next();
      if (done === true || stopping.aborted) return;
      await work(value);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
