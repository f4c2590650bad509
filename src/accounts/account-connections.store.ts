import type { Locale } from "../shared/locale.ts";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { type Account, otherOwnersOf, type ToldAccount } from "./account.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { enqueueDeliveries } from "../delivery/outbox-enqueue.store.ts";
import { inList } from "../database/queries.ts";
import type { AccountTable, Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import type { Secret } from "../shared/secret.ts";
import {
  flagOf,
  instantOf,
  isOwnersPresence,
  optionalInstantOf,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";

/** Connections of one owner to one wallet account. They share one dispute watch. */
interface WatchConnections {
  /**
   * Its alert choice and its guild's route decide where alerts go. Its choice is `off` only if every connection has it
   * off.
   */
  readonly told: ToldAccount;
  /** The connection whose key reads disputes: `told`, unless its key is refused and another connection's works. */
  readonly reader: Account;
}

/** Finds connections by owner, by guild and by wallet account. */
export const accountConnections = (db: Database, vault: Vault) => ({
  /** The owner's connections in every guild, oldest first. */
  ofOwner: async (ownerId: string): Promise<readonly Account[]> => {
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("owner_id", "=", ownerId)
      .orderBy("connected_at")
      .orderBy("id")
      .execute();
    return rows.map(accountOf);
  },
  /** Ids of those whose server the owner, as far as is known, has not left. */
  stayedIn: async (ownerId: string): Promise<ReadonlySet<string>> => {
    const rows = await db
      .selectFrom("account")
      .leftJoin("presence", (join) => join.on(isOwnersPresence))
      .select("account.id")
      .where("account.owner_id", "=", ownerId)
      .where("presence.left_at", "is", null)
      .execute();
    return new Set(rows.map(({ id }) => id));
  },
  /** Connections whose key was refused after `before`, last refused first; without those whose owner left their server. */
  refusedAfter: async (before: Temporal.Instant) => {
    const rows = await db
      .selectFrom("account")
      .leftJoin("presence", (join) => join.on(isOwnersPresence))
      .select(["account.id", "key_fingerprint", "paused_at"])
      // By an index that holds all that this question needs.
      .where("account.id", "in", (eb) =>
        eb
          .selectFrom("account as one")
          .select("one.id")
          .where("one.paused_at", ">", storedInstant(before)),
      )
      .where("presence.left_at", "is", null)
      .orderBy("paused_at", "desc")
      .orderBy("account.id")
      .$narrowType<{ paused_at: StoredInstant }>()
      .execute();
    return rows.map((row) => ({
      id: row.id,
      keyFingerprint: row.key_fingerprint,
      pausedAt: instantOf(row.paused_at),
    }));
  },
  /** Owners of a guild's connections, oldest connection first, starting at `skipped`. */
  ownersIn: async (guildId: string, skipped: number, limit: number): Promise<readonly string[]> => {
    const rows = await db
      .selectFrom("account")
      .select("owner_id")
      .where("guild_id", "=", guildId)
      .orderBy("connected_at")
      .orderBy("id")
      .offset(skipped)
      .limit(limit)
      .execute();
    return rows.map((row) => row.owner_id);
  },
  /**
   * One connection of the wallet account whose key the ring opens. Prefers the owner's own, then a connection that is not
   * paused; with `working` the other way round. @throws StoreError unreadable_secret where it opens none of them
   */
  findByFingerprint: async (
    accountFp: string,
    ownerId: string,
    first: "own" | "working" = "own",
  ): Promise<AccountWithKey | undefined> => {
    const own = sql<number>`case when owner_id = ${ownerId} then 0 else 1 end`;
    const working = sql<number>`case when paused_at is null then 0 else 1 end`;
    const [one, other] = first === "own" ? [own, working] : [working, own];
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("account_fp", "=", accountFp)
      .orderBy(one)
      .orderBy(other)
      .orderBy("id")
      .execute();
    return firstOpened(rows, vault);
  },
  connectionsOf: (accountFp: string) => connectionsOf(db, accountFp),
  /**
   * One unpaused connection of each wallet account, ordered by `accountFp`: accounts after `after` that begin with one
   * of `initials`. An account's connections take turns, by the number `turn`.
   */
  watched: async (
    initials: readonly string[],
    after: string,
    limit: number,
    turn: number,
  ): Promise<readonly Account[]> => {
    const rows = await db
      .selectFrom("account")
      .selectAll()
      .where("account_fp", "in", (eb) =>
        eb
          .selectFrom("account as one")
          .select("one.account_fp")
          .where(sql<string>`substr(one.account_fp, 1, 1)`, "in", initials)
          .where("one.account_fp", ">", after)
          .where("one.paused_at", "is", null)
          .groupBy("one.account_fp")
          .orderBy("one.account_fp")
          .limit(limit),
      )
      .where("paused_at", "is", null)
      .orderBy("account_fp")
      .orderBy("id")
      .execute();
    return [...Map.groupBy(rows, (row) => row.account_fp).values()].flatMap((connections) => {
      const inTurn = connections[turn % connections.length];
      return inTurn === undefined ? [] : [accountOf(inTurn)];
    });
  },
  countAll: async (): Promise<number> => {
    const { accounts } = await db
      .selectFrom("account")
      .select(({ fn }) => fn.countAll<number>().as("accounts"))
      .executeTakeFirstOrThrow();
    return accounts;
  },
  /** Undefined after the last connection was removed. Also accepts the id of a connection of the watch. */
  ofWatch: async (watchId: string): Promise<WatchConnections | undefined> => {
    const found = await ofWatch(db, watchId);
    if (found !== undefined) return found;
    // Buttons of old alerts name a connection: they were posted before connections shared a watch.
    const row = await db
      .selectFrom("account")
      .select("watch_id")
      .where("id", "=", watchId)
      .executeTakeFirst();
    return row && (await ofWatch(db, row.watch_id));
  },
});

/** All connections of a wallet account. */
export const connectionsOf = async (
  db: Database,
  accountFp: string,
): Promise<readonly Account[]> => {
  const rows = await db
    .selectFrom("account")
    .selectAll()
    .where("account_fp", "=", accountFp)
    .orderBy("id")
    .execute();
  return rows.map(accountOf);
};

/**
 * The first row decides where alerts go. Order: alerts in an open channel of a guild that the owner has not left; other
 * alerts in such a guild; alerts in a guild that the owner left; alerts off. The oldest connection comes first within
 * each.
 */
const rowsByAlertOrder = (db: Database, watchIds: RawBuilder<string>) =>
  db
    .selectFrom("account")
    .leftJoin("alert_route", (join) =>
      join
        .onRef("alert_route.guild_id", "=", "account.guild_id")
        .on("alert_route.active", "=", 1)
        .on("alert_route.suspended_at", "is", null),
    )
    .leftJoin("presence", (join) =>
      join
        .onRef("presence.guild_id", "=", "account.guild_id")
        .onRef("presence.owner_id", "=", "account.owner_id")
        .on("presence.left_at", "is not", null),
    )
    .selectAll("account")
    .where("account.watch_id", "in", watchIds)
    .orderBy((eb) =>
      eb
        .case()
        .when(
          eb.and([
            eb("account.alerts", "=", "channel"),
            eb("alert_route.guild_id", "is not", null),
            eb("presence.guild_id", "is", null),
          ]),
        )
        .then(0)
        .when(eb.and([eb("account.alerts", "!=", "off"), eb("presence.guild_id", "is", null)]))
        .then(1)
        .when("account.alerts", "!=", "off")
        .then(2)
        .else(3)
        .end(),
    )
    .orderBy("account.connected_at")
    .orderBy("account.id");

/** Connections of a watch. The first decides where alerts go. */
export const rowsOfWatch = (db: Database, watchId: string): Promise<readonly AccountRow[]> =>
  rowsByAlertOrder(db, sql`(${watchId})`).execute();

/** Ids of the connections that decide where the alerts of a guild's sellers go. */
export const toldOfGuild = (db: Database, guildId: string) =>
  db
    .selectFrom("account as seller")
    .select(
      rowsByAlertOrder(db, sql`(${sql.ref("seller.watch_id")})`)
        .clearSelect()
        .select("account.id")
        .limit(1)
        .as("id"),
    )
    .where("seller.guild_id", "=", guildId);

const readerOf = (rows: readonly AccountRow[]): AccountRow | undefined =>
  rows.find((row) => row.paused_at === null) ?? rows[0];

/** The connection whose key reads, for each watch. */
export const readersOf = async (
  db: Database,
  watchIds: readonly string[],
): Promise<ReadonlyMap<string, Account>> => {
  const rows = await rowsByAlertOrder(db, inList(db, watchIds)).execute();
  const groups = [...Map.groupBy(rows, (row) => row.watch_id)];
  return new Map(
    groups.flatMap(([watchId, group]) => {
      const reader = readerOf(group);
      return reader === undefined ? [] : [[watchId, accountOf(reader)] as const];
    }),
  );
};

const ofWatch = async (db: Database, watchId: string): Promise<WatchConnections | undefined> => {
  const rows = await rowsByAlertOrder(db, sql`(${watchId})`)
    .select(hasOthers.as("has_others"))
    .execute();
  const [told] = rows;
  const reader = readerOf(rows);
  if (told === undefined || reader === undefined) return undefined;
  const others = told.has_others && { hasOthers: true };
  return { told: { ...accountOf(told), ...others }, reader: accountOf(reader) };
};

export type AccountRow = Selectable<AccountTable>;

/** Whether the owner of `account` has a key of its wallet account that the service accepts. */
export const hasAcceptedKey = sql<boolean>`exists (select 1 from account as own
  where own.account_fp = account.account_fp and own.owner_id = account.owner_id
    and own.paused_at is null)`;

/** Whether the owner of `account` has a key of another wallet account. */
export const hasOthers = sql<boolean>`exists (select 1 from account as other
  where other.owner_id = account.owner_id and other.account_fp <> account.account_fp)`;

/** Whether the service accepts no key of the wallet account of `account`: it cannot be read. */
export const isRefused = sql<boolean>`not exists (select 1 from account as other
  where other.account_fp = account.account_fp and other.paused_at is null)`;

/**
 * Whether the owner of `account` has a key of its wallet account that the service accepts, or no owner has one: a key is
 * revoked to hide figures from its owner, and another owner's key goes on reading them.
 */
export const isEntitled = sql<boolean>`(account.paused_at is null
  or ${hasAcceptedKey}
  or ${isRefused})`;

export interface AccountWithKey {
  readonly account: Account;
  readonly apiKey: Secret;
}

export const accountOf = (row: AccountRow): Account => ({
  id: row.id,
  guildId: row.guild_id,
  ownerId: row.owner_id,
  connectedBy: row.connected_by,
  keyLast4: row.key_last4,
  keyFingerprint: row.key_fingerprint,
  accountFp: row.account_fp,
  watchId: row.watch_id,
  ownerVerified: flagOf(row.owner_verified),
  reportConsent: flagOf(row.report_consent),
  reportDirect: flagOf(row.report_direct),
  reportConsentAt: optionalInstantOf(row.report_consent_at),
  alerts: row.alerts,
  locale: row.locale ?? undefined,
  pausedAt: optionalInstantOf(row.paused_at),
  connectedAt: instantOf(row.connected_at),
});

/** @throws StoreError unreadable_secret */
export const apiKeyOf = (row: AccountRow, vault: Vault): Secret =>
  vault.open({ rowId: row.id, ownerId: row.owner_id }, row.api_key);

/** @throws StoreError unreadable_secret */
export const accountWithKey = (row: AccountRow, vault: Vault): AccountWithKey => ({
  account: accountOf(row),
  apiKey: apiKeyOf(row, vault),
});

/** @throws StoreError unreadable_secret where the ring opens the key of no row */
export const firstOpened = (
  rows: readonly AccountRow[],
  vault: Vault,
): AccountWithKey | undefined => {
  let unreadable: unknown;
  for (const row of rows) {
    try {
      return accountWithKey(row, vault);
    } catch (error) {
      unreadable ??= error;
    }
  }
  if (unreadable !== undefined) throw unreadable;
  return undefined;
};

/** Language of the owner's messages by the newest connection that knows it: an admin who types a key does not. */
export const knownLocale = async (trx: Database, ownerId: string): Promise<Locale | null> => {
  const row = await trx
    .selectFrom("account")
    .select("locale")
    .where("owner_id", "=", ownerId)
    .where("locale", "is not", null)
    .orderBy("connected_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.locale ?? null;
};

/** How owners of one wallet account learn of each other. */
export interface SharedNews {
  readonly at: Temporal.Instant;
  readonly sharedNotice: (saved: Account, other: Account) => NewDelivery;
  /** That the key is accepted again, where the message of its refusal was, or may have been, sent. */
  readonly accepted?: NewDelivery;
}

/** The other owners of the wallet account, and of each a person who has a right to it from now on. */
export const tellOwners = async (
  trx: Database,
  person: Account,
  { at, sharedNotice }: SharedNews,
): Promise<void> => {
  const all = await connectionsOf(trx, person.accountFp);
  const notices = otherOwnersOf(person, all).flatMap((other) => [
    sharedNotice(person, other),
    // Of two keys of a stolen account, the owner's may be the later one.
    sharedNotice(other, person),
  ]);
  await enqueueDeliveries(trx, notices, at);
};
