import type { Clock } from "../../shared/time.ts";
import type { MessageRef } from "./messages.ts";

/** Nonces of the bot's messages. */
export interface Nonces {
  /** The message created with this nonce within the window, in any channel. */
  readonly find: (nonce: string) => MessageRef | undefined;
  readonly remember: (nonce: string, message: MessageRef) => void;
}

/** `find` sees nonces for `windowMs` of the virtual clock. */
export const createNonces = (clock: Clock, windowMs: number): Nonces => {
  const remembered = new Map<string, { readonly message: MessageRef; readonly atMs: number }>();
  return {
    find: (nonce) => {
      const entry = remembered.get(nonce);
      if (entry === undefined) return undefined;
      const ageMs = clock.now().epochMilliseconds - entry.atMs;
      return ageMs <= windowMs ? entry.message : undefined;
    },
    remember: (nonce, message) => {
      remembered.set(nonce, { message, atMs: clock.now().epochMilliseconds });
    },
  };
};
