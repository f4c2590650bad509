import { type Insertable, sql } from "kysely";
import {
  cardKey,
  type Charge,
  type ChargeChange,
  type ChargeState,
  FOLLOWED_MS,
  LONGEST_LATE_PAUSE_MS,
  LONGEST_OPEN_PAUSE_MS,
} from "./charge.ts";
import { chargeOf, type ChargeTable, chargeColumns, putOff } from "./charge-tables.store.ts";
import { amongIds, inSmall, smallForms } from "../shared/ids.ts";
import { optionalInstantOf, smallTxid, storedInstant } from "../database/columns.ts";
import { deleteInSlices, inList, lockDueRows, lockName, rowLock } from "../database/queries.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import type { Database } from "../schema.ts";

export type Charges = ReturnType<typeof chargesStore>;

/** The description is text of its seller, as the service has it too; no payer is stored. */
export const chargesStore = (db: Database) => ({
  /** False when the interaction has a charge already, or the connection is gone. */
  begin: async (
    charge: Omit<Charge, "version" | "checks" | "card" | "endedAt">,
    interactionId: string,
  ): Promise<boolean> => {
    const row: Insertable<ChargeTable> = {
      ...chargeColumns(charge),
      id: charge.id,
      version: 0,
      owner_id: charge.ownerId,
      account_id: charge.accountId,
      guild_id: charge.guildId,
      channel_id: charge.channelId,
      interaction_id: interactionId,
      locale: charge.locale,
      card_locale: charge.cardLocale,
      amount_cents: charge.amount,
      description: charge.description,
      state: charge.state,
      created_at: storedInstant(charge.createdAt),
      checks: 0,
    };
    const columns = Object.keys(row) as (keyof ChargeTable)[];
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("charge")
      .columns(columns)
      .expression((eb) =>
        eb
          .selectFrom("account")
          .select(columns.map((column) => eb.val(row[column]).as(column)))
          .where("account.id", "=", charge.accountId)
          // Its removal waits, and then finds the charge.
          .modifyEnd(rowLock(db, "for share")),
      )
      .onConflict((conflict) => conflict.column("interaction_id").doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },
  /**
   * Changes a charge and enqueues deliveries in one transaction. Undefined, without changes, when `version` is no longer
   * the charge's, or another charge of the wallet account has the txid. A change without a state only puts the charge off: a
   * look that was asked for since it was read is kept.
   */
  change: (
    { id, version, nextCheckAt }: Pick<Charge, "id" | "nextCheckAt" | "version">,
    change: ChargeChange,
    deliveries: readonly NewDelivery[],
    at: Temporal.Instant,
  ): Promise<Charge | undefined> =>
    db.transaction().execute(async (trx) => {
      if (change.txid !== undefined && (await isTaken(trx, id, change.txid))) return undefined;
      const row = await trx
        .updateTable("charge")
        .set((eb) => ({
          ...chargeColumns(change),
          ...(change.state === undefined && putOff(nextCheckAt, change)),
          version: eb("version", "+", 1),
        }))
        .where("id", "=", id)
        .where("version", "=", version)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return undefined;
      await enqueueDeliveries(trx, deliveries, at);
      return chargeOf(row);
    }),
  find: async (id: string): Promise<Charge | undefined> => {
    const row = await db.selectFrom("charge").selectAll().where("id", "=", id).executeTakeFirst();
    return row && chargeOf(row);
  },
  /**
   * Charges to look at: those that `followed` names, and those that a clock that was set back put off; held until `now` and
   * `holdMs` later. Their versions stay: of two looks at one charge the first change counts.
   */
  claimDue: (
    now: Temporal.Instant,
    limit: number,
    holdMs: number,
    except?: readonly string[],
  ): Promise<readonly Charge[]> =>
    db.transaction().execute(async (trx) => {
      const left = now.subtract({ milliseconds: FOLLOWED_MS });
      const charges = followed(trx, except, left).select("id");
      const isOpen = sql<boolean>`state in (${sql.join(endlessStates.map((state) => sql.lit(state)))})`;
      const due = await lockDueRows(
        trx,
        { next: "next_check_at", id: "id" },
        { rows: charges, longestWaitMs: LONGEST_LATE_PAUSE_MS },
        now,
        limit,
        { rows: charges.where(isOpen), longestWaitMs: LONGEST_OPEN_PAUSE_MS },
      );
      const ids = due.map(({ id }) => id);
      if (ids.length === 0) return [];
      const rows = await trx
        .updateTable("charge")
        .set({ next_check_at: storedInstant(now.add({ milliseconds: holdMs })) })
        .where("id", "in", inList(trx, ids))
        .returningAll()
        .execute();
      return rows
        .map(chargeOf)
        .toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    }),
  /** Number of charges without an end, of an owner's connections to one wallet account. */
  countOpen: async (watchId: string): Promise<number> => {
    const { count } = await db
      .selectFrom("charge")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("account_id", "in", (eb) =>
        eb.selectFrom("account").select("account.id").where("watch_id", "=", watchId),
      )
      .where("state", "in", endlessStates)
      .executeTakeFirstOrThrow();
    return count;
  },
  nextCheckAt: async (except?: readonly string[]): Promise<Temporal.Instant | undefined> => {
    // Not a minimum, for which PostgreSQL joins all connections.
    const next = await followed(db, except)
      .select("next_check_at")
      .orderBy("next_check_at")
      .limit(1)
      .executeTakeFirst();
    return next && optionalInstantOf(next.next_check_at);
  },
  /**
   * Makes the open charges of these connections due, if their txids are known. Lost and expired ones keep the times of
   * their few looks, which calls about other sales would use up within half a minute.
   */
  makeDue: async (accountIds: readonly string[], at: Temporal.Instant): Promise<void> => {
    await db
      .updateTable("charge")
      .set({ next_check_at: storedInstant(at) })
      .where("account_id", "in", inList(db, accountIds))
      .where("next_check_at", ">", storedInstant(at))
      .where("state", "=", "open")
      .where("txid", "is not", null)
      .execute();
  },
  /** Txids, of the given ones, that charges of the connection's wallet account have; those in `state` alone if given. */
  claimed: async (accountId: string, txids: readonly string[], state?: ChargeState) => {
    const charges = withTxids(db, accountId, txids).select("txid");
    const rows = await (state ? charges.where("state", "=", state) : charges).execute();
    return new Set(txids.filter(amongIds(rows.flatMap(({ txid }) => txid ?? []))));
  },
  /** Notes where the card was posted. */
  posted: async (id: string, channelId: string, messageId: string): Promise<void> => {
    await db
      .updateTable("charge")
      .set({ card_channel_id: channelId, card_message_id: messageId, card_state: "open" })
      .where("id", "=", id)
      .where("card_message_id", "is", null)
      .execute();
  },
  /** Charges with a posted card that still shows an earlier state. `except`: channels whose cards are left out. */
  staleCards: async (limit: number, except: readonly string[] = []): Promise<readonly Charge[]> => {
    const rows = await db
      .selectFrom("charge")
      .selectAll()
      // The words of the partial index.
      .where(sql<boolean>`card_state is not null and card_state <> state`)
      .where("card_channel_id", "not in", inList(db, except))
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(chargeOf);
  },
  cardShows: async (id: string, state: ChargeState): Promise<void> => {
    await db.updateTable("charge").set({ card_state: state }).where("id", "=", id).execute();
    await db.deleteFrom("charge").where("id", "=", id).where("owner_id", "=", "").execute();
  },
  purge: async (createdBefore: Temporal.Instant, stopping?: AbortSignal): Promise<void> => {
    const isOld = sql<boolean>`created_at < ${storedInstant(createdBefore)}`;
    await deleteInSlices(db, "charge", ["id"], isOld, stopping);
  },
});

/**
 * Charges of sellers with a working key of their wallet account, or that were made by `leftAt` and have no end.
 * `except`: connections whose charges are left out.
 */
const followed = (db: Database, except: readonly string[] = [], leftAt?: Temporal.Instant) =>
  db
    .selectFrom("charge")
    .where("next_check_at", "is not", null)
    .where("account_id", "not in", inList(db, except))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("account as own")
          .innerJoin("account as reader", "reader.watch_id", "own.watch_id")
          .select("reader.id")
          .whereRef("own.id", "=", "charge.account_id")
          .where((eb) => {
            const works = eb("reader.paused_at", "is", null);
            if (leftAt === undefined) return works;
            const isOld = eb("charge.created_at", "<=", storedInstant(leftAt));
            return works.or(isOld.and("charge.state", "in", endlessStates));
          }),
      ),
    );

