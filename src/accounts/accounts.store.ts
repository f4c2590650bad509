import type { Locale } from "../shared/locale.ts";
import { sql } from "kysely";
import type { Secret } from "../shared/secret.ts";
import { type Account, type DestinationChoice, isEntitledAmong, reportChoice } from "./account.ts";
import type { WithdrawJournal } from "../withdrawals/withdraw-journal.store.ts";
import { type NewDelivery } from "../delivery/delivery.ts";
import { reportKinds } from "../delivery/delivery-policies.ts";
import type { ReportAudience } from "../reports/report-route.ts";
import {
  accountConnections,
  accountOf,
  type AccountRow,
  accountWithKey,
  apiKeyOf,
  connectionsOf,
  firstOpened,
  rowsOfWatch,
  type SharedNews,
  tellOwners,
} from "./account-connections.store.ts";
import { removeAccount, savesOfAccounts } from "./accounts-write.store.ts";
import { recordAudit } from "../database/audit.ts";
import { compileOnce, rowLock } from "../database/queries.ts";
import {
  calendarDayOf,
  instantOf,
  isOwnersPresence,
  optionalInstantOf,
  storedDay,
  storedFlag,
  storedInstant,
} from "../database/columns.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import {
  cancelDeliveries,
  deleteAcceptance,
  handOverDirectReports,
} from "../delivery/outbox-cancel.store.ts";
import { lockReports } from "../delivery/outbox-redirect.store.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import {
  hasTheKeyOf,
  knownWallet,
  lockAccounts,
  lockConnections,
  resumeKey,
} from "./wallet-accounts.store.ts";

export type AccountsStore = ReturnType<typeof createAccountsStore>;

type OnEvent<Facts extends readonly unknown[]> = readonly ((
  trx: Database,
  ...facts: Facts
) => Promise<unknown>)[];

export type ConsentRow = Pick<AccountRow, "guild_id" | "id" | "report_consent_at">;

/**
 * Changes of other capabilities' rows when a connection changes: in the transaction of the change, each list in its
 * order. `stores.ts` names them.
 */
export interface ConnectionHooks {
  readonly leftUnfinished: (trx: Database) => WithdrawJournal["leftUnfinished"];
  /** A connection was saved under the watch, as its first one or a further one. */
  readonly watchStarted: OnEvent<[watchId: string, at: Temporal.Instant]>;
  /** A key of another wallet account replaces the connection. The result writes to the new connection's rows. */
  readonly replaced: readonly ((
    trx: Database,
    accountId: string,
  ) => Promise<(newAccountId: string) => Promise<void>>)[];
  /** Another connection of the same owner and wallet account takes over unfinished work. */
  readonly handedOver: OnEvent<[fromAccountId: string, to: AccountRow, at: Temporal.Instant]>;
  /** A key is in the connection, its first one or in the place of another of the same wallet account; `row`: of before then. */
  readonly keySaved: OnEvent<[accountId: string, row: AccountRow]>;
  /** An owner wants a connection's alerts in no channel. `told` is the watch's connection that receives alerts now. */
  readonly alertsChosen: OnEvent<[accountId: string, told: AccountRow, at: Temporal.Instant]>;
  /** An owner's last connection to a wallet account was removed. */
  readonly watchEnded: OnEvent<[watchId: string]>;
  /** A connection to a wallet account was removed, the last one or not. Its unsent deliveries go after that. */
  readonly removed: OnEvent<
    [connection: Pick<AccountRow, "account_fp" | "id" | "owner_id">, at: Temporal.Instant]
  >;
  /** A seller agrees to the report of a server, or wants their own one by direct message. */
  readonly consentGiven: OnEvent<[accountFp: string, at: Temporal.Instant]>;
  /** A key was saved at `at`, or one that was refused at `at` works again: days unread since are due. */
  readonly keyWorks: OnEvent<[accountFp: string, at: Temporal.Instant]>;
  /** A further connection to a wallet account gets the direct reports that another one has. */
  readonly directShared: OnEvent<[accountId: string, otherId: string]>;
  /** A seller takes back the consent to the report of a server, or leaves having given it. */
  readonly consentWithdrawn: OnEvent<[seller: ConsentRow, at: Temporal.Instant]>;
  /** The last connection to a wallet account was removed. */
  readonly walletDisconnected: OnEvent<[accountFp: string]>;
  /** An owner's last connection was removed. */
  readonly ownerDisconnected: OnEvent<[ownerId: string]>;
}

