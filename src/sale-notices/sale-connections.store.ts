import { sql } from "kysely";
import {
  type AccountRow,
  hasAcceptedKey,
  hasOthers,
  isEntitled,
} from "../accounts/account-connections.store.ts";
import type { SaleDestination } from "./sale-notice.ts";
import { newWatch } from "./sale-watch.ts";
import {
  flagOf,
  instantOf,
  isOwnersPresence,
  storedFlag,
  storedInstant,
} from "../database/columns.ts";
import { storedState } from "./sale-tables.store.ts";
import type { Database } from "../schema.ts";
import { deleteInSlices, inList, rowLock } from "../database/queries.ts";
import { cents } from "../shared/money.ts";

/** Consenting connections with a destination: direct messages, or a channel that is open. */
const destinationRows = (db: Database) =>
  db
    .selectFrom("sale_choice")
    .innerJoin("account", "account.id", "sale_choice.account_id")
    .leftJoin("sale_route", "sale_route.guild_id", "account.guild_id")
    .selectAll("account")
    .select([
      "sale_choice.choice",
      "sale_choice.since as choice_since",
      "sale_route.channel_id",
      "sale_route.minimum_cents",
      "sale_route.locale as route_locale",
    ])
    .where((eb) =>
      eb.or([
        eb("sale_choice.choice", "=", "direct"),
        eb.and([eb("sale_route.active", "=", 1), eb("sale_route.suspended_at", "is", null)]),
      ]),
    );

type DestinationRow = Awaited<ReturnType<ReturnType<typeof destinationRows>["execute"]>>[number] & {
  /** A boolean in PostgreSQL, 0 or 1 in SQLite. */
  readonly has_others: unknown;
};

const destinationOf = (row: DestinationRow): SaleDestination => {
  const { channel_id: channelId } = row;
  const inChannel = row.choice === "channel" && channelId !== null;
  return {
    accountId: row.id,
    ownerId: row.owner_id,
    guildId: row.guild_id,
    target: inChannel ? { kind: "channel", channelId } : { kind: "person", userId: row.owner_id },
    minimum: cents(inChannel ? (row.minimum_cents ?? 0) : 0),
    since: instantOf(row.choice_since),
    locale: (inChannel ? row.route_locale : (row.locale ?? row.route_locale)) ?? "pt-BR",
    directKey: !inChannel && Boolean(row.has_others) ? row.key_last4 : undefined,
  };
};

interface Destinations {
  readonly rows: readonly AccountRow[];
  readonly destinations: readonly SaleDestination[];
}

/** Destinations of each wallet account's entitled owners, oldest connection first. */
export const destinationsOf = async (
  db: Database,
  accountFps: readonly string[],
): Promise<ReadonlyMap<string, Destinations>> => {
  const rows: readonly DestinationRow[] = await destinationRows(db)
    .select(hasOthers.as("has_others"))
    .where("account.account_fp", "in", inList(db, accountFps))
    .where(isEntitled)
    .orderBy("account.connected_at")
    .orderBy("account.id")
    .execute();
  const groups = Map.groupBy(rows, (row) => row.account_fp);
  return new Map(
    [...groups].map(([fp, group]) => [fp, { rows: group, destinations: group.map(destinationOf) }]),
  );
};

/**
 * Begins the watch of wallet accounts that now have a destination, also of a refused key, which may work again, and ends
 * it for those that have none.
 */
export const syncWatches = async (
  trx: Database,
  accountFps: readonly string[],
  at: Temporal.Instant,
): Promise<void> => {
  const rows = await destinationRows(trx)
    .where("account.account_fp", "in", inList(trx, accountFps))
    .execute();
  const wanted = new Set(rows.map((row) => row.account_fp));
  for (const accountFp of [...accountFps].toSorted()) {
    if (!wanted.has(accountFp)) {
      // A single cascade over the sales of days would block SQLite's thread.
      const ofAccount = sql<boolean>`account_fp = ${accountFp}`;
      await deleteInSlices(trx, "sale_seen", ["account_fp", "sale_key"], ofAccount, undefined);
      await trx.deleteFrom("sale_watch").where("account_fp", "=", accountFp).execute();
      continue;
    }
    await trx
      .insertInto("sale_watch")
      .values({
        account_fp: accountFp,
        next_look_at: storedInstant(at),
        called_at: null,
        held_until: null,
        state: storedState(newWatch(at)),
      })
      .onConflict((conflict) => conflict.column("account_fp").doNothing())
      .execute();
  }
};

