import type { Account } from "../accounts/account.ts";
import type { AccountsStore } from "../accounts/accounts.store.ts";
import { type Connection, connectionOfAsker } from "../accounts/asker.service.ts";
import type { WalletKey } from "../accounts/wallet-key.ts";
import type { Vault } from "../database/vault.ts";
import { type SalesPeriod, spanOf } from "../reports/sales-period.ts";
import type { SalesPeriodsService } from "../reports/sales-periods.service.ts";
import { settled, supportCodesOf, valueOf } from "../shared/settled.ts";
import type { WalletClient } from "../wallet/client.ts";
import {
  distanceMs,
  isFullyDatedNewestFirst,
  isListedBeside,
  isMatch,
  operationsOf,
  SETTLED_MS,
} from "../withdrawals/reconcile.ts";
import { comparePixKeys, isDefinite, keyWritings } from "../withdrawals/pix-key.ts";
import type { WithdrawJournal } from "../withdrawals/withdraw-journal.store.ts";
import type { ListedWithdrawal, Withdrawal } from "../withdrawals/withdrawal.ts";
import { takenAmount, type WithdrawOp } from "../withdrawals/withdraw-op.ts";
import {
  type AccountingFacts,
  type AccountingWithdrawal,
  type Elsewhere,
  MOST_DETAILS,
  type PaidWithdrawals,
} from "./accounting.ts";
import { type Clock, earliestOf, HOUR, msBetween } from "../shared/time.ts";
import { keepNewest } from "../shared/keep-newest.ts";

interface AskedDetail {
  readonly at: Temporal.Instant;
  /** Undefined: it could not be read, or may still change. Such a one is asked for again, after the others. */
  readonly detail: Withdrawal | undefined;
}

/** Details that presses of the last hour asked for, by account and txid, oldest first: each press reads further ones. */
export type AskedDetails = Map<string, AskedDetail>;

const ASKED_KEPT = 2_000;
const ASKED_MS = HOUR;
const LASTING: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"]);

export interface WithdrawalSources extends Pick<Vault, "hashPixKey"> {
  readonly journal: Pick<
    WithdrawJournal,
    "completedBetween" | "openOf" | "claimantsOf" | "pixKeyOf"
  >;
  readonly askedDetails: AskedDetails;
  readonly clock: Clock;
  readonly wallet: Pick<WalletClient, "withdrawals" | "withdrawal">;
}

interface AccountingNeeds extends WithdrawalSources {
  readonly accounts: Pick<AccountsStore, "findWithKey">;
  readonly readPeriod: SalesPeriodsService["period"];
}

export const createAccountingFiles = (needs: AccountingNeeds) => ({
  /**
   * Sales and withdrawals of the asker's account in a period.
   * @throws UserError not_connected
   * @throws WalletError when no figure of the period is known
   */
  facts: async (guildId: string, userId: string, period: SalesPeriod): Promise<AccountingFacts> => {
    const asker = { guildId, userId };
    for (let before = await connectionOfAsker(needs.accounts, asker); ;) {
      const reading = await needs.readPeriod(guildId, userId, period);
      // Only now: the reading may have taught which wallet account the key belongs to.
      const connection = await connectionOfAsker(needs.accounts, asker);
      if (connection.account.id === before.account.id)
        return {
          reading,
          keyLast4: connection.account.keyLast4,
          ...(await paidWithdrawals(needs, connection, period)),
        };
      // A key of another wallet account was connected during it: the sales may be those of the one before.
      before = connection;
    }
  },
});

type Window = ReturnType<typeof spanOf>;

const isWithin = (at: Temporal.Instant, { from, to }: Window): boolean =>
  Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0;

/** The period's withdrawals for files and closes alike. */
export const paidWithdrawals = async (
  needs: WithdrawalSources,
  { account, key }: Connection,
  period: Pick<SalesPeriod, "from" | "to">,
): Promise<PaidWithdrawals> => {
  const window = spanOf(period);
  const [here, open] = await Promise.all([
    madeHere(needs, account, window),
    needs.journal.openOf(account.accountFp),
  ]);
  const others = await madeElsewhere(needs, key, window, here.flatMap(confirmedIn));
  const joined = await joinConfirmed(needs, here, others.withdrawals);
  const underWay = open.filter(
    ({ sentAt }) => sentAt !== undefined && Temporal.Instant.compare(sentAt, window.to) < 0,
  );
  return {
    withdrawals: joined.withdrawals
      .filter(({ at }) => isWithin(at, window))
      .toSorted((one, other) => Temporal.Instant.compare(one.at, other.at)),
    underWay: underWay.length,
    elsewhere:
      others.elsewhere.kind === "unread"
        ? others.elsewhere
        : { ...others.elsewhere, unclear: others.elsewhere.unclear + joined.unclear },
  };
};