/** `hooks` change other capabilities' rows; see `stores.ts`. */
export const createAccountsStore = (db: Database, vault: Vault, hooks: ConnectionHooks) => {
  const byOwner = compileOnce(
    db,
    db.selectFrom("account").selectAll().where("guild_id", "=", "").where("owner_id", "=", ""),
  );
  const byId = compileOnce(db, db.selectFrom("account").selectAll().where("id", "=", ""));
  const one = async <Value>(
    rows: Promise<readonly AccountRow[]>,
    read: (row: AccountRow) => Value,
  ): Promise<Value | undefined> => {
    const [row] = await rows;
    return row && read(row);
  };
  const withKey = (row: AccountRow) => accountWithKey(row, vault);

  return {
    ...accountConnections(db, vault),
    find: (guildId: string, ownerId: string) => one(byOwner(guildId, ownerId), accountOf),
    findById: (accountId: string) => one(byId(accountId), accountOf),
    /** One query, because every command asks. @throws StoreError unreadable_secret */
    findWithKey: (guildId: string, ownerId: string) => one(byOwner(guildId, ownerId), withKey),
    /** @throws StoreError unreadable_secret */
    findByIdWithKey: (accountId: string) => one(byId(accountId), withKey),
    /**
     * The connection's key. Where the ring does not open it: an accepted one of the owner's other connections to the
     * wallet account. @throws StoreError unreadable_secret
     */
    apiKey: async (accountId: string): Promise<Secret | undefined> => {
      const [row] = await byId(accountId);
      try {
        return row && apiKeyOf(row, vault);
      } catch (error) {
        const all = row === undefined ? [] : await rowsOfWatch(db, row.watch_id);
        const accepted = all.filter(({ paused_at }) => paused_at === null);
        const opened = firstOpened(accepted, vault);
        if (opened === undefined) throw error;
        return opened.apiKey;
      }
    },
    knownWallet: (keyFingerprint: string) => knownWallet(db, keyFingerprint),
    ...savesOfAccounts(db, vault, hooks),
    remove: removeAccount(db, hooks),
    chooseReport: chooseReport(db, hooks),
    setAlerts: chooseAlerts(db, hooks),
    /** Sets the language of messages in all connections of the owner. */
    setLocale: (ownerId: string, locale: Locale): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await lockAccounts(trx, (eb) => eb("owner_id", "=", ownerId));
        await trx.updateTable("account").set({ locale }).where("owner_id", "=", ownerId).execute();
      }),
    pause: pauseAccount(db),
    resume: resumeAccount(db, hooks),
    audience: async (guildId: string): Promise<ReportAudience> => {
      const row = await db
        .selectFrom("account")
        .leftJoin("report_progress", "report_progress.account_id", "account.id")
        .leftJoin("presence", (join) => join.on(isOwnersPresence))
        .select([
          ({ fn }) => fn.countAll<number>().as("connected"),
          sql<number>`count(case when account.report_consent = 1 then 1 end)`.as("consenting"),
          sql<number>`count(case when ${isAgreed} then 1 end)`.as("present"),
          settledDay.as("settled_day"),
          agreedAt.as("agreed_at"),
        ])
        .where("account.guild_id", "=", guildId)
        .executeTakeFirstOrThrow();
      const { connected, consenting, present, settled_day: settled } = row;
      return {
        connected,
        consenting,
        settledDay: settled ? Temporal.PlainDate.from(settled) : undefined,
        agreedAt: optionalInstantOf(row.agreed_at),
        onHold: settled !== null || consenting === 0 ? undefined : present > 0 ? "refused" : "left",
      };
    },
  };
};

/** Reports leave out sellers who are known to have left the server. */
const isAgreed = sql`account.report_consent = 1 and presence.left_at is null`;
const isReported = sql`${isAgreed} and account.paused_at is null`;

/** Oldest last-reported day of these accounts; empty when one has no reported day yet, null without an account. */
const settledDay = sql<string | null>`min(case when ${isReported}
  then coalesce(report_progress.last_day, '') end)`;

const agreedAt = sql<string | null>`max(case when ${isReported} then report_consent_at end)`;

const AUDITED = {
  channel: "report_consent_given",
  direct: "direct_report_chosen",
  off: "report_consent_withdrawn",
} as const;

/** A connection of the owner to the same wallet account that has direct reports: their settings are one. */
const otherDirect = (trx: Database, row: { readonly id: string; readonly watch_id: string }) =>
  trx
    .selectFrom("account")
    .select(["id", "report_time"])
    .where("watch_id", "=", row.watch_id)
    .where("report_direct", "=", 1)
    .where("id", "<>", row.id)
    .orderBy("id")
    .executeTakeFirst();

/** The days that the channel had before the consent are not owed to it, also once its hour is later. */
const leavePostedDays = async (
  trx: Database,
  { id, guild_id: guildId }: Pick<AccountRow, "guild_id" | "id">,
): Promise<void> => {
  const route = await trx
    .selectFrom("report_route")
    .select("posted_day")
    .where("guild_id", "=", guildId)
    .executeTakeFirst();
  if (!route?.posted_day) return;
  const { posted_day: posted } = route;
  const first_day = storedDay(calendarDayOf(posted).add({ days: 1 }));
  await trx
    .insertInto("report_progress")
    .values({ account_id: id, first_day, last_day: posted, corrections_told: null })
    .onConflict((conflict) =>
      conflict
        .column("account_id")
        .doUpdateSet({ first_day, last_day: posted })
        .where("report_progress.last_day", "<", posted),
    )
    .execute();
};

