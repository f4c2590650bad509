/** Consecutive parts of nearly the same size, one for each process; none is empty. */
export const shareShards = (
  shards: readonly number[],
  processes: number,
): readonly (readonly number[])[] => {
  const parts = Math.min(processes, shards.length);
  const beginOf = (part: number): number => Math.floor((part * shards.length) / parts);
  return Array.from({ length: parts }, (_, part) => shards.slice(beginOf(part), beginOf(part + 1)));
};
