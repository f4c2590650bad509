import type { AccountsStore } from "../accounts/accounts.store.ts";
import { paymentTxids } from "../disputes/dispute.ts";
import type { WatchedDispute } from "../disputes/dispute-alert.ts";
import type { DisputeWatch } from "../disputes/dispute-watch.store.ts";
import type { TransactionsService } from "../transactions/transactions.service.ts";
import {
  type KeptProofs,
  type Proof,
  type ProofContent,
  proofDigest,
  type TiedProof,
} from "./proof.ts";
import type { Proofs } from "./proofs.store.ts";
import type { ProofListFacts } from "./proofs.view.ts";
import type { Asker } from "../accounts/asker.service.ts";
import { amongIds } from "../shared/ids.ts";
import { pageOf } from "../shared/page.ts";
import { type Clock, toMillisecond } from "../shared/time.ts";
import { UserError } from "../shared/errors.ts";

/** A message as it was when a person chose to keep it. */
export type KeptMessage = Omit<ProofContent, "sha256">;

const PAGE = 10;
/** A list decrypts every proof: this many of the longest messages take a moment. */
const MOST_PROOFS = 200;
/** The service documents no form of ids; spaces and control characters are refused. */
const TXID = /^[\x21-\x7e]{3,100}$/;

/** Discord's mark of a code, and the end of a sentence. */
const AROUND_TXID = /^[\s`]+|[\s`.,;]+$/g;

interface ProofsNeeds {
  readonly clock: Clock;
  readonly disputeWatch: Pick<DisputeWatch, "of">;
  readonly transactions: Pick<TransactionsService, "detail" | "suggest">;
  readonly accounts: Pick<AccountsStore, "find" | "ofOwner">;
  readonly proofs: Omit<Proofs, "purgePending">;
}

const knownDisputes = async (
  { accounts, disputeWatch }: Pick<ProofsNeeds, "accounts" | "disputeWatch">,
  { userId }: Pick<Asker, "userId">,
): Promise<readonly WatchedDispute[]> => {
  const watchIds = new Set((await accounts.ofOwner(userId)).map(({ watchId }) => watchId));
  return (await Promise.all([...watchIds].map((each) => disputeWatch.of(each)))).flat();
};

/**
 * Txid of the known MED that has the code, or whose payment has the txid, in the service's spelling. The MED's own code
 * while it was not read in full.
 */
const disputedTxid = (known: readonly WatchedDispute[], code: string): string | undefined => {
  const named = known.find((each) => amongIds([code])(each.infractionId));
  return named ? named.txid || named.infractionId : inSpelling(known.flatMap(paymentTxids), code);
};

/** The code, with all codes of the known MEDs that have it: evidence of one sale may have been kept with several. */
const codesOfSale = (known: readonly WatchedDispute[], code: string): readonly string[] => {
  const about = known
    .map((each) => [each.infractionId, ...paymentTxids(each)])
    .filter((codes) => codes.some(amongIds([code])));
  return [code, ...about.flat()];
};

/** The known code that is meant: the same one, or else the same in other case. */
const inSpelling = (known: readonly string[], code: string): string | undefined =>
  known.includes(code) ? code : known.find(amongIds([code]));

/** The sale that the code names. A failure of the service leaves the code as it was typed. */
const saleOf = async (
  needs: ProofsNeeds,
  actor: Asker,
  txid: string,
): Promise<{ readonly txid: string; readonly isSaleMissing: boolean }> => {
  const disputed = disputedTxid(await knownDisputes(needs, actor), txid);
  if (disputed !== undefined) return { txid: disputed, isSaleMissing: false };
  const rows = await needs.transactions.suggest(actor, txid);
  const listed = rows.map((row) => row.txid);
  const meant = inSpelling(listed, txid);
  if (meant !== undefined) return { txid: meant, isSaleMissing: false };
  try {
    const { transaction } = await needs.transactions.detail(actor, txid);
    return { txid: transaction.txid, isSaleMissing: transaction.type === "withdrawal" };
  } catch (error) {
    const isSaleMissing =
      error instanceof UserError &&
      (error.reason.kind === "transaction_not_found" || error.reason.kind === "txid_unreadable");
    return { txid, isSaleMissing };
  }
};

