import type { Account } from "./account.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { compilePerDatabase, inList, lockName, rowLock } from "../database/queries.ts";
import {
  isOwnersPresence,
  optionalInstantOf,
  storedDay,
  storedInstant,
} from "../database/columns.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import type { Database } from "../schema.ts";
import { createGroupCommit } from "../database/group-commit.ts";

/** Last known presence of a member. */
interface KnownPresence {
  /** UTC day of Discord's last answer: the bot asks once a day. */
  readonly askedOn: Temporal.PlainDate;
  /** When the bot first learnt that the member left; undefined while the member is there. */
  readonly leftAt: Temporal.Instant | undefined;
}

export type Presences = ReturnType<typeof presences>;

/** Whether sellers are still in the guilds where they connected a key. */
export const presences = (db: Database, groupCommit = createGroupCommit(db)) => ({
  /** Undefined when Discord was never asked. */
  find: async (guildId: string, ownerId: string): Promise<KnownPresence | undefined> => {
    const [row] = await presenceOf(db, guildId, ownerId);
    return (
      row && {
        askedOn: Temporal.PlainDate.from(row.asked_on),
        leftAt: optionalInstantOf(row.left_at),
      }
    );
  },
  /** Whether the owner has left the connection's server, by Discord's last answer. */
  hasLeft: async ({ guildId, ownerId }: Pick<Account, "guildId" | "ownerId">): Promise<boolean> => {
    const [row] = await presenceOf(db, guildId, ownerId);
    return row !== undefined && row.left_at !== null;
  },
  /** Of these accounts, those that agreed to reports and whose owner was there when Discord was asked on that day. */
  agreedAndHere: async (
    accountIds: readonly string[],
    askedOn: Temporal.PlainDate,
  ): Promise<ReadonlySet<string>> => {
    const rows = await db
      .selectFrom("account")
      .innerJoin("presence", (join) => join.on(isOwnersPresence))
      .select("account.id")
      .where("account.id", "in", inList(db, accountIds))
      .where("account.report_consent", "=", 1)
      .where("presence.asked_on", "=", storedDay(askedOn))
      .where("presence.left_at", "is", null)
      .execute();
    return new Set(rows.map(({ id }) => id));
  },
  /**
   * Keeps an answer. The first answer `left` enqueues `notice`; later ones do so only after an answer `here`. False:
   * the connection has gone, so the answer is dropped.
   */
  keep: (
    guildId: string,
    ownerId: string,
    answer: "here" | "left",
    at: Temporal.Instant,
    notice: NewDelivery | undefined,
  ): Promise<boolean> =>
    groupCommit(async (trx) => {
      await lockName(trx, `presence|${guildId}|${ownerId}`);
      if ((await connectionsOf(trx, guildId, ownerId)).length === 0) return false;
      const [before] = await presenceOf(trx, guildId, ownerId);
      const known = before?.left_at ?? null;
      const askedOn = storedDay(at.toZonedDateTimeISO("UTC").toPlainDate());
      const leftAt = answer === "here" ? null : (known ?? storedInstant(at));
      await keepPresence(trx, guildId, ownerId, askedOn, leftAt);
      if (answer === "left" && known === null && notice !== undefined)
        await enqueueDelivery(trx, notice, at);
      return true;
    }),
});

export const deletePresence = async (
  db: Database,
  guildId: string,
  ownerId: string,
): Promise<void> => {
  await db
    .deleteFrom("presence")
    .where("guild_id", "=", guildId)
    .where("owner_id", "=", ownerId)
    .execute();
};

const presenceOf = compilePerDatabase((db) =>
  db
    .selectFrom("presence")
    .select(["asked_on", "left_at"])
    .where("guild_id", "=", "")
    .where("owner_id", "=", ""),
);

const connectionsOf = compilePerDatabase((db) =>
  db
    .selectFrom("account")
    .select("id")
    .where("guild_id", "=", "")
    .where("owner_id", "=", "")
    .modifyEnd(rowLock(db, "for share")),
);

const keepPresence = compilePerDatabase((db) =>
  db
    .insertInto("presence")
    .values({ guild_id: "", owner_id: "", asked_on: "", left_at: "" })
    .onConflict((conflict) =>
      conflict.columns(["guild_id", "owner_id"]).doUpdateSet((eb) => ({
        asked_on: eb.ref("excluded.asked_on"),
        left_at: eb.ref("excluded.left_at"),
      })),
    ),
);
