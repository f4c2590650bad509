import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

const COLUMNS = ["day", "watch_id", "infraction_id", "step", "due_at", "repeat_of", "offer_id"];

const DATED = new Set(["new", "72h", "48h", "24h", "6h", "1h", "overdue"]);
const UNDATED = new Set(["answered", "won", "lost", "cancelled"]);

/** Undefined for malformed text. */
const readable = (read: () => string): string | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** The facts in `med|<watch>|<infraction>|<step>`, with `|<deadline>` after a dated step; undefined for other keys. */
const alertIn = (key: string) => {
  const [prefix, watchId, encodedId, step = "", deadline = ""] = key.split("|");
  if (prefix !== "med" || watchId === undefined || encodedId === undefined) return undefined;
  if (!DATED.has(step) && !UNDATED.has(step)) return undefined;
  const infractionId = readable(() => decodeURIComponent(encodedId));
  const dueAt = DATED.has(step)
    ? readable(() => Temporal.Instant.from(deadline).toString({ smallestUnit: "millisecond" }))
    : undefined;
  return infractionId === undefined ? undefined : { watchId, infractionId, step, dueAt };
};

const carryOverAlerts = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql<{ dedupe_key: string }>`
    select dedupe_key from outbox where kind = 'dispute_alert'
  `.execute(db);
  for (const { dedupe_key: key } of rows) {
    const alert = alertIn(key);
    if (alert === undefined) continue;
    await sql`
      update outbox set watch_id = ${alert.watchId}, infraction_id = ${alert.infractionId}, step = ${alert.step},
        due_at = ${alert.dueAt ?? null}
      where dedupe_key = ${key}
    `.execute(db);
  }
  await sql`
    update outbox set repeat_of = substr(dedupe_key, 1, length(dedupe_key) - 6)
    where kind = 'dispute_alert' and dedupe_key like '%|again'
  `.execute(db);
};

/** Columns for the facts of a delivery that were read from its key. Existing rows receive theirs from their keys. */
export const deliveryFacts: Migration = {
  up: async (db) => {
    for (const name of COLUMNS) {
      await db.schema.alterTable("outbox").addColumn(name, "text").execute();
    }
    await sql`
      update outbox set day = substr(dedupe_key, length(dedupe_key) - 9)
      where kind = 'sales_report' and dedupe_key like 'report|%|____-__-__'
    `.execute(db);
    await sql`
      update outbox set offer_id = substr(dedupe_key, 18)
      where kind = 'notice' and substr(dedupe_key, 1, 17) = 'notice|key_offer|'
    `.execute(db);
    await carryOverAlerts(db);
    await db.schema
      .createIndex("outbox_repeats")
      .on("outbox")
      .columns(["repeat_of"])
      .where(sql.ref("repeat_of"), "is not", null)
      .execute();
  },
};
