/**
 * Works through the items in their order, at most so many at the same time. Once it is stopping none is begun; those
 * under way are finished. `work` takes care of its own failures.
 */
export const inLanes = async <Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  stopping: AbortSignal,
): Promise<void> => {
  // One iterator for all: whichever lane is free takes the next item.
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      if (stopping.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
