import { keyWritings } from "../../domain/pix-key.ts";
import { distanceMs, isBeforeRequest, isMatch, newTxids } from "../../domain/reconcile.ts";
import type { WithdrawOp, WithdrawState } from "../../domain/withdraw-op.ts";
import type { Withdrawal, WithdrawalPage } from "../../domain/withdrawal.ts";
import type { WalletKey } from "../../domain/wallet-key.ts";
import { DAY, MINUTE } from "../../shared/time.ts";
import { UserError } from "../../shared/errors.ts";
import { reading, valueOf } from "../wallet-reading.ts";
import type { MoneyNeeds } from "./money-needs.ts";

/** An operation that was said not to have happened, and the withdrawal that shows that it did. */
export interface DeniedMade {
  readonly op: WithdrawOp;
  readonly withdrawal: Withdrawal;
}

const DENIED = ["rejected", "not_executed"] as const;
/** What may have made a withdrawal and names none: what fits it is nobody else's until that is known. */
const UNDECIDED = ["sending", "unknown", "manual"] as const;
const DECIDED = ["resolved_manual"] as const;
/** Operations of one owner and of one kind that can be recent enough to matter. */
const MOST_OF_OWNER = 10;
const MOST_DETAILS = 10;
const RECENT_MS = 7 * DAY;
/** What a refused request did, it did while it was under way: a later one is the owner's own, made elsewhere. */
const REFUSED_WITHIN_MS = MINUTE;

const isDenied = ({ state }: WithdrawOp): boolean => DENIED.some((denied) => denied === state);
const isUndecided = ({ state }: WithdrawOp): boolean => UNDECIDED.some((open) => open === state);

/**
 * Operations of the wallet account that were said not to have happened, by the service or by its list, and those that
 * name no withdrawal beside them; empty where nothing was denied, as nearly always.
 */
export const deniedOps = async (
  { journal, clock }: Pick<MoneyNeeds, "journal" | "clock">,
  accountFp: string,
  ownerIds: readonly string[],
): Promise<readonly WithdrawOp[]> => {
  const sinceMs = clock.now().epochMilliseconds - RECENT_MS;
  const owners = [...new Set(ownerIds)];
  const listed = async (states: readonly WithdrawState[]): Promise<readonly WithdrawOp[]> => {
    const lists = await Promise.all(
      owners.map((ownerId) => journal.list({ ownerId, states, limit: MOST_OF_OWNER })),
    );
    return lists
      .flat()
      .filter((op) => op.accountFp === accountFp && op.kind !== "cancel" && op.txid === undefined)
      .filter(({ resolution }) => resolution !== "did_not_happen")
      .filter(({ sentAt }) => (sentAt?.epochMilliseconds ?? 0) > sinceMs);
  };
  const denied = await listed(DENIED);
  if (denied.length === 0) return [];
  return [...denied, ...(await listed(UNDECIDED)), ...(await listed(DECIDED))];
};

/** Which of the withdrawals the operations may have made, those that were denied and the others. */
const fitting = async (
  { journal, hashPixKey }: Pick<MoneyNeeds, "journal" | "hashPixKey">,
  ops: readonly WithdrawOp[],
  withdrawals: readonly Withdrawal[],
): Promise<readonly DeniedMade[]> => {
  const made: DeniedMade[] = [];
  for (const op of withdrawals.length === 0 ? [] : ops) {
    const kept = await journal.pixKeyOf(op.id);
    const latestMs = op.state === "rejected" ? REFUSED_WITHIN_MS : undefined;
    for (const withdrawal of withdrawals) {
      // The clear key is erased when its owner disconnects; its hash still tells a key that is shown whole.
      const pixKey =
        kept ?? keyWritings(withdrawal.pixKey).find((value) => hashPixKey(value) === op.pixKeyHash);
      if (pixKey === undefined) continue;
      const isNew = op.preTxids?.includes(withdrawal.txid) !== true;
      if (isNew && isMatch(op, pixKey, withdrawal, latestMs)) made.push({ op, withdrawal });
    }
  }
  return made;
};

/**
 * Which of the withdrawals were made by operations that were said not to have happened, and by no other. One operation
 * made one withdrawal at most: what its owner decided by hand has the nearest that it fits, then what was denied; one
 * that was asked for before a request is that request's only if nobody else fits it.
 */
export const deniedAmong = async (
  needs: Pick<MoneyNeeds, "journal" | "hashPixKey">,
  ops: readonly WithdrawOp[],
  details: ReadonlyMap<string, Withdrawal>,
): Promise<readonly DeniedMade[]> => {
  const pairs = (await fitting(needs, ops, [...details.values()])).toSorted(
    (a, b) =>
      Number(isBeforeRequest(a.op, a.withdrawal)) - Number(isBeforeRequest(b.op, b.withdrawal)) ||
      Number(isDenied(a.op)) - Number(isDenied(b.op)) ||
      distanceMs(a.op, a.withdrawal) - distanceMs(b.op, b.withdrawal),
  );
  const open = pairs.filter(({ op }) => isUndecided(op));
  const placed = new Set(open.flatMap(({ op, withdrawal }) => [op.id, withdrawal.txid]));
  return pairs.filter(({ op, withdrawal }) => {
    if (placed.has(op.id) || placed.has(withdrawal.txid)) return false;
    placed.add(op.id).add(withdrawal.txid);
    return isDenied(op);
  });
};

/** The same, of all who connected the account. */
export const deniedOf = async (
  needs: MoneyNeeds,
  accountFp: string,
  withdrawals: readonly Withdrawal[],
): Promise<readonly DeniedMade[]> => {
  const owners = await needs.connectionsOf(accountFp);
  const ops = await deniedOps(
    needs,
    accountFp,
    owners.map(({ ownerId }) => ownerId),
  );
  return await fitting(needs, ops.filter(isDenied), withdrawals);
};

/**
 * Looks, before another withdrawal, whether the list holds one that the service refused and made all the same. A refusal
 * is the service's word, which a list that is read later may take back.
 */
export const findDenied = async (
  needs: MoneyNeeds,
  key: WalletKey,
  page: WithdrawalPage | undefined,
  lane: "interactive" | "money",
): Promise<readonly DeniedMade[]> => {
  if (page === undefined || page.items.length === 0) return [];
  const { fingerprint } = key;
  const owners = await needs.connectionsOf(fingerprint);
  const ownerIds = owners.map(({ ownerId }) => ownerId);
  const ops = await deniedOps(needs, fingerprint, ownerIds);
  if (ops.length === 0) return [];
  const claimed = await needs.journal.claimedTxids(fingerprint);
  const unclaimed = new Set(ops.filter(isDenied).flatMap((op) => newTxids(page, op, claimed)));
  const details = await Promise.all(
    [...unclaimed]
      .slice(0, MOST_DETAILS)
      .map(async (txid) => valueOf(await reading(needs.wallet.withdrawal(key, txid, lane)))),
  );
  const read = details.filter((detail) => detail !== undefined);
  return await deniedAmong(needs, ops, new Map(read.map((detail) => [detail.txid, detail])));
};

/** What stands against another withdrawal until it was said. */
export const earlierWasMade = ({ op }: DeniedMade): UserError =>
  new UserError({ kind: "earlier_was_made", opId: op.id });
