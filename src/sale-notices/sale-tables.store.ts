import { type Selectable, sql } from "kysely";
import type { DestinationChoice } from "../accounts/account.ts";
import type { SaleRoute } from "./sale-notice.ts";
import type { SaleState, SaleWatch, SeenSale, WatchState } from "./sale-watch.ts";
import type { Locale } from "../shared/locale.ts";
import { cents } from "../shared/money.ts";
import {
  flagOf,
  instantOf,
  optionalInstantOf,
  type StoredFlag,
  type StoredInstant,
  storedDay,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";
import { compilePerDatabase, deleteInSlices, inList } from "../database/queries.ts";
import type { Database } from "../schema.ts";

export interface SaleRouteTable {
  guild_id: string;
  channel_id: string;
  minimum_cents: number;
  active: StoredFlag;
  locale: Locale;
  suspended_at: StoredInstant | null;
  updated_by: string;
}

/** Sellers who agreed to notices of their sales; the others have no row. */
export interface SaleChoiceTable {
  account_id: string;
  choice: Exclude<DestinationChoice, "off">;
  since: StoredInstant;
}

/** One row for each wallet account with a destination for notices. */
export interface SaleWatchTable {
  account_fp: string;
  next_look_at: StoredInstant;
  /** When a call last made the account due. */
  called_at: StoredInstant | null;
  /** Until then a process looks at the account. */
  held_until: StoredInstant | null;
  /** JSON, see `WatchState`. */
  state: string;
}

/** Listed sales: a keyed hash of the txid, its state and its time, and no other fact of the sale. */
export interface SaleSeenTable {
  account_fp: string;
  sale_key: string;
  state: SaleState;
  at: StoredInstant;
}

export const saleRouteOf = (row: Selectable<SaleRouteTable>): SaleRoute => ({
  guildId: row.guild_id,
  channelId: row.channel_id,
  minimum: cents(row.minimum_cents),
  active: flagOf(row.active),
  locale: row.locale,
  suspendedAt: optionalInstantOf(row.suspended_at),
  updatedBy: row.updated_by,
});

interface StoredState {
  readonly since: StoredInstant;
  readonly baselineAt: StoredInstant | null;
  readonly lookedAt: StoredInstant | null;
  readonly lastSaleAt: StoredInstant | null;
  readonly readTo: StoredInstant | null;
  readonly resume: string | null;
  readonly deepResume: string | null;
  readonly deepAt: StoredInstant | null;
  readonly listTriedAt: StoredInstant | null;
  readonly report: {
    readonly day: string;
    readonly count: number;
    readonly total: number;
    readonly toldSales: number;
    readonly toldRefunds: number;
    readonly readAt?: StoredInstant;
    readonly isPassed?: boolean;
    readonly isZeroSince?: boolean;
  } | null;
}

export const storedState = (state: WatchState): string => {
  const { report } = state;
  const stored: StoredState = {
    since: storedInstant(state.since),
    baselineAt: storedOptionalInstant(state.baselineAt),
    lookedAt: storedOptionalInstant(state.lookedAt),
    lastSaleAt: storedOptionalInstant(state.lastSaleAt),
    readTo: storedOptionalInstant(state.readTo),
    resume: state.resume ?? null,
    deepResume: state.deepResume ?? null,
    deepAt: storedOptionalInstant(state.deepAt),
    listTriedAt: storedOptionalInstant(state.listTriedAt),
    report:
      report === undefined
        ? null
        : { ...report, day: storedDay(report.day), readAt: storedInstant(report.readAt) },
  };
  return JSON.stringify(stored);
};

export const saleWatchOf = (row: Selectable<SaleWatchTable>): SaleWatch => {
  const stored = JSON.parse(row.state) as StoredState;
  const { report } = stored;
  return {
    accountFp: row.account_fp,
    nextLookAt: instantOf(row.next_look_at),
    calledAt: optionalInstantOf(row.called_at),
    heldUntil: optionalInstantOf(row.held_until),
    since: instantOf(stored.since),
    baselineAt: optionalInstantOf(stored.baselineAt),
    lookedAt: optionalInstantOf(stored.lookedAt),
    lastSaleAt: optionalInstantOf(stored.lastSaleAt),
    readTo: optionalInstantOf(stored.readTo),
    resume: stored.resume ?? undefined,
    deepResume: stored.deepResume ?? undefined,
    deepAt: optionalInstantOf(stored.deepAt),
    listTriedAt: optionalInstantOf(stored.listTriedAt),
    report: report
      ? {
          ...report,
          day: Temporal.PlainDate.from(report.day),
          total: cents(report.total),
          readAt: instantOf(report.readAt ?? stored.lookedAt ?? stored.since),
          isPassed: report.isPassed ?? false,
        }
      : undefined,
  };
};

/** Sales that a look saw. */
export interface SeenByLook {
  readonly seen: ReadonlyMap<string, SeenSale>;
  /** Deletes the sales seen before that instant, except sales that are still listed. */
  readonly forget:
    | { readonly before: Temporal.Instant; readonly except: readonly string[] }
    | undefined;
}

export const seenRows = compilePerDatabase((db) =>
  db
    .selectFrom("sale_seen")
    .select(["sale_key", "state", "at"])
    .where("account_fp", "=", "")
    .where("sale_key", "in", inList(db, [])),
);

/** Parameters: the wallet account, the key, the state and the time of a sale. */
const keepSeen = compilePerDatabase((db) =>
  db
    .insertInto("sale_seen")
    .values({ account_fp: "", sale_key: "", state: "pending", at: "" })
    .onConflict((conflict) =>
      conflict
        .columns(["account_fp", "sale_key"])
        .doUpdateSet((eb) => ({ state: eb.ref("excluded.state"), at: eb.ref("excluded.at") })),
    ),
);

export const saveSeen = async (
  trx: Database,
  accountFp: string,
  { seen, forget }: SeenByLook,
): Promise<void> => {
  for (const [key, { state, at }] of seen) {
    await keepSeen(trx, accountFp, key, state, storedInstant(at));
  }
  if (forget === undefined) return;
  // After two weeks without the list, sales of all of them go at once.
  const isOld = sql<boolean>`account_fp = ${accountFp} and at < ${storedInstant(forget.before)}
    and sale_key not in ${inList(trx, forget.except)}`;
  await deleteInSlices(trx, "sale_seen", ["account_fp", "sale_key"], isOld, undefined);
};
