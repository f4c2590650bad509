import type { Clock } from "../../shared/time.ts";
import type { MessageRef } from "./messages.ts";

export type Nonces = ReturnType<typeof createNonces>;

/** Nonces of the bot's messages, for `windowMs` of the virtual clock. */
export const createNonces = (clock: Clock, windowMs: number) => {
  const remembered = new Map<string, { readonly message: MessageRef; readonly atMs: number }>();
  return {
    /** The message created with this nonce within the window, in any channel. */
    find: (nonce: string): MessageRef | undefined => {
      const entry = remembered.get(nonce);
      if (entry === undefined) return undefined;
      const ageMs = clock.now().epochMilliseconds - entry.atMs;
      return ageMs <= windowMs ? entry.message : undefined;
    },
    remember: (nonce: string, message: MessageRef): void => {
      remembered.set(nonce, { message, atMs: clock.now().epochMilliseconds });
    },
  };
};
