import type { Account } from "../../domain/account.ts";
import { type NewDelivery, referenceOf } from "../../domain/delivery.ts";
import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import type { Withdrawal } from "../../domain/withdrawal.ts";
import { type WalletKey, walletKeyOf } from "../../domain/wallet-key.ts";
import type { Secret } from "../../shared/secret.ts";
import { explainedByOwner } from "./ghost-explained.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import { reading, valueOf } from "../wallet-reading.ts";

/** Details read at most for one look; a ghost without them is told by its txid. */
const MOST_DETAILS = 5;

interface Told {
  readonly account: Account;
  readonly locale: WithdrawOp["locale"];
}

/** Each owner of the wallet account once, in the language that they last withdrew in. */
const ownersOf = async (needs: MoneyNeeds, accountFp: string): Promise<readonly Told[]> => {
  const accounts = await needs.connectionsOf(accountFp);
  const byOwner = new Map(accounts.map((account) => [account.ownerId, account]));
  return await Promise.all(
    [...byOwner.values()].map(async (account) => {
      const [last] = await needs.journal.list({ ownerId: account.ownerId, limit: 1 });
      return { account, locale: last?.locale ?? "pt-BR" };
    }),
  );
};

const ghostNotice = (
  needs: MoneyNeeds,
  { account, locale }: Told,
  txid: string,
  withdrawal: Withdrawal | undefined,
): NewDelivery => {
  const { id, guildId, ownerId, accountFp } = account;
  const noticedAt = needs.clock.now();
  const dedupeKey = `ghost|${accountFp}|${txid}|${ownerId}`;
  const reference = referenceOf(dedupeKey);
  return {
    dedupeKey,
    kind: "notice",
    target: { kind: "person", userId: ownerId },
    guildId,
    accountId: id,
    payload: needs.notices.ghost({
      ownerId,
      guildId,
      locale,
      reference,
      txid,
      withdrawal,
      noticedAt,
    }),
    notBefore: noticedAt,
  };
};

/** Ghosts cannot be told from ours before they are kept, so new ones that nobody claimed are read first. */
const readUnclaimed = async (
  needs: MoneyNeeds,
  key: WalletKey,
  unseen: readonly string[],
): Promise<ReadonlyMap<string, Withdrawal>> => {
  const claimed = new Set(await needs.journal.claimedTxids(key.fingerprint));
  const read = await Promise.all(
    unseen
      .filter((txid) => !claimed.has(txid))
      .slice(0, MOST_DETAILS)
      .map(
        async (txid) =>
          [txid, valueOf(await reading(needs.wallet.withdrawal(key, txid, "background")))] as const,
      ),
  );
  return new Map(read.flatMap(([txid, detail]) => (detail ? [[txid, detail] as const] : [])));
};

const NO_DETAILS: ReadonlyMap<string, Withdrawal> = new Map();

/**
 * Compares the service's list with what the bot began, and tells every owner of the account, once, of a withdrawal that
 * it did not begin. An unreadable list is no evidence of anything.
 */
export const watchGhosts = async (
  needs: MoneyNeeds,
  account: Account,
  apiKey: Secret,
): Promise<void> => {
  const key = walletKeyOf(account, apiKey);
  const read = await reading(needs.wallet.withdrawals(key, "background"));
  if (!read.ok) return;
  const { fingerprint } = key;
  const txids = read.value.items.map(({ txid }) => txid);
  const unseen = await needs.ghosts.unseen(fingerprint, txids);
  // Nearly every look ends here: thousands of accounts are looked at, and few withdraw between two looks.
  if (unseen?.length === 0) return;
  const details = unseen ? await readUnclaimed(needs, key, unseen) : NO_DETAILS;
  const owners = await ownersOf(needs, fingerprint);
  const ownerIds = owners.map(({ account: { ownerId } }) => ownerId);
  const explained = await explainedByOwner(needs, fingerprint, ownerIds, details);
  const ghosts = await needs.ghosts.observe(fingerprint, txids, needs.clock.now(), (found) =>
    found.flatMap((txid) =>
      (explained.has(txid) ? [] : owners).map((owner) =>
        ghostNotice(needs, owner, txid, details.get(txid)),
      ),
    ),
  );
  if (ghosts.length === 0) return;
  needs.log.warn({ account: account.id, ghosts: ghosts.length }, "withdrawals begun elsewhere");
  needs.wake();
};
