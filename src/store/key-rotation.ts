import type { Random } from "../shared/random.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Database } from "./schema.ts";
import { type Binding, IV_BYTES, kidOf, openText, sealText } from "./sealed-text.ts";
import { apiKeyBinding } from "./vault.ts";
import { metaBinding, openVaultMeta, SEALED_META } from "./vault-meta.ts";

export interface RotationReport {
  readonly currentKid: string;
  /** Values sealed anew by this run. */
  readonly rotated: number;
  /** Ids of rows whose value no key of the ring opens; they were left as they are. */
  readonly unreadable: readonly string[];
  /** How many values are sealed with each key now. A key is needed while it is named here. */
  readonly sealedPerKid: ReadonlyMap<string, number>;
}

interface Rotation {
  readonly db: Database;
  readonly ring: KeyRing;
  readonly walletEnvironment: string;
  readonly random: Random;
}

const BATCH = 100;

const sealAgain = ({ ring, random }: Rotation, binding: Binding, sealed: string): string =>
  sealText(ring, binding, openText(ring, binding, sealed), random.bytes(IV_BYTES));

const rotateMeta = async (rotation: Rotation): Promise<number> => {
  const { db, ring, walletEnvironment } = rotation;
  let rotated = 0;
  for (const name of SEALED_META) {
    const { value } = await db
      .selectFrom("meta")
      .select("value")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    if (kidOf(value) === ring.current.kid) continue;
    const { numUpdatedRows } = await db
      .updateTable("meta")
      .set({ value: sealAgain(rotation, metaBinding(name, walletEnvironment), value) })
      .where("name", "=", name)
      .where("value", "=", value)
      .executeTakeFirst();
    rotated += Number(numUpdatedRows);
  }
  return rotated;
};

/** One batch after `lastId`; undefined when there is none. A row that changes meanwhile is left for the next run. */
const rotateBatch = (rotation: Rotation, lastId: string, unreadable: string[]) =>
  rotation.db.transaction().execute(async (trx) => {
    const rows = await trx
      .selectFrom("account")
      .select(["id", "owner_id", "api_key"])
      .where("api_key_kid", "!=", rotation.ring.current.kid)
      .where("id", ">", lastId)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    let rotated = 0;
    for (const { id, owner_id: ownerId, api_key: sealed } of rows) {
      const binding = apiKeyBinding({ rowId: id, ownerId }, rotation.walletEnvironment);
      let apiKey: string;
      try {
        apiKey = sealAgain(rotation, binding, sealed);
      } catch {
        // One damaged row must not keep the others on the old key; the report names it.
        unreadable.push(id);
        continue;
      }
      const { numUpdatedRows } = await trx
        .updateTable("account")
        .set({ api_key: apiKey, api_key_kid: rotation.ring.current.kid })
        .where("id", "=", id)
        .where("api_key", "=", sealed)
        .executeTakeFirst();
      rotated += Number(numUpdatedRows);
    }
    return { rotated, lastId: rows.at(-1)?.id };
  });

const countPerKid = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const accounts = await db
    .selectFrom("account")
    .select(["api_key_kid as kid", ({ fn }) => fn.countAll<number>().as("sealed")])
    .groupBy("api_key_kid")
    .execute();
  const meta = await db
    .selectFrom("meta")
    .select("value")
    .where("name", "in", [...SEALED_META])
    .execute();
  const counts = new Map(accounts.map(({ kid, sealed }) => [kid, sealed]));
  for (const { value } of meta) {
    const kid = kidOf(value) ?? "?";
    counts.set(kid, (counts.get(kid) ?? 0) + 1);
  }
  return counts;
};

/**
 * Seals every API key, the fingerprint key and the canary with the ring's current key. Each change is atomic and
 * depends on the old value: killed at any point every value stays readable, and the next run goes on.
 * @throws StoreError wrong_key_ring, other_wallet before anything is changed.
 */
export const rotateKeys = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
): Promise<RotationReport> => {
  await openVaultMeta(db, ring, walletEnvironment, random);
  const rotation = { db, ring, walletEnvironment, random };
  const unreadable: string[] = [];
  let rotated = await rotateMeta(rotation);
  let lastId: string | undefined = "";
  while (lastId !== undefined) {
    const batch: { rotated: number; lastId: string | undefined } = await rotateBatch(
      rotation,
      lastId,
      unreadable,
    );
    rotated += batch.rotated;
    lastId = batch.lastId;
  }
  const sealedPerKid = await countPerKid(db);
  return { currentKid: ring.current.kid, rotated, unreadable, sealedPerKid };
};
