import type { Clock } from "../../shared/time.ts";
import type { MessageRef } from "./messages.ts";

/** Which message was made under which nonce, by the one author that there is. */
export interface Nonces {
  /** A message made under this nonce "in the past few minutes", in whatever channel. */
  readonly find: (nonce: string) => MessageRef | undefined;
  /** A POST carried this nonce. */
  readonly attempted: (nonce: string) => void;
  readonly remember: (nonce: string, message: MessageRef) => void;
  readonly posts: () => ReadonlyMap<string, NoncePosts>;
}

/** Remembers nonces for `windowMs` of the clock; the count of posts is kept for ever. */
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

/** What became of the POSTs that carried one nonce. */
export interface NoncePosts {
  readonly attempts: number;
  /** Messages that they made; more than one when the nonce was out of its window or not enforced. */
  readonly messageIds: readonly string[];
}
