import type { NewDelivery } from "../domain/delivery.ts";
import type { Presences } from "../domain/presence.ts";
import { optionalInstantOf, storedDay, storedInstant } from "./columns.ts";
import { enqueueDelivery } from "./outbox-enqueue.ts";
import { lockName, rowLock } from "./row-lock.ts";
import type { Database } from "./schema.ts";

/** Forgets whether the owner is in the guild. */
export const forgetPresence = async (
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

const keepAnswer = (
  db: Database,
  guildId: string,
  ownerId: string,
  answer: "here" | "left",
  at: Temporal.Instant,
  notice: NewDelivery | undefined,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockName(trx, `presence|${guildId}|${ownerId}`);
    const account = await trx
      .selectFrom("account")
      .select("id")
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .modifyEnd(rowLock(trx, "for share"))
      .executeTakeFirst();
    if (account === undefined) return false;
    const before = await trx
      .selectFrom("presence")
      .select("left_at")
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    const known = before?.left_at ?? null;
    const change = {
      asked_on: storedDay(at.toZonedDateTimeISO("UTC").toPlainDate()),
      left_at: answer === "here" ? null : (known ?? storedInstant(at)),
    };
    await trx
      .insertInto("presence")
      .values({ guild_id: guildId, owner_id: ownerId, ...change })
      .onConflict((conflict) => conflict.columns(["guild_id", "owner_id"]).doUpdateSet(change))
      .execute();
    if (answer === "left" && known === null && notice !== undefined)
      await enqueueDelivery(trx, notice, at);
    return true;
  });

/** Whether owners are in their guilds, as Discord said last. */
export const presences = (db: Database): Presences => ({
  find: async (guildId, ownerId) => {
    const row = await db
      .selectFrom("presence")
      .select(["asked_on", "left_at"])
      .where("guild_id", "=", guildId)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    return (
      row && {
        askedOn: Temporal.PlainDate.from(row.asked_on),
        leftAt: optionalInstantOf(row.left_at),
      }
    );
  },
  keep: (guildId, ownerId, answer, at, notice) =>
    keepAnswer(db, guildId, ownerId, answer, at, notice),
});