/** Messages that sellers keep as proofs of sales. Only their keeper sees them, from any server. */
export const createProofs = (needs: ProofsNeeds) => {
  const { accounts, clock, proofs } = needs;
  return {
    /**
     * Holds a message until its sale is named. Attachments are not downloaded.
     * @returns the id that `tie` takes
     * @throws UserError not_connected, proof_empty, proofs_full
     */
    hold: async ({ guildId, userId }: Asker, message: KeptMessage): Promise<string> => {
      if (message.text.trim() === "" && message.attachments.length === 0)
        throw new UserError({ kind: "proof_empty" });
      // Proofs are erased with their owner's last connection; without a connection they would stay forever.
      if ((await accounts.find(guildId, userId)) === undefined)
        throw new UserError({ kind: "not_connected" });
      if ((await proofs.count(userId)) >= MOST_PROOFS) throw new UserError({ kind: "proofs_full" });
      const kept = withStoredTimes(message);
      const content = { ...kept, sha256: proofDigest(kept) };
      const pendingId = await proofs.keepPending(userId, guildId, content, clock.now());
      // The last connection may have been removed since it was looked for.
      if (!(await proofs.staysPending(userId, pendingId)))
        throw new UserError({ kind: "not_connected" });
      return pendingId;
    },
    /**
     * Ties a held message to a sale: by the txid in the service's spelling, or by the code of a known MED. The same message
     * is kept once per sale.
     * @throws UserError txid_unreadable; proof_gone when the message was held too long, or by another person
     */
    tie: async (actor: Asker, pendingId: string, typedTxid: string): Promise<TiedProof> => {
      const { userId } = actor;
      const typed = typedTxid.replace(AROUND_TXID, "");
      if (!TXID.test(typed)) throw new UserError({ kind: "txid_unreadable", given: typedTxid });
      // `hold` counts only tied proofs, not other held messages. A form that is sent twice may have taken the last place.
      const isFull = (await proofs.count(userId)) >= MOST_PROOFS;
      if (isFull && (await proofs.find(userId, pendingId)) === undefined)
        throw new UserError({ kind: "proofs_full" });
      const { txid, isSaleMissing } = await saleOf(needs, actor, typed);
      const kept = await proofs.tie(userId, pendingId, txid, clock.now());
      if (kept === undefined) throw new UserError({ kind: "proof_gone" });
      return { ...kept, isSaleMissing };
    },
    /** `txid`: only the proofs of that sale. */
    page: async (
      actor: Asker,
      wanted: number,
      typedTxid?: string,
    ): Promise<Omit<ProofListFacts, "removed">> => {
      const listed = async (txid?: string, codes?: readonly string[]) => {
        const { proofs: all, unreadable } = await proofs.list(actor.userId, codes);
        return { ...pageOf(all, wanted, PAGE), txid, unreadable };
      };
      const typed = typedTxid?.replace(AROUND_TXID, "");
      if (!typed) return await listed();
      const known = await knownDisputes(needs, actor);
      const txid = disputedTxid(known, typed) ?? typed;
      return await listed(
        txid,
        [typed, txid].flatMap((code) => codesOfSale(known, code)),
      );
    },
    /** Newest first. */
    all: ({ userId }: Asker): Promise<KeptProofs> => proofs.list(userId),
    /** @throws UserError proof_not_found */
    read: async ({ userId }: Asker, id: string): Promise<Proof> => {
      const proof = await proofs.find(userId, id);
      if (proof === undefined) throw new UserError({ kind: "proof_not_found" });
      return proof;
    },
    /** @throws UserError proof_not_found */
    remove: async ({ userId }: Asker, id: string): Promise<void> => {
      if (!(await proofs.remove(userId, id, clock.now())))
        throw new UserError({ kind: "proof_not_found" });
    },
  };
};

/** The message with the times that its row keeps: a digest of Discord's microseconds could never be made again. */
const withStoredTimes = (message: KeptMessage): KeptMessage => ({
  ...message,
  writtenAt: toMillisecond(message.writtenAt),
  editedAt: message.editedAt && toMillisecond(message.editedAt),
});
