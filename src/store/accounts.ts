import type { Locale } from "../shared/locale.ts";
import { sql } from "kysely";
import type { Account } from "../domain/account.ts";
import type { NewDelivery } from "../domain/delivery.ts";
import type { AlertChoice } from "../domain/dispute-alert.ts";
import type { ReportAudience } from "../domain/report-route.ts";
import type { Secret } from "../shared/secret.ts";
import {
  type AccountConnections,
  accountConnections,
  accountOf,
  type AccountWithKey,
  accountWithKey,
  keyOf,
  rowsOfWatch,
} from "./account-connections.ts";
import {
  learnWallet,
  removeAccount,
  saveAccount,
  type SavedAccount,
  saveFirstAccount,
} from "./accounts-write.ts";
import { recordAudit } from "./audit.ts";
import { builtOnce, rowLock } from "./queries.ts";
import { storedFlag, storedInstant } from "./columns.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { cancelDeliveries, cancelWaitingAlerts, giveAlertsTo } from "./outbox-cancel.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { redirectAlertsToOwners } from "./outbox-redirect.ts";
import { lockConnections } from "./wallet-accounts.ts";

export interface AccountsStore extends AccountConnections {
  readonly find: (guildId: string, ownerId: string) => Promise<Account | undefined>;
  readonly findById: (accountId: string) => Promise<Account | undefined>;
  /** One query: asked for every command. @throws StoreError unreadable_secret */
  readonly findWithKey: (guildId: string, ownerId: string) => Promise<AccountWithKey | undefined>;
  /** @throws StoreError unreadable_secret */
  readonly apiKey: (accountId: string) => Promise<Secret | undefined>;
  /**
   * Keeps the row of the same wallet account; a key of another one gets a new row. `walletUserId`: what the service calls
   * the key's account; undefined while nobody asked.
   */
  readonly save: (account: SavedAccount, apiKey: Secret, walletUserId?: string) => Promise<Account>;
  /** The same for an owner who has no key in the guild; undefined, with nothing kept, for one who has. */
  readonly saveFirst: (
    account: SavedAccount,
    apiKey: Secret,
    walletUserId?: string,
  ) => Promise<Account | undefined>;
  /** The service said whose the account's key is: what is kept under the key comes under the wallet account. */
  readonly learn: (account: Account, walletUserId: string, at: Temporal.Instant) => Promise<void>;
  /** Connections whose wallet account is not known yet and whose key works. */
  readonly unlearnt: () => Promise<readonly Account[]>;
  /**
   * With its progress, its disputes and what it was still to be told; the owner's last connection also with the owner's PIX keys,
   * proofs and the clear keys of ended withdrawals. Their journal stays, and so do the owner's guards. False when there was none.
   */
  readonly remove: (
    guildId: string,
    ownerId: string,
    actor: string,
    at: Temporal.Instant,
    /** Owed with the removal: to an owner who did not do it. */
    notice?: NewDelivery,
  ) => Promise<boolean>;
  /** Withdrawn consent also withdraws the reports that were not posted yet. */
  readonly setReportConsent: (
    guildId: string,
    ownerId: string,
    consent: boolean,
    at: Temporal.Instant,
  ) => Promise<Account | undefined>;
  /**
   * `direct` also turns alerts that wait for a channel to the owner; `off` takes back those that were not posted
   * yet, which are owed again when alerts are wanted again.
   * `locale` is the owner's, kept with the choice. Undefined: there is no such account.
   */
  readonly setAlerts: (
    guildId: string,
    ownerId: string,
    alerts: AlertChoice,
    at: Temporal.Instant,
    locale?: Locale,
  ) => Promise<Account | undefined>;
  /**
   * Pauses the owner's connections by the same key, in every guild. True, with the notice enqueued, for the first that
   * asks; false while they are paused.
   */
  readonly pause: (
    accountId: string,
    at: Temporal.Instant,
    notice: NewDelivery,
  ) => Promise<boolean>;
  readonly resume: (accountId: string) => Promise<void>;
  /** Sellers of a guild. */
  readonly audience: (guildId: string) => Promise<ReportAudience>;
}

/** Oldest of the last days of those whose key works; empty when one of them has none yet. */
const settledDay = sql<string | null>`min(case when account.paused_at is null
  then coalesce(report_progress.last_day, '') end)`;

const changeConsent = (
  db: Database,
  guildId: string,
  ownerId: string,
  consent: boolean,
  at: Temporal.Instant,
): Promise<Account | undefined> =>
  db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom("account")
      .selectAll()
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .modifyEnd(rowLock(trx, "for update"))
      .executeTakeFirst();
    if (before === undefined) return undefined;
    // Agreeing again must not move the beginning: days owed since the first consent would be lost.
    if (before.report_consent === storedFlag(consent)) return accountOf(before);
    const after = await trx
      .updateTable("account")
      .set({
        report_consent: storedFlag(consent),
        ...(consent && { report_consent_at: storedInstant(at) }),
      })
      .where("id", "=", before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (!consent)
      await cancelDeliveries(
        trx,
        "sales_report",
        { accountId: before.id },
        at,
        "consent_withdrawn",
      );
    const action = consent ? "report_consent_given" : "report_consent_withdrawn";
    await recordAudit(trx, { at, actor: ownerId, action, subject: before.id });
    return accountOf(after);
  });

