import { sql } from "kysely";
import { accountOf, type AccountRow } from "../accounts/account-connections.store.ts";
import { lockAccounts } from "../accounts/wallet-accounts.store.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import type { SaleDestination } from "./sale-notice.ts";
import { LONGEST_PACE_MS, type SaleWatch, type SeenSale, type WatchState } from "./sale-watch.ts";
import { instantOf, optionalInstantOf, storedInstant } from "../database/columns.ts";
import { createGroupCommit } from "../database/group-commit.ts";
import { compilePerDatabase, inList, lockDueRows, rowLock } from "../database/queries.ts";
import { latestRestore } from "../database/storage-state.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import {
  saleWatchOf,
  saveSeen,
  type SeenByLook,
  seenRows,
  storedState,
} from "./sale-tables.store.ts";
import { destinationsOf } from "./sale-connections.store.ts";
import type { Database } from "../schema.ts";
import type { Account } from "../accounts/account.ts";

/** A claimed look at a wallet account. */
export interface DueLook {
  readonly watch: SaleWatch;
  /** A consenting connection whose key the service accepts. */
  readonly reader: Account;
  readonly destinations: readonly SaleDestination[];
  /** Newest time at which an older copy of the database was put back, if the list was not read to its end since. */
  readonly restoredAt: Temporal.Instant | undefined;
}

/** Result of a look. */
export interface DoneLook extends SeenByLook {
  readonly claimed: SaleWatch;
  readonly after: WatchState;
  readonly nextLookAt: Temporal.Instant;
  readonly deliveries: readonly NewDelivery[];
}

export type SaleWatches = ReturnType<typeof saleWatches>;

