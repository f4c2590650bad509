import type { Locale } from "../shared/locale.ts";
import { type Account, type DestinationChoice, isEntitledAmong } from "./account.ts";
import type { Secret } from "../shared/secret.ts";
import type { WithdrawJournal } from "../withdrawals/withdraw-journal.store.ts";
import {
  accountOf,
  type AccountRow,
  connectionsOf,
  knownLocale,
  rowsOfWatch,
  type SharedNews,
  tellOwners,
} from "./account-connections.store.ts";
import type { ConnectionHooks } from "./accounts.store.ts";
import type { AgreedOffer, OfferEndNotice } from "./wallet-key.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { recordAudit } from "../database/audit.ts";
import { flagOf, storedFlag, storedInstant } from "../database/columns.ts";
import { deletePresence } from "./presences.store.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import {
  hasTheKeyOf,
  isConnected,
  lockAccounts,
  lockConnections,
  resumeKey,
  walletOfKey,
} from "./wallet-accounts.store.ts";
import { deleteOffersTo, endOffer, keyLast4Of } from "./key-offers.store.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import {
  deleteAcceptance,
  deleteDeliveriesOf,
  deleteRefusal,
} from "../delivery/outbox-cancel.store.ts";
import { lockReports } from "../delivery/outbox-redirect.store.ts";

/** An account as the caller gives it. The store adds the rest. Its consent is that of a first connection. */
export type SavedAccount = Omit<
  Account,
  | "id"
  | "keyLast4"
  | "keyFingerprint"
  | "accountFp"
  | "watchId"
  | "alerts"
  | "locale"
  | "pausedAt"
  | "reportDirect"
> & {
  readonly locale?: Locale | undefined;
  readonly reportDirect?: boolean;
};

/**
 * Called in the transaction that removes a connection, with the operations that it leaves without a key that can follow
 * them, and the owner's other connections.
 */
export type OnRemoval<Result> = (
  account: Account,
  left: Awaited<ReturnType<WithdrawJournal["leftUnfinished"]>>,
  others: readonly Pick<Account, "id">[],
) => Result;

/** Throws to keep the connection. */
export type RequireFinished = OnRemoval<void>;

/**
 * `walletUserId` is the service's user id for the key. `requireFinished` is called before a row is replaced. `sharedNotice`
 * is enqueued for each other owner of the wallet account, and of each for this person, who had no right to it
 * (`entitledAmong`) before: no connection, or refused keys alone.
 */
export type Saving = [
  account: SavedAccount,
  apiKey: Secret,
  walletUserId: string,
  requireFinished?: RequireFinished,
  sharedNotice?: SharedNews["sharedNotice"],
];

type OwnSaving = [...saving: Saving, offerNotice?: OfferEndNotice];

type Keep = (...given: Saving) => Promise<Account>;

interface Removal {
  /** Enqueued with the removal, for the admin of an open offer of a key, which goes with it. */
  readonly offerNotice?: OfferEndNotice | undefined;
  /** Enqueued with the removal, for an owner who is not the `actor`; made of the locked connection. */
  readonly noticeOf?: OnRemoval<NewDelivery>;
  /** Whether the answered question was about this removal; if not, the result is `changed`, without a removal. */
  readonly isAsked?: OnRemoval<boolean>;
}

/** A locked connection, with the operations and connections that `OnRemoval` names. */
const leftBy = async (
  trx: Database,
  { leftUnfinished }: ConnectionHooks,
  row: AccountRow,
): Promise<Parameters<RequireFinished>> => {
  const account = accountOf(row);
  const others = await trx
    .selectFrom("account")
    .select("id")
    .where("owner_id", "=", account.ownerId)
    .where("id", "!=", account.id)
    .execute();
  return [account, await leftUnfinished(trx)(account), others];
};

