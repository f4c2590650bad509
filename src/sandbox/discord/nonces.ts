import type { Clock } from "../../shared/time.ts";
import type { MessageRef } from "./messages.ts";

/** Nonces of the bot's messages. */
export interface Nonces {
  /** The message created with this nonce within the window, in any channel. */
  readonly find: (nonce: string) => MessageRef | undefined;
  /** Counts a POST with this nonce. */
  readonly attempted: (nonce: string) => void;
  readonly remember: (nonce: string, message: MessageRef) => void;
  readonly posts: () => ReadonlyMap<string, NoncePosts>;
}

/** `find` sees nonces for `windowMs` of the virtual clock; the counts of POSTs never expire. */
export const createNonces = (clock: Clock, windowMs: number): Nonces => {
  const remembered = new Map<string, { readonly message: MessageRef; readonly atMs: number }>();
  const posts = new Map<string, NoncePosts>();

  const countsOf = (nonce: string): NoncePosts =>
    posts.get(nonce) ?? { attempts: 0, messageIds: [] };

  return {
    find: (nonce) => {
      const entry = remembered.get(nonce);
      if (entry === undefined) return undefined;
      const ageMs = clock.now().epochMilliseconds - entry.atMs;
      return ageMs <= windowMs ? entry.message : undefined;
    },
    attempted: (nonce) => {
      const { attempts, messageIds } = countsOf(nonce);
      posts.set(nonce, { attempts: attempts + 1, messageIds });
    },
    remember: (nonce, message) => {
      remembered.set(nonce, { message, atMs: clock.now().epochMilliseconds });
      const { attempts, messageIds } = countsOf(nonce);
      posts.set(nonce, { attempts, messageIds: [...messageIds, message.id] });
    },
    posts: () => posts,
  };
};

/** The POSTs that carried the same nonce. */
export interface NoncePosts {
  readonly attempts: number;
  /** Created messages; more than one if the nonce had left its window or was not enforced. */
  readonly messageIds: readonly string[];
}