/** Charges with one of these txids of the connection's wallet account, to which each guild has a connection of its own. */
const withTxids = (db: Database, accountId: string, txids: readonly string[]) => {
  const sameWallet = db
    .selectFrom("account as own")
    .innerJoin("account as one", "one.account_fp", "own.account_fp")
    .select("one.id")
    .where("own.id", "=", accountId);
  return db
    .selectFrom("charge")
    .where((eb) => eb.or([eb("account_id", "=", accountId), eb("account_id", "in", sameWallet)]))
    .where("txid", "is not", null)
    .where(smallTxid, "in", inList(db, smallForms(txids)));
};

/** Whether another charge of the wallet account has the txid, which stays free for this one until the transaction ends. */
const isTaken = async (trx: Database, id: string, txid: string): Promise<boolean> => {
  // The unique index covers one connection of the wallet account.
  await lockName(trx, `charge_txid|${inSmall(txid)}`);
  const charge = await trx
    .selectFrom("charge")
    .select("account_id")
    .where("id", "=", id)
    .executeTakeFirst();
  if (charge === undefined) return false;
  const other = withTxids(trx, charge.account_id, [txid]).select("id").where("id", "<>", id);
  return (await other.executeTakeFirst()) !== undefined;
};

/** Another connection of the same owner and wallet account takes over. */
export const handOverCharges = async (
  trx: Database,
  fromAccountId: string,
  to: { readonly id: string },
): Promise<void> => {
  const taken = trx
    .selectFrom("charge")
    .select("txid")
    .where("account_id", "=", to.id)
    .where("txid", "is not", null);
  await trx
    .updateTable("charge")
    .set({ account_id: to.id })
    .where("account_id", "=", fromAccountId)
    .where((eb) => eb.or([eb("txid", "is", null), eb("txid", "not in", taken)]))
    .execute();
};