export const savesOfAccounts = (db: Database, vault: Vault, hooks: ConnectionHooks) => {
  const locked = <Saved>(work: (trx: Database, keep: Keep) => Promise<Saved>) =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      return await work(trx, (...given) => keepAccount(trx, vault, hooks, ...given));
    });
  return {
    /**
     * Updates the row of the same wallet account; the key of another wallet account gets a new row. Ends the pause of the
     * owner's connections with this key in every guild. With `offerNotice`, it ends an open offer to the owner too.
     */
    save: (...[account, apiKey, userId, requireFinished, sharedNotice, offerNotice]: OwnSaving) =>
      locked(async (trx, keep) => {
        const { guildId, ownerId, connectedAt } = account;
        if (offerNotice) await deleteOffersTo(trx, guildId, ownerId, offerNotice, connectedAt);
        return await keep(account, apiKey, userId, requireFinished, sharedNotice);
      }),
    /**
     * Like `save`, for an owner without a key in the guild, with the notice to the owner, who did not type the key.
     * Returns undefined and saves no row when the owner has a key.
     */
    saveFirst: (noticeOf: (saved: Account) => NewDelivery, ...given: Saving) =>
      locked(async (trx, keep) => {
        const [account] = given;
        if ((await rowBefore(trx, account)) !== undefined) return undefined;
        const saved = await keep(...given);
        await enqueueDelivery(trx, noticeOf(saved), account.connectedAt);
        return saved;
      }),
    /**
     * Like `save`, for a key that the owner accepts: ends its offer with it. Returns undefined and saves no row when the
     * offer has ended.
     */
    saveAgreed: ({ offer, notice }: AgreedOffer, ...given: Saving) =>
      locked(async (trx, keep) => {
        const isOpen = await endOffer(trx, offer, "accepted", notice, given[0].connectedAt);
        return isOpen ? await keep(...given) : undefined;
      }),
  };
};

/**
 * Deletes the connection with its report progress, disputes and unsent posts; deliveries that another connection owes as well
 * go over to that one, and messages about money are sent all the same. The owner's last connection also deletes PIX
 * keys, proofs and the clear keys of ended withdrawals. The journal and the owner's guards stay. Returns false when the
 * connection does not exist.
 */
export const removeAccount =
  (db: Database, hooks: ConnectionHooks) =>
  (
    guildId: string,
    ownerId: string,
    actor: string,
    at: Temporal.Instant,
    { offerNotice, noticeOf, isAsked }: Removal = {},
  ): Promise<boolean | "changed"> =>
    db.transaction().execute(async (trx) => {
      // Two removals at once must not each leave the cleanup to the other.
      await lockConnections(trx);
      const row = await lockedRow(trx, { guildId, ownerId });
      if (row === undefined) return false;
      const removal = await leftBy(trx, hooks, row);
      if (isAsked?.(...removal) === false) return "changed";
      await deleteConnection(trx, hooks, row, at);
      await deleteOffersTo(trx, guildId, ownerId, offerNotice, at);
      await deletePresence(trx, guildId, ownerId);
      if (!(await isConnected(trx, "owner_id", ownerId))) {
        for (const erase of hooks.ownerDisconnected) await erase(trx, ownerId);
      }
      if (noticeOf !== undefined) await enqueueDelivery(trx, noticeOf(...removal), at);
      await recordAudit(trx, { at, actor, action: "account_removed", subject: row.id });
      return true;
    });

/**
 * The alert choice of a saved account. The earlier choice stays for the same wallet account, or when both keys are
 * known to be the owner's: another person's alerts must not appear in a channel, or be off, without that person's
 * consent. An owner with alerts off on every other connection of the wallet account starts with alerts off.
 */
const alertsOf = (
  before: AccountRow | undefined,
  isKept: boolean,
  elsewhere: readonly Account[],
  { ownerVerified }: SavedAccount,
): DestinationChoice => {
  if (before !== undefined && (isKept || (flagOf(before.owner_verified) && ownerVerified))) {
    return before.alerts;
  }
  const isOff = elsewhere.length > 0 && elsewhere.every(({ alerts }) => alerts === "off");
  return isOff ? "off" : "direct";
};

