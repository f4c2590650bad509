import type { Plant } from "../bot.ts";

const START = Temporal.Instant.fromEpochMilliseconds(0);

/** Sends however long it was held up since its commit. */
export const neverHeldUp: Plant = (needs) => {
  // The two clocks are asked in one breath, when it begins and when it is looked at.
  let isWatching = false;
  return {
    ...needs,
    monotonicMs: () => {
      isWatching = true;
      return 0;
    },
    clock: {
      now: () => {
        if (!isWatching) return needs.clock.now();
        isWatching = false;
        return START;
      },
    },
  };
};

/** Looks at lock and cap when the click comes, and not again before the request. */
export const noLateCheck: Plant = (needs) => {
  const confirmed = new Set<string>();
  return {
    ...needs,
    guards: {
      ...needs.guards,
      find: async (ownerId) =>
        confirmed.has(ownerId) ? undefined : await needs.guards.find(ownerId),
    },
    journal: {
      ...needs.journal,
      move: async (op, step, at) => {
        const result = await needs.journal.move(op, step, at);
        if (step.to === "confirmed" && result.kind === "moved") confirmed.add(op.ownerId);
        else confirmed.delete(op.ownerId);
        return result;
      },
    },
  };
};
