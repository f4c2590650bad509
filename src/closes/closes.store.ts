import { type RawBuilder, sql } from "kysely";
import type { Account } from "../accounts/account.ts";
import { isEntitled, isRefused } from "../accounts/account-connections.store.ts";
import type { ConsentRow } from "../accounts/accounts.store.ts";
import { recordAudit } from "../database/audit.ts";
import {
  instantOf,
  isOwnersPresence,
  storedDay,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { rowLock } from "../database/queries.ts";
import type { ClaimedDelivery } from "../delivery/delivery.ts";
import { cancelUnsettled } from "../delivery/outbox-cancel.store.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import { lockAgreed, lockRoute } from "../reports/report-ledger.store.ts";
import type { Database } from "../schema.ts";
import { cents } from "../shared/money.ts";
import { spanOf } from "../reports/sales-period.ts";
import { choicesOf, markPeriod, saveChoices } from "./close-progress.store.ts";
import { chooseDirectCloses, type CloseRecord, recordDirectClose } from "./direct-closes.store.ts";
import { lackingCloses } from "./lacking-closes.store.ts";
import { isCancelled } from "../disputes/dispute.ts";
import { MINUTE } from "../shared/time.ts";
import { paidOps } from "../withdrawals/withdraw-queries.store.ts";
import {
  type CloseActivity,
  type CloseChoices,
  type ClosePeriod,
  type CloseSeller,
  newestPeriod,
  tallyOf,
} from "./close.ts";
import type { PaidCharge } from "./fees.ts";

export type Closes = ReturnType<typeof closesStore>;

export const closesStore = (db: Database, groupCommit = createGroupCommit(db)) => ({
  /** Servers with a working route, and sellers with direct reports, who may lack a close that is due, some at a time. */
  lacking: (now: Temporal.Instant) => lackingCloses(db, now),
  sellers: sellersOf(db),
  activity: async (
    { accountFp, watchId }: Pick<Account, "accountFp" | "watchId">,
    period: Pick<ClosePeriod, "from" | "to">,
  ): Promise<Omit<CloseActivity, "withdrawals">> => {
    const span = spanOf(period);
    const [begin, end] = [storedInstant(span.from), storedInstant(span.to)];
    const refunds = await paidOps(db, accountFp, sql<boolean>`kind = 'refund'`, begin, end);
    return {
      refunds: tallyOf(refunds.map((row) => row.amount_cents ?? 0)),
      charges: await chargesOf(db, accountFp, begin, end),
      disputes: await disputesOf(db, watchId, begin, end),
      isWatched: await isWatched(db, watchId),
    };
  },
  /**
   * Enqueues a close and marks its period, in one transaction. An undefined delivery marks a period without anything to
   * tell. False, without a change, when it was settled before, is switched off, the channel has changed, or an account
   * has taken back the consent.
   */
  record: (...close: CloseRecord): Promise<boolean> =>
    groupCommit((trx) => {
      const [{ route }] = close;
      return route.target.kind === "channel"
        ? recordClose(trx, ...close)
        : recordDirectClose(trx, ...close);
    }),
  /** Deletes a server's claimed close that no earlier attempt may have posted, so that it is owed again. */
  makeAgain: ({
    dedupeKey,
    guildId,
    token,
  }: Pick<ClaimedDelivery, "dedupeKey" | "guildId" | "token">): Promise<void> =>
    db
      .transaction()
      .execute((trx) =>
        makeAgain(
          trx,
          guildId,
          sql`dedupe_key = ${dedupeKey} and token = ${token} and first_attempt_token = ${token}`,
        ),
      ),
  /** Of a server or an account. Both are on until one is switched off. */
  choices: (id: string) => choicesOf(db, id),
  /**
   * A kind that is switched on owes no close of a period that is over; one that is switched off gives up what waits; one
   * that is left out keeps its state. Audited as the admin's.
   */
  choose: (
    guildId: string,
    choices: Partial<CloseChoices>,
    actor: string,
    at: Temporal.Instant,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await saveChoices(trx, { guildId }, choices, at);
      await recordAudit(trx, { at, actor, action: "closes_chosen", subject: guildId });
    }),
  /** The same for the direct messages of an owner about a wallet account. */
  chooseDirect: (
    watchId: string,
    choices: Partial<CloseChoices>,
    at: Temporal.Instant,
  ): Promise<void> =>
    db.transaction().execute((trx) => chooseDirectCloses(trx, watchId, choices, at)),
});

/** Entitled sellers who agreed to the report before that instant and, as far as is known, are in the server. */
const sellersOf =
  (db: Database) =>
  async (guildId: string, before: Temporal.Instant): Promise<readonly CloseSeller[]> => {
    const rows = await db
      .selectFrom("account")
      .leftJoin("presence", (join) => join.on(isOwnersPresence))
      .select(["account.id", "account.owner_id", "account_fp"])
      .select(sql<number>`case when ${isRefused} then 1 else 0 end`.as("is_refused"))
      .where("account.guild_id", "=", guildId)
      .where("report_consent", "=", 1)
      .where("presence.left_at", "is", null)
      .where(isEntitled)
      .where((eb) =>
        eb.or([
          eb("report_consent_at", "is", null),
          eb("report_consent_at", "<", storedInstant(before)),
        ]),
      )
      .orderBy("connected_at")
      .orderBy("account.id")
      .execute();
    const connections = Map.groupBy(rows, (row) => row.account_fp);
    return [...connections.values()].flatMap((shared) => {
      const [first] = shared;
      if (first === undefined) return [];
      const { owner_id: ownerId, account_fp: accountFp, is_refused } = first;
      const accountIds = shared.map(({ id }) => id);
      return [{ ownerId, accountFp, isRefused: is_refused === 1, accountIds }];
    });
  };