/**
 * Consent to reports, by the locked row: it may have changed while the key was checked. It survives a new key of the
 * same wallet account. A key of another one starts the reports again if both are known to be the owner's, as days posted
 * under the old key are unknown for it; else the consent ends.
 */
const consentOf = (before: AccountRow | undefined, isKept: boolean, account: SavedAccount) => {
  if (before === undefined)
    return {
      report_consent: storedFlag(account.reportConsent),
      report_direct: storedFlag(account.reportDirect === true),
      report_consent_at: account.reportConsentAt ? storedInstant(account.reportConsentAt) : null,
    };
  const { report_consent, report_direct, report_consent_at } = before;
  if (isKept) return { report_consent, report_direct, report_consent_at };
  const isOwners = flagOf(before.owner_verified) && account.ownerVerified;
  return isOwners && (flagOf(report_consent) || flagOf(report_direct))
    ? { report_consent, report_direct, report_consent_at: storedInstant(account.connectedAt) }
    : {
        report_consent: storedFlag(false),
        report_direct: storedFlag(false),
        report_consent_at: null,
      };
};

const replaceAccount = async (
  db: Database,
  hooks: ConnectionHooks,
  before: AccountRow | undefined,
  row: AccountRow,
  at: Temporal.Instant,
): Promise<void> => {
  const carried = [];
  if (before !== undefined) {
    for (const carryOver of hooks.replaced) carried.push(await carryOver(db, before.id));
    await deleteConnection(db, hooks, before, at);
  }
  await db.insertInto("account").values(row).execute();
  for (const start of hooks.watchStarted) await start(db, row.watch_id, at);
  for (const keep of carried) await keep(row.id);
};

const rowBefore = (
  trx: Database,
  { guildId, ownerId }: Pick<Account, "guildId" | "ownerId">,
): Promise<AccountRow | undefined> =>
  trx
    .selectFrom("account")
    .selectAll()
    .where("guild_id", "=", guildId)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();

/**
 * Locks the row with its whole watch. Posts that are written at the same time for a connection that goes are then there
 * to be handed over or, written later, find the connection gone.
 */
const lockedRow = async (
  trx: Database,
  place: Pick<Account, "guildId" | "ownerId">,
): Promise<AccountRow | undefined> => {
  await lockAccounts(trx, (eb) =>
    eb("watch_id", "in", (inner) =>
      inner
        .selectFrom("account as own")
        .select("own.watch_id")
        .where("own.guild_id", "=", place.guildId)
        .where("own.owner_id", "=", place.ownerId),
    ),
  );
  return await rowBefore(trx, place);
};

/**
 * Saves the account of a guild and owner. Runs in the caller's transaction, which holds `lockConnections`.
 * A key of the same wallet account updates the row: report progress, posts, alert choice, dispute history and the place
 * among the account's connections by age stay, and unfinished operations continue with the new key. A key of another
 * wallet account replaces the row: only the reported days carry over, and the alert choice if both keys are known to be
 * the owner's.
 */