/** The journal's withdrawals, also shortly before and after: their owner may have confirmed them by hand. */
const madeHere = async (
  { journal }: Pick<WithdrawalSources, "journal">,
  { accountFp, ownerId }: Pick<Account, "accountFp" | "ownerId">,
  { from, to }: Window,
): Promise<readonly AccountingWithdrawal[]> => {
  const margin = { milliseconds: SETTLED_MS };
  const paid = await journal.completedBetween(accountFp, from.subtract(margin), to.add(margin));
  return paid.map(({ op, at }) => {
    const { fee, net, txid } = op;
    const code = op.ownerId === ownerId ? op.id : undefined;
    return { at, amount: takenAmount(op), fee, net, txid, op, code, detail: undefined };
  });
};

/** The operation of a row that its owner confirmed by hand: the journal has no txid for it. */
const confirmedIn = ({ op }: Pick<AccountingWithdrawal, "op">): readonly WithdrawOp[] =>
  op !== undefined && op.txid === undefined ? [op] : [];

/** States in which no money has arrived; a word that we do not know may mean that it has. */
const UNPAID: ReadonlySet<string> = new Set(["scheduled", "processing", "failed", "cancelled"]);

interface ReadElsewhere {
  readonly withdrawals: readonly AccountingWithdrawal[];
  readonly elsewhere: Elsewhere;
}

/**
 * Withdrawals of the service's list that no operation of ours made, and those that may be a `confirmed` one: their
 * details are read first, as only these tell; then those that may be of another period. An unreadable list proves no
 * withdrawal.
 */
const madeElsewhere = async (
  { journal, askedDetails, clock, wallet }: WithdrawalSources,
  key: WalletKey,
  window: Window,
  confirmed: readonly WithdrawOp[],
): Promise<ReadElsewhere> => {
  const read = await settled(wallet.withdrawals(key, "interactive"));
  const [supportCode] = supportCodesOf([read]);
  if (!read.ok) return { withdrawals: [], elsewhere: { kind: "unread", supportCode } };
  const { items } = read.value;
  const listed = items.map(({ txid }) => txid);
  const claimed = await journal.claimantsOf(key.fingerprint, listed);
  const mayBeConfirmed = (each: ListedWithdrawal): boolean =>
    confirmed.some((op) => isListedBeside(op, each));
  const now = clock.now();
  for (const [name, { at }] of askedDetails)
    if (msBetween(at, now) > ASKED_MS) askedDetails.delete(name);
  const nameOf = ({ txid }: ListedWithdrawal): string => `${key.fingerprint}|${txid}`;
  const turnOf = (each: ListedWithdrawal): number => {
    if (askedDetails.has(nameOf(each))) return 3;
    if (mayBeConfirmed(each)) return 0;
    return isWellWithin(each, window) ? 2 : 1;
  };
  const open = items
    .filter(({ txid, status }) => !claimed.has(txid) && !UNPAID.has(status ?? ""))
    .filter((each) => mayBeOf(each, window) || mayBeConfirmed(each))
    .toSorted((one, other) => turnOf(one) - turnOf(other));
  const known = new Map(open.map((each) => [each, askedDetails.get(nameOf(each))?.detail]));
  const unread = open.filter((each) => known.get(each) === undefined);
  const ask = async (each: ListedWithdrawal): Promise<void> => {
    const detail = valueOf(await settled(wallet.withdrawal(key, each.txid, "interactive")));
    known.set(each, detail);
    const lasting = detail && LASTING.has(detail.status) ? detail : undefined;
    keepNewest(askedDetails, nameOf(each), { at: now, detail: lasting }, ASKED_KEPT);
  };
  await Promise.all(unread.slice(0, MOST_DETAILS).map(ask));
  const found = open.map((listed) => paidElsewhere(listed, known.get(listed), window));
  return {
    withdrawals: found.flatMap((each) => (typeof each === "string" ? [] : [each])),
    elsewhere: {
      kind: "read",
      since: isFullyDatedNewestFirst({ items })
        ? earliestOf(items.map(({ requestedAt }) => requestedAt))
        : "unordered",
      unclear: found.filter((each) => each === "unclear").length,
      left: Math.max(0, unread.length - MOST_DETAILS),
    },
  };
};

