import type { Account } from "../../domain/account.ts";
import type { Proofs } from "../../domain/proof.ts";
import type { Clock } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import { proofDigest } from "./proof-digest.ts";
import type { ProofsService } from "./proof-services.ts";

const PAGE = 10;
/** Each is opened to be listed; so many of the longest messages still are in a moment. */
const MOST_PROOFS = 200;
/** What the service takes for an id is not documented; spaces and control characters are none. */
const TXID = /^[\x21-\x7e]{3,100}$/;

export interface ProofsNeeds {
  readonly clock: Clock;
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  readonly proofs: Omit<Proofs, "forgetPending" | "ofTxid">;
}

/** See `ProofsService`. */
export const createProofs = ({ clock, find, proofs }: ProofsNeeds): ProofsService => ({
  hold: async ({ guildId, userId }, message) => {
    if (message.text.trim() === "" && message.links.length === 0)
      throw new UserError({ kind: "proof_empty" });
    // Proofs go with their owner's last connection: without one, nothing would ever erase them.
    if ((await find(guildId, userId)) === undefined) throw new UserError({ kind: "not_connected" });
    if ((await proofs.count(userId)) >= MOST_PROOFS) throw new UserError({ kind: "proofs_full" });
    const content = { ...message, sha256: proofDigest(message) };
    return await proofs.keepPending(userId, guildId, content, clock.now());
  },
  tie: async ({ userId }, pendingId, typedTxid) => {
    const txid = typedTxid.trim();
    if (!TXID.test(txid)) throw new UserError({ kind: "txid_unreadable", given: typedTxid });
    // Those that waited were not counted when they were held.
    if ((await proofs.count(userId)) >= MOST_PROOFS) throw new UserError({ kind: "proofs_full" });
    const kept = await proofs.tie(userId, pendingId, txid, clock.now());
    if (kept === undefined) throw new UserError({ kind: "proof_gone" });
    return kept;
  },
  page: async ({ userId }, wanted) => {
    const all = await proofs.list(userId);
    const pages = Math.max(1, Math.ceil(all.length / PAGE));
    const page = Math.min(Math.max(0, wanted), pages - 1);
    const shown = all.slice(page * PAGE, (page + 1) * PAGE);
    return { proofs: shown, page, pages, found: all.length };
  },
  all: ({ userId }) => proofs.list(userId),
  read: async ({ userId }, id) => {
    const proof = await proofs.find(userId, id);
    if (proof === undefined) throw new UserError({ kind: "proof_not_found" });
    return proof;
  },
  remove: async ({ userId }, id) => {
    if (!(await proofs.remove(userId, id, clock.now())))
      throw new UserError({ kind: "proof_not_found" });
  },
});