const keepAccount = async (
  trx: Database,
  vault: Vault,
  hooks: ConnectionHooks,
  ...[account, apiKey, walletUserId, requireFinished, sharedNotice]: Saving
): Promise<Account> => {
  const { ownerId, connectedAt: at, connectedBy: actor } = account;
  const fingerprint = vault.fingerprint(apiKey);
  const accountFp = await walletOfKey(trx, fingerprint, vault.hashWalletUser(walletUserId));
  const before = await lockedRow(trx, account);
  const kept = before?.account_fp === accountFp ? before : undefined;
  if (before !== undefined && kept === undefined)
    requireFinished?.(...(await leftBy(trx, hooks, before)));
  const all = await connectionsOf(trx, accountFp);
  const hadRight = isEntitledAmong(all, ownerId);
  const owned = all.filter((each) => each.ownerId === ownerId);
  const id = kept?.id ?? vault.newRowId();
  const row: AccountRow = {
    id,
    guild_id: account.guildId,
    owner_id: ownerId,
    connected_by: actor,
    api_key: vault.seal({ rowId: id, ownerId }, apiKey),
    api_key_kid: vault.currentKid,
    key_last4: keyLast4Of(apiKey),
    key_fingerprint: fingerprint,
    account_fp: accountFp,
    watch_id: kept?.watch_id ?? owned[0]?.watchId ?? id,
    owner_verified: storedFlag(account.ownerVerified),
    ...consentOf(before, kept !== undefined, account),
    alerts: alertsOf(before, kept !== undefined, owned, account),
    locale: account.locale ?? (await knownLocale(trx, ownerId)),
    report_time: before?.report_time ?? null,
    paused_at: null,
    connected_at: kept?.connected_at ?? storedInstant(at),
  };
  if (kept === undefined) await replaceAccount(trx, hooks, before, row, at);
  else await trx.updateTable("account").set(row).where("id", "=", kept.id).execute();
  // The message about another key goes with a connection that still has it, and may no longer be about the last one.
  for (const handOver of hooks.keySaved) await handOver(trx, row.id, kept ?? row);
  if (kept !== undefined) await deleteRefusal(trx, kept);
  await resumeKey(trx, row.id);
  // It would be about the key of before, and its deletion stand for the message that this one is refused.
  await deleteAcceptance(trx, hasTheKeyOf(row.id));
  await sealElsewhere(trx, vault, row, apiKey);
  for (const resume of hooks.keyWorks) await resume(trx, accountFp, at);
  // Owners type a key in the guild: the last answer about membership is out of date. An admin's key may be accepted from
  // outside.
  if (actor === ownerId) await deletePresence(trx, account.guildId, ownerId);
  await recordAudit(trx, { at, actor, action: "account_connected", subject: row.id });
  const saved = accountOf(row);
  if (!hadRight && sharedNotice !== undefined) await tellOwners(trx, saved, { at, sharedNotice });
  return saved;
};

/**
 * The key in the owner's other connections, whose line of the ring may be lost, also where the present line has its
 * name. Call after `resumeKey`, which locks them.
 */
const sealElsewhere = async (trx: Database, vault: Vault, row: AccountRow, apiKey: Secret) => {
  const others = trx.selectFrom("account").select("id").where(hasTheKeyOf(row.id));
  const { currentKid: kid } = vault;
  for (const { id } of await others.where("id", "<>", row.id).execute()) {
    const sealed = vault.seal({ rowId: id, ownerId: row.owner_id }, apiKey);
    const set = { api_key: sealed, api_key_kid: kid };
    await trx.updateTable("account").set(set).where("id", "=", id).execute();
  }
};

/**
 * Removes one connection, in the caller's transaction, which has called `lockConnections` and `lockedRow`. Another
 * connection of the owner to the same wallet account takes over its work; with the last one the watch is deleted too.
 */
const deleteConnection = async (
  trx: Database,
  hooks: ConnectionHooks,
  row: AccountRow,
  at: Temporal.Instant,
): Promise<void> => {
  await lockReports(trx, row.guild_id);
  const rows = await rowsOfWatch(trx, row.watch_id);
  const other = rows.find(({ id }) => id !== row.id);
  if (other !== undefined)
    for (const handOver of hooks.handedOver) await handOver(trx, row.id, other, at);
  await trx.deleteFrom("account").where("id", "=", row.id).execute();
  if (other === undefined) for (const end of hooks.watchEnded) await end(trx, row.watch_id);
  for (const end of hooks.removed) await end(trx, row, at);
  await deleteDeliveriesOf(trx, row);
  if (!(await isConnected(trx, "account_fp", row.account_fp)))
    for (const erase of hooks.walletDisconnected) await erase(trx, row.account_fp);
  // The reports of the server lose the seller. Who never agreed is in none of them.
  if (flagOf(row.report_consent))
    for (const leave of hooks.consentWithdrawn) await leave(trx, row, at);
};