/** Wallet accounts whose sales are watched. */
export const saleWatches = (db: Database, groupCommit = createGroupCommit(db)) => ({
  claim: claim(db),
  seen: async (
    accountFp: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, SeenSale>> => {
    if (keys.length === 0) return new Map();
    const rows = await seenRows(db, accountFp, JSON.stringify(keys));
    return new Map(rows.map((row) => [row.sale_key, { state: row.state, at: instantOf(row.at) }]));
  },
  /** Times of told sales since then, newest first, at most `limit`. */
  toldSince: async (
    accountFp: string,
    at: Temporal.Instant,
    limit: number,
  ): Promise<readonly Temporal.Instant[]> => {
    const rows = await db
      .selectFrom("sale_seen")
      .select("at")
      .where("account_fp", "=", accountFp)
      .where("at", ">=", storedInstant(at))
      .where("state", "=", "approved")
      .orderBy("at", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => instantOf(row.at));
  },
  /** Oldest time of the charges since `at` that await their payment. */
  awaitedSince: async (
    accountFp: string,
    at: Temporal.Instant,
  ): Promise<Temporal.Instant | undefined> => {
    const [row] = await oldestAwaited(db, accountFp, storedInstant(at), "pending");
    return optionalInstantOf(row?.oldest ?? null);
  },
  /**
   * Stores the seen sales, the next look and the deliveries that tell it, all in one transaction. False, without a
   * change, when the claim was lost. Deliveries to destinations that were given up meanwhile are left out; those to a
   * channel that was changed go to the new one.
   */
  record: (done: DoneLook, at: Temporal.Instant): Promise<boolean> =>
    groupCommit((trx) => record(trx, done, at)),
  /** Ends the claim of a look that was not made. A call that came since the claim makes it due all the same. */
  putOff: async (
    { accountFp, heldUntil, nextLookAt: claimedFor }: SaleWatch,
    nextLookAt: Temporal.Instant,
  ): Promise<void> => {
    if (heldUntil === undefined) return;
    await db
      .updateTable("sale_watch")
      .set((eb) => ({
        next_look_at: eb
          .case()
          .when("next_look_at", "=", storedInstant(claimedFor))
          .then(storedInstant(nextLookAt))
          .else(eb.ref("next_look_at"))
          .end(),
        held_until: null,
      }))
      .where("account_fp", "=", accountFp)
      .where("held_until", "=", storedInstant(heldUntil))
      .execute();
  },
  /** Ends the claims of all processes: call at the start of the only process of a database. */
  release: async (): Promise<void> => {
    await db
      .updateTable("sale_watch")
      .set({ held_until: null })
      .where("held_until", "is not", null)
      .execute();
  },
  /** Makes the wallet account due at once. False when its sales are not watched. */
  makeDue: async (accountFp: string, at: Temporal.Instant): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("sale_watch")
      .set({ next_look_at: storedInstant(at), called_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  /** Brings the account's next look forward to `at`, without a call. */
  bringForward: async (accountFp: string, at: Temporal.Instant): Promise<void> => {
    await db
      .updateTable("sale_watch")
      .set({ next_look_at: storedInstant(at) })
      .where("account_fp", "=", accountFp)
      .where("next_look_at", ">", storedInstant(at))
      .execute();
  },
  /** When the next look after `now` is due; undefined without one. */
  nextDueAt: async (now: Temporal.Instant): Promise<Temporal.Instant | undefined> => {
    const row = await db
      .selectFrom("sale_watch")
      .select("next_look_at")
      .where("next_look_at", ">", storedInstant(now))
      .orderBy("next_look_at")
      .limit(1)
      .executeTakeFirst();
    return row && instantOf(row.next_look_at);
  },
  find: async (accountFp: string): Promise<SaleWatch | undefined> => {
    const row = await db
      .selectFrom("sale_watch")
      .selectAll()
      .where("account_fp", "=", accountFp)
      .executeTakeFirst();
    return row && saleWatchOf(row);
  },
  /** Whether a connection's key is refused and no other with a destination reads the sales for its owner. */
  waits: async ({
    accountFp,
    id,
    pausedAt,
  }: Pick<Account, "accountFp" | "id" | "pausedAt">): Promise<boolean> => {
    if (pausedAt === undefined) return false;
    const { rows = [] } = (await destinationsOf(db, [accountFp])).get(accountFp) ?? {};
    return readerOf(rows) === undefined || rows.every((row) => row.id !== id);
  },
});

const oldestAwaited = compilePerDatabase((db) =>
  db
    .selectFrom("sale_seen")
    .select(({ fn }) => fn.min<string | null>("at").as("oldest"))
    .where("account_fp", "=", "")
    .where("at", ">=", "")
    .where("state", "=", "pending"),
);

const lockedWatch = compilePerDatabase((db) =>
  db
    .selectFrom("sale_watch")
    .selectAll()
    .where("account_fp", "=", "")
    .modifyEnd(rowLock(db, "for update")),
);

/** Parameters: the next look, the state, and the wallet account. */
const endClaim = compilePerDatabase((db) =>
  db
    .updateTable("sale_watch")
    .set({ next_look_at: "", state: "", held_until: sql`null` })
    .where("account_fp", "=", ""),
);

const readerOf = (rows: readonly AccountRow[]): AccountRow | undefined =>
  rows.find((row) => row.paused_at === null);

/** Watches with a consenting connection whose key works, that no process holds. */
const claimable = (trx: Database, now: Temporal.Instant) =>
  trx
    .selectFrom("sale_watch")
    .selectAll()
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("account")
          .innerJoin("sale_choice", "sale_choice.account_id", "account.id")
          .select("account.id")
          .whereRef("account.account_fp", "=", "sale_watch.account_fp")
          .where("account.paused_at", "is", null),
      ),
    )
    .where((eb) =>
      eb.or([
        eb("held_until", "is", null),
        eb("held_until", "<=", storedInstant(now)),
        // Held before a clock was set back.
        eb("held_until", ">", storedInstant(now.add({ milliseconds: LONGEST_PACE_MS }))),
      ]),
    );

/** Claims the looks that are due, and holds each for `holdMs`. */
const claim =
  (db: Database) =>
  (now: Temporal.Instant, limit: number, holdMs: number): Promise<readonly DueLook[]> =>
    db.transaction().execute(async (trx) => {
      const due = await lockDueRows(
        trx,
        { next: "next_look_at", id: "account_fp" },
        { rows: claimable(trx, now), longestWaitMs: LONGEST_PACE_MS },
        now,
        limit,
      );
      if (due.length === 0) return [];
      const held = storedInstant(now.add({ milliseconds: holdMs }));
      const fps = due.map((row) => row.account_fp);
      await trx
        .updateTable("sale_watch")
        .set({ held_until: held })
        .where("account_fp", "in", inList(trx, fps))
        .execute();
      const found = await destinationsOf(trx, fps);
      const restoredAt = (await latestRestore(trx))?.noticedAt;
      return due.flatMap((row) => {
        const watch = saleWatchOf({ ...row, held_until: held });
        const { rows = [], destinations = [] } = found.get(row.account_fp) ?? {};
        const reader = readerOf(rows);
        if (reader === undefined) return [];
        const unread = restoredAt && unreadSince(watch, restoredAt);
        return [
          {
            watch: unread ?? watch,
            reader: accountOf(reader),
            destinations,
            restoredAt: unread && restoredAt,
          },
        ];
      });
    });

/**
 * Undefined where the list was read since then, with the pages that a look had left to further ones. Otherwise older sales
 * that were last read before are due: a refund among them may have been told as well.
 */
const unreadSince = (watch: SaleWatch, at: Temporal.Instant): SaleWatch | undefined => {
  const { baselineAt, lookedAt, resume, readTo, deepResume, deepAt, report } = watch;
  const isBefore = (each: Temporal.Instant | undefined): boolean =>
    each !== undefined && Temporal.Instant.compare(each, at) < 0;
  const isDeepOld = deepAt === undefined || isBefore(deepAt);
  const isLeft =
    (resume !== undefined && isBefore(readTo)) ||
    // The report stood in for the list from the first look on.
    ((deepResume !== undefined || report?.isPassed === false) && isDeepOld);
  if (!isBefore(lookedAt) && !isLeft) return undefined;
  return baselineAt !== undefined && isDeepOld ? { ...watch, deepAt: undefined } : watch;
};

/**
 * The deliveries that are wanted still, to where they are wanted now. A direct message reaches its seller alone, who may
 * have gone over to the channel.
 */
const stillWanted = (
  deliveries: readonly NewDelivery[],
  destinations: readonly SaleDestination[],
): readonly NewDelivery[] =>
  deliveries.flatMap((delivery) => {
    const wanted = destinations.find(({ accountId }) => accountId === delivery.accountId);
    if (wanted === undefined) return [];
    if (delivery.target.kind === "person") return [delivery];
    return wanted.target.kind === "channel" ? [{ ...delivery, target: wanted.target }] : [];
  });

/**
 * Keeps channels and connections of the deliveries until the transaction ends: their change redirects or cancels what is
 * stored by then.
 */
const lockDestinations = async (
  trx: Database,
  deliveries: readonly NewDelivery[],
): Promise<void> => {
  if (deliveries.length === 0) return;
  const guilds = deliveries.flatMap(({ guildId }) => guildId ?? []);
  await trx
    .selectFrom("sale_route")
    .select("guild_id")
    .where("guild_id", "in", inList(trx, guilds))
    .orderBy("guild_id")
    .modifyEnd(rowLock(trx, "for share"))
    .execute();
  const accounts = deliveries.flatMap(({ accountId }) => accountId ?? []);
  await lockAccounts(trx, (eb) => eb("id", "in", inList(trx, accounts)), "for share");
};

/** The claim fences it: another process that took the account since then has changed `held_until`. */
const record = async (trx: Database, done: DoneLook, at: Temporal.Instant): Promise<boolean> => {
  const { claimed, after, nextLookAt, deliveries } = done;
  const { accountFp, heldUntil } = claimed;
  // Before the watch, as changes of a channel and of a consent do: the opposite order could deadlock.
  await lockDestinations(trx, deliveries);
  const [row] = await lockedWatch(trx, accountFp);
  if (row === undefined || heldUntil === undefined) return false;
  if (row.held_until !== storedInstant(heldUntil)) return false;
  await saveSeen(trx, accountFp, done);
  if (deliveries.length > 0) {
    const { destinations = [] } = (await destinationsOf(trx, [accountFp])).get(accountFp) ?? {};
    await enqueueDeliveries(trx, stillWanted(deliveries, destinations), at);
  }
  // A call that came during the look makes the account due again.
  const wasWoken = row.next_look_at !== storedInstant(claimed.nextLookAt);
  const next = wasWoken ? row.next_look_at : storedInstant(nextLookAt);
  await endClaim(trx, next, storedState(after), accountFp);
  return true;
};