/**
 * The owner's choice stays with a key of another wallet account if both keys are known to be the owner's, as the
 * consent to reports does; sales count from the new connection on.
 */
export const carryOverSaleChoice = async (
  trx: Database,
  accountId: string,
): Promise<(newAccountId: string) => Promise<void>> => {
  const row = await trx
    .selectFrom("sale_choice")
    .innerJoin("account", "account.id", "sale_choice.account_id")
    .select(["choice", "owner_verified"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return async (newAccountId) => {
    if (row === undefined || !flagOf(row.owner_verified)) return;
    const to = await trx
      .selectFrom("account")
      .select(["account_fp", "connected_at"])
      .where("id", "=", newAccountId)
      .where("owner_verified", "=", storedFlag(true))
      .executeTakeFirst();
    if (to === undefined) return;
    const { choice } = row;
    const chosen = { account_id: newAccountId, choice, since: to.connected_at };
    await trx.insertInto("sale_choice").values(chosen).execute();
    await syncWatches(trx, [to.account_fp], instantOf(to.connected_at));
  };
};

/**
 * Hands a connection's unsent notices to another one that had agreed to the same destination when they were written:
 * sellers of one wallet account share a notice in a channel, and a seller's connections share one by direct message. In
 * a channel it then names the other seller, who must not be known to have left, and must have a key that the service
 * accepts. A notice in flight may go out as it was.
 * @returns keys of the notices that were handed over
 */
export const handOverSaleNotices = async (
  trx: Database,
  from: Pick<AccountRow, "account_fp" | "id" | "owner_id">,
): Promise<readonly string[]> => {
  const waiting = await trx
    .selectFrom("outbox")
    .select(["dedupe_key", "target_kind", "guild_id", "created_at"])
    .where("account_id", "=", from.id)
    .where("kind", "=", "sale_notice")
    .where("settled_at", "is", null)
    .orderBy("dedupe_key")
    .modifyEnd(rowLock(trx, "for update"))
    .execute();
  const others = waiting.length === 0 ? [] : await otherChoices(trx, from);
  const handedOver: string[] = [];
  for (const { dedupe_key: key, target_kind: kind, guild_id: guildId, created_at: at } of waiting) {
    const to = others.find(
      ({ choice, guild_id, owner_id, since, left_at }) =>
        since <= at &&
        (kind === "channel"
          ? choice === "channel" && guild_id === guildId && left_at === null
          : choice === "direct" && owner_id === from.owner_id),
    );
    if (to === undefined) continue;
    const [before, after] = [from.owner_id, to.owner_id].map((id) => `<@${id}>`);
    await trx
      .updateTable("outbox")
      .set({ account_id: to.id, payload: sql<string>`replace(payload, ${before}, ${after})` })
      .where("dedupe_key", "=", key)
      .execute();
    handedOver.push(key);
  }
  return handedOver;
};

/** Choices of the wallet account's other connections, oldest connection first; of a channel, by accepted keys alone. */
const otherChoices = (
  trx: Database,
  { account_fp: accountFp, id }: Pick<AccountRow, "account_fp" | "id">,
) =>
  trx
    .selectFrom("sale_choice")
    .innerJoin("account", "account.id", "sale_choice.account_id")
    .leftJoin("presence", (join) => join.on(isOwnersPresence))
    .select(["account.id", "account.guild_id", "account.owner_id", "choice", "since", "left_at"])
    .where("account.account_fp", "=", accountFp)
    .where("account.id", "<>", id)
    // The leaving connection may be gone by now, and its key have read sales that others must not see.
    .where((eb) => eb.or([eb("choice", "=", "direct"), hasAcceptedKey]))
    .orderBy("account.connected_at")
    .orderBy("account.id")
    .execute();