/** Paid charges of all connections to the wallet account, if their fee is known. */
const chargesOf = async (
  db: Database,
  accountFp: string,
  begin: StoredInstant,
  end: StoredInstant,
): Promise<readonly PaidCharge[]> => {
  const rows = await db
    .selectFrom("charge")
    .innerJoin("account", "account.id", "charge.account_id")
    .select(["ended_at", "amount_cents", "fee_cents"])
    .where("account.account_fp", "=", accountFp)
    .where("state", "=", "paid")
    .where("ended_at", ">=", begin)
    .where("ended_at", "<", end)
    .orderBy("ended_at")
    .execute();
  return rows.flatMap(({ ended_at, amount_cents, fee_cents }) =>
    ended_at === null || fee_cents === null
      ? []
      : [{ at: instantOf(ended_at), amount: cents(amount_cents), fee: cents(fee_cents) }],
  );
};

/** One poll reads the disputes that a wallet account already has, and takes at most until the next. */
const FIRST_POLL_MS = 5 * MINUTE;

/** A dispute that was over when first seen belongs to an earlier time; one that was seen in the first poll is not new. */
const disputesOf = async (
  db: Database,
  watchId: string,
  begin: StoredInstant,
  end: StoredInstant,
): Promise<CloseActivity["disputes"]> => {
  const rows = await db
    .selectFrom("dispute_watch")
    .leftJoin("dispute_poll", "dispute_poll.account_id", "dispute_watch.account_id")
    .select([
      "baseline_at",
      "amount_cents",
      "status",
      "analysis_status",
      "first_seen_at",
      "closed_at",
    ])
    .where("dispute_watch.account_id", "=", watchId)
    .where((eb) =>
      eb.or([eb("closed_at", "is", null), eb("closed_at", ">", eb.ref("first_seen_at"))]),
    )
    .execute();
  const isWithin = (at: StoredInstant | null): boolean => at !== null && at >= begin && at < end;
  const msOf = (at: StoredInstant): number => instantOf(at).epochMilliseconds;
  const decided = rows.filter(
    ({ status, analysis_status: analysisStatus, closed_at: at }) =>
      isWithin(at) && !isCancelled({ status, analysisStatus }),
  );
  const amounts = (analysis: "accepted" | "rejected"): readonly number[] =>
    decided.flatMap((row) => (row.analysis_status === analysis ? [row.amount_cents] : []));
  return {
    opened: tallyOf(
      rows.flatMap(({ first_seen_at: seen, baseline_at: first, amount_cents }) => {
        const isNews = first !== null && msOf(seen) > msOf(first) + FIRST_POLL_MS;
        return isNews && isWithin(seen) ? [amount_cents] : [];
      }),
    ),
    won: tallyOf(amounts("rejected")),
    lost: tallyOf(amounts("accepted")),
  };
};

const isWatched = async (db: Database, watchId: string): Promise<boolean> => {
  const alerted = await db
    .selectFrom("account")
    .select("id")
    .where("watch_id", "=", watchId)
    .where("alerts", "!=", "off")
    .limit(1)
    .executeTakeFirst();
  return alerted !== undefined;
};

const recordClose = async (
  trx: Database,
  ...[{ route, period }, accountIds, delivery, at]: CloseRecord
): Promise<boolean> => {
  if ((await lockRoute(trx, route.guildId, delivery)) === undefined) return false;
  if (!(await lockAgreed(trx, route.guildId, accountIds))) return false;
  if (!(await markPeriod(trx, route.guildId, period))) return false;
  if (delivery !== undefined) await enqueueDelivery(trx, delivery, at);
  return true;
};

/** Deletes those of the server's unsettled closes, and takes back the marks of their periods. */
const makeAgain = async (
  trx: Database,
  guildId: string | null,
  which: RawBuilder<boolean>,
): Promise<void> => {
  // Before the posts, and the week first, as `saveChoices` and `recordClose` do: the opposite order could deadlock.
  await trx
    .selectFrom("close_progress")
    .select("kind")
    .where("progress_id", "=", guildId)
    .orderBy("kind", "desc")
    .modifyEnd(rowLock(trx, "for update"))
    .execute();
  const unsent = await trx
    .deleteFrom("outbox")
    .where("guild_id", "=", guildId)
    .where("kind", "=", sql.lit("close"))
    .where("settled_at", "is", null)
    .where(which)
    .returning(["close_kind", "day"])
    .execute();
  for (const { close_kind: kind, day } of unsent) {
    if (kind === null || day === null) continue;
    const { from } = newestPeriod(kind, Temporal.PlainDate.from(day));
    const before = storedDay(from.subtract({ days: 1 }));
    await trx
      .updateTable("close_progress")
      .set({ last_day: before })
      .where("progress_id", "=", guildId)
      .where("kind", "=", kind)
      .where("last_day", ">", before)
      .execute();
  }
};

/**
 * A seller of the server leaves the reports: closes that were never attempted are made again without the seller,
 * and attempted ones are given up. Closes from before the consent have no part of the seller.
 */
export const withdrawFromCloses = async (
  trx: Database,
  { guild_id: guildId, report_consent_at: agreedAt }: ConsentRow,
  at: Temporal.Instant,
): Promise<void> => {
  const isSince = sql<boolean>`created_at > ${agreedAt ?? ""}`;
  await makeAgain(trx, guildId, sql`${isSince} and first_attempt_at is null`);
  await cancelUnsettled(trx, { guildId }, at, "consent_withdrawn")
    .where("kind", "=", sql.lit("close"))
    .where(isSince)
    .execute();
};