/** The owner's connections by one key, in every guild: what the service says of the key holds for all of them. */
const withTheKeyOf = (db: Database, accountId: string) =>
  db.updateTable("account").where(
    (eb) => eb.refTuple("owner_id", "key_fingerprint"),
    "in",
    (eb) =>
      eb
        .selectFrom("account as one")
        .select(["one.owner_id", "one.key_fingerprint"])
        .where("one.id", "=", accountId)
        .$asTuple("owner_id", "key_fingerprint"),
  );

const pauseAccount = (
  db: Database,
  accountId: string,
  at: Temporal.Instant,
  notice: NewDelivery,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await withTheKeyOf(trx, accountId)
      .set({ paused_at: storedInstant(at) })
      .where("paused_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await enqueueDelivery(trx, notice, at);
    return true;
  });

export const accountsStore = (db: Database, vault: Vault): AccountsStore => {
  const byOwner = builtOnce(
    db,
    db.selectFrom("account").selectAll().where("guild_id", "=", "").where("owner_id", "=", ""),
  );
  const rowOfOwner = async (guildId: string, ownerId: string) => {
    const [row] = await byOwner(guildId, ownerId);
    return row;
  };
  const byId = builtOnce(db, db.selectFrom("account").selectAll().where("id", "=", ""));
  const rowOf = async (accountId: string) => {
    const [row] = await byId(accountId);
    return row;
  };

  return {
    ...accountConnections(db, vault),
    find: async (guildId, ownerId) => {
      const row = await rowOfOwner(guildId, ownerId);
      return row && accountOf(row);
    },
    findById: async (accountId) => {
      const row = await rowOf(accountId);
      return row && accountOf(row);
    },
    findWithKey: async (guildId, ownerId) => {
      const row = await rowOfOwner(guildId, ownerId);
      return row && accountWithKey(row, vault);
    },
    apiKey: async (accountId) => {
      const row = await rowOf(accountId);
      return row && keyOf(row, vault);
    },
    save: (account, apiKey, walletUserId) => saveAccount(db, vault, account, apiKey, walletUserId),
    saveFirst: (account, apiKey, walletUserId) =>
      saveFirstAccount(db, vault, account, apiKey, walletUserId),
    learn: (account, walletUserId, at) => learnWallet(db, vault, account, walletUserId, at),
    unlearnt: async () => {
      const rows = await db
        .selectFrom("account")
        .selectAll()
        .whereRef("account_fp", "=", "key_fingerprint")
        .where("paused_at", "is", null)
        .execute();
      // In the order of ids SQLite would read all rows one by one to find these few.
      return rows.map(accountOf).sort((one, other) => (one.id < other.id ? -1 : 1));
    },
    remove: (guildId, ownerId, actor, at, notice) =>
      removeAccount(db, guildId, ownerId, actor, at, notice),
    setReportConsent: (guildId, ownerId, consent, at) =>
      changeConsent(db, guildId, ownerId, consent, at),
    setAlerts: (guildId, ownerId, alerts, at, locale) =>
      chooseAlerts(db, guildId, ownerId, alerts, at, locale),
    pause: (accountId, at, notice) => pauseAccount(db, accountId, at, notice),
    resume: async (accountId) => {
      await withTheKeyOf(db, accountId).set({ paused_at: null }).execute();
    },
    audience: async (guildId) => {
      const rows = await db
        .selectFrom("account")
        .leftJoin("report_progress", "report_progress.account_id", "account.id")
        .select([
          "report_consent",
          ({ fn }) => fn.countAll<number>().as("sellers"),
          settledDay.as("settled_day"),
        ])
        .where("guild_id", "=", guildId)
        .groupBy("report_consent")
        .execute();
      const agreed = rows.find((row) => row.report_consent === 1);
      const consenting = agreed?.sellers ?? 0;
      const others = rows.find((row) => row.report_consent === 0)?.sellers ?? 0;
      return {
        connected: consenting + others,
        consenting,
        settledDay: agreed?.settled_day ? Temporal.PlainDate.from(agreed.settled_day) : undefined,
      };
    },
  };
};

/** `AccountsStore.setAlerts`. */
const chooseAlerts = (
  db: Database,
  guildId: string,
  ownerId: string,
  alerts: AlertChoice,
  at: Temporal.Instant,
  locale?: Locale,
): Promise<Account | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockConnections(trx);
    const row = await trx
      .updateTable("account")
      .set({ alerts, ...(locale !== undefined && { locale }) })
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const [told = row] = await rowsOfWatch(trx, row.watch_id);
    if (told.alerts === "off") await cancelWaitingAlerts(trx, row.watch_id, at, "alerts_off");
    // Another connection of the owner's still wants them.
    else if (alerts !== "channel") await redirectAlertsToOwners(trx, { accountId: row.id });
    if (alerts === "off" && told.id !== row.id) await giveAlertsTo(trx, row.id, told);
    await recordAudit(trx, { at, actor: ownerId, action: "alerts_chosen", subject: row.id });
    return accountOf(row);
  });