const mayBeOf = ({ requestedAt }: ListedWithdrawal, { from, to }: Window): boolean =>
  requestedAt === undefined ||
  isWithin(requestedAt, { from: from.subtract({ milliseconds: SETTLED_MS }), to });

/** Whether it belongs to the period by the list alone: it was asked for there, and time enough before its end. */
const isWellWithin = ({ requestedAt }: ListedWithdrawal, { from, to }: Window): boolean =>
  requestedAt !== undefined &&
  isWithin(requestedAt, { from, to: to.subtract({ milliseconds: SETTLED_MS }) });

const paidElsewhere = (
  listed: ListedWithdrawal,
  detail: Withdrawal | undefined,
  window: Window,
): AccountingWithdrawal | "unclear" | "unpaid" => {
  const { txid, requestedAt, amount } = listed;
  const rest = { txid, op: undefined, code: undefined, detail };
  if (detail !== undefined) {
    const { fee, net, status, completedAt } = detail;
    if (status !== "completed") return UNPAID.has(status) ? "unpaid" : "unclear";
    return { ...rest, at: completedAt ?? detail.requestedAt, amount: detail.amount, fee, net };
  }
  // Its end belongs to a later period.
  if (requestedAt !== undefined && Temporal.Instant.compare(requestedAt, window.to) >= 0)
    return "unpaid";
  if (listed.status !== "completed" || requestedAt === undefined) return "unclear";
  if (!isWithin(requestedAt, window)) return "unclear";
  return { ...rest, at: requestedAt, amount, fee: undefined, net: undefined };
};

/**
 * One row for each withdrawal that its owner confirmed by hand: the journal has no txid for it, so the service's list
 * shows it as made elsewhere. While none of those that were read is it, one that was not read may be.
 */
const joinConfirmed = async (
  { journal, hashPixKey }: Pick<WithdrawalSources, "hashPixKey" | "journal">,
  here: readonly AccountingWithdrawal[],
  elsewhere: readonly AccountingWithdrawal[],
): Promise<{ readonly withdrawals: readonly AccountingWithdrawal[]; readonly unclear: number }> => {
  const confirmed = here.flatMap(confirmedIn);
  const fitting = new Map<WithdrawOp, readonly AccountingWithdrawal[]>();
  for (const op of confirmed) {
    const kept = await journal.pixKeyOf(op.id);
    // A key that may be ours leaves amount, speed and time to go by.
    const keyOf = ({ pixKey }: Withdrawal): string | undefined => {
      if (kept !== undefined) return comparePixKeys(kept, pixKey) === "unclear" ? pixKey : kept;
      const ours = keyWritings(pixKey).find((value) => hashPixKey(value) === op.pixKeyHash);
      return ours ?? (isDefinite(pixKey) ? undefined : pixKey);
    };
    const nearestFirst = elsewhere
      .flatMap((other) => (other.detail === undefined ? [] : [{ other, detail: other.detail }]))
      .filter(({ detail }) => {
        const pixKey = keyOf(detail);
        return pixKey !== undefined && isMatch(op, pixKey, detail);
      })
      .toSorted((one, other) => distanceMs(op, one.detail) - distanceMs(op, other.detail))
      .map(({ other }) => other);
    fitting.set(op, nearestFirst);
  }
  const opOf = operationsOf(fitting);
  const rowOf = new Map([...opOf].map(([row, op]) => [op, row]));
  const unmatched = confirmed.filter((op) => !rowOf.has(op));
  const isUnclear = ({ detail, amount, at: requestedAt }: AccountingWithdrawal): boolean =>
    detail === undefined && unmatched.some((op) => isListedBeside(op, { amount, requestedAt }));
  const left = elsewhere.filter((row) => !opOf.has(row));
  return {
    withdrawals: [
      ...here.map(({ op, code, ...row }) => ({ ...row, ...(op && rowOf.get(op)), op, code })),
      ...left.filter((each) => !isUnclear(each)),
    ],
    unclear: left.filter(isUnclear).length,
  };
};