/** States before the end of a charge. */
const endlessStates = ["creating", "unknown", "open"] as const satisfies readonly ChargeState[];

/** Without a connection no look can find the end of a charge: its card must not go on asking for money. */
export const leaveCharges = async (
  db: Database,
  { id }: { readonly id: string },
): Promise<void> => {
  await db
    .updateTable("charge")
    .set((eb) => ({ state: "unfollowed", next_check_at: null, version: eb("version", "+", 1) }))
    .where("account_id", "=", id)
    .where("state", "in", endlessStates)
    .execute();
};

/**
 * A charge whose posted card shows another state stays, without its owner's id and words, until the card was edited, and
 * one whose card may have been posted until that is known. Call after the owner's deliveries were deleted.
 */
export const deleteChargesOf = async (db: Database, ownerId: string): Promise<void> => {
  await db
    .deleteFrom("charge")
    .where("owner_id", "=", ownerId)
    .where(sql<boolean>`(card_state is null or card_state = state)`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("outbox")
            .select("outbox.dedupe_key")
            .where("outbox.dedupe_key", "=", sql<string>`${cardKey({ id: "" })} || charge.id`)
            .where("outbox.settled_at", "is", null),
        ),
      ),
    )
    .execute();
  await db
    .updateTable("charge")
    .set({ owner_id: "", description: "" })
    .where("owner_id", "=", ownerId)
    .execute();
};
