import { UserError } from "../../shared/errors.ts";

/** Half of the threads that Node shares among hashes, files and names of hosts, 32 MB of memory each. */
const MOST_AT_ONCE = 2;
/** Two, so that a double click is answered as one. */
const MOST_OF_ONE_OWNER = 2;
/** About four seconds of waiting. */
const MOST_WAITING = 50;

/** Turns at hashing, which costs a tenth of a second each: few at once, so that nothing else waits for them. */
export interface PinTurns {
  /** Runs `work` when its turn comes. @throws UserError pin_busy, before anything was begun */
  readonly inTurn: <Value>(ownerId: string, work: () => Promise<Value>) => Promise<Value>;
}

export const createPinTurns = (): PinTurns => {
  const waiting: (() => void)[] = [];
  const ofOwner = new Map<string, number>();
  let running = 0;

  const begin = async (): Promise<void> => {
    if (running < MOST_AT_ONCE) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };

  /** Whoever waits takes the place over. */
  const end = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    inTurn: async (ownerId, work) => {
      const own = ofOwner.get(ownerId) ?? 0;
      const isFull = running >= MOST_AT_ONCE && waiting.length >= MOST_WAITING;
      if (isFull || own >= MOST_OF_ONE_OWNER) throw new UserError({ kind: "pin_busy" });
      ofOwner.set(ownerId, own + 1);
      try {
        await begin();
        try {
          return await work();
        } finally {
          end();
        }
      } finally {
        const left = (ofOwner.get(ownerId) ?? 1) - 1;
        if (left === 0) ofOwner.delete(ownerId);
        else ofOwner.set(ownerId, left);
      }
    },
  };
};
