import {
  type StoredDay,
  storedDay,
  type StoredFlag,
  storedFlag,
  type StoredInstant,
  storedInstant,
} from "../database/columns.ts";
import { cancelUnsettled } from "../delivery/outbox-cancel.store.ts";
import type { DeliveriesOf } from "../delivery/outbox-redirect.store.ts";
import type { Database } from "../schema.ts";
import { type CloseChoices, type CloseKind, closeKinds, type ClosePeriod } from "./close.ts";

export interface CloseProgressTable {
  /** A guild's id; of a seller with closes by direct message the account's. */
  progress_id: string;
  kind: CloseKind;
  active: StoredFlag;
  active_since: StoredInstant | null;
  last_day: StoredDay | null;
}

export const choicesOf = async (db: Database, id: string): Promise<CloseChoices> => {
  const rows = await db
    .selectFrom("close_progress")
    .select("kind")
    .where("progress_id", "=", id)
    .where("active", "=", 0)
    .execute();
  const isOn = (kind: CloseKind): boolean => rows.every((off) => off.kind !== kind);
  return { week: isOn("week"), month: isOn("month") };
};

/** Switches the given kinds on or off, and gives up the waiting closes of a kind that is off. */
export const saveChoices = async (
  trx: Database,
  of: DeliveriesOf,
  choices: Partial<CloseChoices>,
  at: Temporal.Instant,
): Promise<void> => {
  const id = "accountId" in of ? of.accountId : of.guildId;
  for (const kind of closeKinds) {
    const choice = choices[kind];
    if (choice === undefined) continue;
    const active = storedFlag(choice);
    await trx
      .insertInto("close_progress")
      .values({ progress_id: id, kind, active, active_since: null, last_day: null })
      .onConflict((conflict) =>
        conflict
          .columns(["progress_id", "kind"])
          .doUpdateSet({ active, active_since: storedInstant(at) })
          .where("close_progress.active", "<>", active),
      )
      .execute();
    // After the row is taken: a close that is recorded at the same time waits for it, and then finds its kind off.
    if (!choice)
      await cancelUnsettled(trx, of, at, "close_off").where("close_kind", "=", kind).execute();
  }
};

/** False, without a change, for a period that was settled before, or of a kind that is off. */
export const markPeriod = async (
  trx: Database,
  id: string,
  { kind, to }: ClosePeriod,
): Promise<boolean> => {
  const lastDay = storedDay(to);
  const marked = await trx
    .insertInto("close_progress")
    .values({ progress_id: id, kind, active: 1, active_since: null, last_day: lastDay })
    .onConflict((conflict) =>
      conflict
        .columns(["progress_id", "kind"])
        .doUpdateSet({ last_day: lastDay })
        .where("close_progress.active", "=", 1)
        .where((eb) =>
          eb.or([
            eb("close_progress.last_day", "is", null),
            eb("close_progress.last_day", "<", lastDay),
          ]),
        ),
    )
    .returning("progress_id")
    .executeTakeFirst();
  return marked !== undefined;
};
