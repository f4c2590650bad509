/**
 * Whose turn it is to be read where there is more to read than one poll may. In memory only: what it forgets with the
 * process is read once more.
 */
export interface ReadingTurns {
  /** Those that were never read first, in the order given; then those that were read longest ago. */
  readonly inOrder: (accountId: string, ids: readonly string[]) => readonly string[];
  /** Also of a reading that failed, so that what cannot be read keeps nothing else from its turn. */
  readonly took: (accountId: string, id: string) => void;
  readonly had: (accountId: string, id: string) => boolean;
  /** Forgets an account all of which was read. */
  readonly forget: (accountId: string) => void;
}

export const createReadingTurns = (): ReadingTurns => {
  const turns = new Map<string, Map<string, number>>();
  let latest = 0;
  return {
    inOrder: (accountId, ids) => {
      const own = turns.get(accountId);
      return ids.toSorted((one, other) => (own?.get(one) ?? 0) - (own?.get(other) ?? 0));
    },
    took: (accountId, id) => {
      const own = turns.get(accountId) ?? new Map<string, number>();
      turns.set(accountId, own.set(id, ++latest));
    },
    had: (accountId, id) => turns.get(accountId)?.has(id) === true,
    forget: (accountId) => {
      turns.delete(accountId);
    },
  };
};