/**
 * Where the owner's daily report goes: with the others into the guild's channel, which is the consent to it, alone to
 * the owner, or nowhere. A change also cancels the unsent reports of the earlier choice. `locale` is the owner's.
 */
const chooseReport =
  (db: Database, hooks: ConnectionHooks) =>
  (
    guildId: string,
    ownerId: string,
    choice: DestinationChoice,
    at: Temporal.Instant,
    locale?: Locale,
  ): Promise<Account | undefined> =>
    db.transaction().execute(async (trx) => {
      const row = await trx
        .selectFrom("account")
        .selectAll()
        .where("guild_id", "=", guildId)
        .where("owner_id", "=", ownerId)
        .modifyEnd(rowLock(trx, "for update"))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const before = reportChoice(accountOf(row));
      // Its date tells that the question is answered.
      const isFirstRefusal = choice === "off" && row.report_consent_at === null;
      // A repeated choice keeps its first date: the days owed since then would be lost.
      if (before === choice && !isFirstRefusal) return accountOf(row);
      await lockReports(trx, guildId);
      const other = choice === "direct" ? await otherDirect(trx, row) : undefined;
      const after = await trx
        .updateTable("account")
        .set({
          ...(other !== undefined && { report_time: other.report_time }),
          report_consent: storedFlag(choice === "channel"),
          report_direct: storedFlag(choice === "direct"),
          ...((choice !== "off" || isFirstRefusal) && { report_consent_at: storedInstant(at) }),
          ...(locale !== undefined && { locale }),
        })
        .where("id", "=", row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      if (before === "direct") {
        await handOverDirectReports(trx, row.id, row);
        // Direct messages marked these days, which the channel has not seen.
        await trx.deleteFrom("report_progress").where("account_id", "=", row.id).execute();
      }
      if (choice === "channel") await leavePostedDays(trx, row);
      if (before !== "off")
        await cancelDeliveries(trx, reportKinds, { accountId: row.id }, at, "consent_withdrawn");
      if (before === "channel")
        for (const leave of hooks.consentWithdrawn) await leave(trx, row, at);
      if (other !== undefined)
        for (const share of hooks.directShared) await share(trx, row.id, other.id);
      if (choice !== "off")
        for (const start of hooks.consentGiven) await start(trx, row.account_fp, at);
      const action = AUDITED[choice];
      await recordAudit(trx, { at, actor: ownerId, action, subject: row.id });
      return accountOf(after);
    });

/**
 * Pauses the owner's connections with the same key, in every guild. True, with the notice enqueued, for the first
 * caller; false while they are paused, and where another key than `keyFingerprint` was connected meanwhile.
 */
const pauseAccount =
  (db: Database) =>
  (
    accountId: string,
    at: Temporal.Instant,
    notice: NewDelivery,
    keyFingerprint?: string,
  ): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const which = hasTheKeyOf(accountId);
      await lockAccounts(trx, which);
      const { numUpdatedRows } = await trx
        .updateTable("account")
        .set({ paused_at: storedInstant(at) })
        .where(which)
        .where("paused_at", "is", null)
        .$if(keyFingerprint !== undefined, (query) =>
          query.where("key_fingerprint", "=", keyFingerprint ?? ""),
        )
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      // Its owner knows it as refused as long as the message that it was accepted in between is unsent.
      if (!(await deleteAcceptance(trx, which))) await enqueueDelivery(trx, notice, at);
      return true;
    });

/** With `news`, owners are told of each other where another person connected the wallet account in between. */
const resumeAccount =
  (db: Database, hooks: ConnectionHooks) =>
  (accountId: string, news?: SharedNews): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await lockConnections(trx);
      const row = await trx
        .selectFrom("account")
        .selectAll()
        .where("id", "=", accountId)
        .executeTakeFirst();
      if (row === undefined) return;
      const hadRight = isEntitledAmong(await connectionsOf(trx, row.account_fp), row.owner_id);
      const refused = await resumeKey(trx, accountId);
      if (refused === undefined) return;
      const refusedAt = instantOf(refused.paused_at);
      for (const resume of hooks.keyWorks) await resume(trx, refused.account_fp, refusedAt);
      if (!hadRight && news !== undefined) await tellOwners(trx, accountOf(row), news);
      if (news?.accepted !== undefined && refused.isTold)
        await enqueueDelivery(trx, news.accepted, news.at);
    });

/**
 * `direct` also redirects alerts that wait for a channel to the owner. `off` cancels unsent alerts; their disputes
 * owe them again once alerts are switched on. `locale` is the owner's. Returns undefined when the account does not
 * exist.
 */
const chooseAlerts =
  (db: Database, hooks: ConnectionHooks) =>
  (
    guildId: string,
    ownerId: string,
    alerts: DestinationChoice,
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
      if (alerts !== "channel")
        for (const apply of hooks.alertsChosen) await apply(trx, row.id, told, at);
      await recordAudit(trx, { at, actor: ownerId, action: "alerts_chosen", subject: row.id });
      return accountOf(row);
    });
