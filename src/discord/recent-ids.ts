/** Remembers the latest ids, between `capacity` and twice as many; the oldest half is forgotten at once. */
export interface RecentIds {
  /** False when the id was seen lately. */
  readonly add: (id: string) => boolean;
}

/** Memory that does not grow: two sets that take turns. */
export const createRecentIds = (capacity: number): RecentIds => {
  let current = new Set<string>();
  let previous = new Set<string>();
  return {
    add: (id) => {
      if (current.has(id) || previous.has(id)) return false;
      current.add(id);
      if (current.size >= capacity) {
        previous = current;
        current = new Set();
      }
      return true;
    },
  };
};
