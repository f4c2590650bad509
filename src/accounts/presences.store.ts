import { sql } from "kysely";
import type { Presences } from "./account.ts";
import { compilePerDatabase, inList, lockName, rowLock } from "../database/queries.ts";
import { optionalInstantOf, storedDay, storedInstant } from "../database/columns.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import type { Database } from "../schema.ts";
import { createGroupCommit } from "../database/group-commit.ts";

export const presences = (db: Database, groupCommit = createGroupCommit(db)): Presences => ({
  find: async (guildId, ownerId) => {
    const [row] = await presenceOf(db, guildId, ownerId);
    return (
      row && {
        askedOn: Temporal.PlainDate.from(row.asked_on),
        leftAt: optionalInstantOf(row.left_at),
      }
    );
  },
  agreedAndHere: async (accountIds, askedOn) => {
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
  keep: (...answer) => groupCommit((trx) => keepAnswer(trx, ...answer)),
});

/** Whether a row is the presence of the connection's owner in its server. */
export const isOwnersPresence = sql<boolean>`(presence.guild_id = account.guild_id
  and presence.owner_id = account.owner_id)`;

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

const keepAnswer = async (
  trx: Database,
  ...[guildId, ownerId, answer, at, notice]: Parameters<Presences["keep"]>
): Promise<boolean> => {
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
};
