import { sql } from "kysely";
import type { Random } from "../shared/random.ts";
import { type Binding, IV_BYTES, type KeyRing, kidOf, openText, sealText } from "./encryption.ts";
import { StoreError } from "../shared/store-errors.ts";
import type { Database } from "../schema.ts";
import {
  apiKeyBinding,
  metaBinding,
  openVaultMeta,
  pendingKeyBinding,
  pixKeyBinding,
  proofBinding,
  SEALED_META,
  type SealedRow,
} from "./vault.ts";

export interface RotationReport {
  readonly currentKid: string;
  readonly rotated: number;
  /** Values that no key of the ring opens, as label and row id. They are left unchanged. */
  readonly unreadable: readonly string[];
  /** Number of values sealed with each key. The ring needs every key listed here. */
  readonly sealedPerKid: ReadonlyMap<string, number>;
}

/**
 * Seals every stored API key, PIX key and proof, the fingerprint key and the canary with the ring's current key. Each
 * update depends on the old value: after a crash every value stays readable, and the next run continues.
 * @throws StoreError wrong_key_ring, other_wallet before the first change.
 */
export const rotateKeys = async (
  db: Database,
  ring: KeyRing,
  walletEnvironment: string,
  random: Random,
): Promise<RotationReport> => {
  if ((await countPerKid(db)).size === 0)
    throw new StoreError(
      "wrong_key_ring",
      "This database holds no key, so it is not the bot's: check DATABASE_URL",
    );
  await openVaultMeta(db, ring, walletEnvironment, random);
  const rotation = { db, ring, walletEnvironment, random };
  const unreadable: string[] = [];
  let rotated = await rotateMeta(rotation);
  for (const column of sealedColumns) rotated += await rotateColumn(rotation, column, unreadable);
  const sealedPerKid = await countPerKid(db);
  return { currentKid: ring.current.kid, rotated, unreadable, sealedPerKid };
};

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

/**
 * Rotates one batch after `lastId`; the result's `lastId` is undefined after the last batch. The next run rotates rows
 * that change during this one.
 */
const rotateBatch = (
  rotation: Rotation,
  column: SealedColumn,
  lastId: string,
  unreadable: string[],
) =>
  rotation.db.transaction().execute(async (trx) => {
    const { kid } = rotation.ring.current;
    const values = await sealedOtherwise(trx, column, kid, lastId, BATCH);
    let rotated = 0;
    for (const value of values) {
      const binding = column.bindingOf(value, rotation.walletEnvironment);
      let sealed: string;
      try {
        sealed = sealAgain(rotation, binding, value.sealed);
      } catch {
        // A damaged row must not keep the others on the old key: the report names it.
        unreadable.push(`${column.label} ${value.rowId}`);
        continue;
      }
      if (await replaceSealed(trx, column, value, { sealed, kid })) rotated += 1;
    }
    return { rotated, lastId: values.at(-1)?.rowId };
  });

const rotateColumn = async (
  rotation: Rotation,
  column: SealedColumn,
  unreadable: string[],
): Promise<number> => {
  let rotated = 0;
  let lastId: string | undefined = "";
  while (lastId !== undefined) {
    const batch: { rotated: number; lastId: string | undefined } = await rotateBatch(
      rotation,
      column,
      lastId,
      unreadable,
    );
    rotated += batch.rotated;
    lastId = batch.lastId;
  }
  return rotated;
};

const countPerKid = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  const add = (kid: string, sealed: number) => counts.set(kid, (counts.get(kid) ?? 0) + sealed);
  for (const column of sealedColumns) {
    for (const { kid, sealed } of await countSealed(db, column)) add(kid, sealed);
  }
  const meta = await db
    .selectFrom("meta")
    .select("value")
    .where("name", "in", [...SEALED_META])
    .execute();
  for (const { value } of meta) add(kidOf(value) ?? "?", 1);
  return counts;
};

/** Keys that a part of the database is sealed with and the ring lacks, each with every such part: it cannot be read. */
export const lackingKeys = async (
  db: Database,
  ring: Pick<KeyRing, "keys">,
): Promise<readonly (Pick<SealedColumn, "label"> & { readonly kid: string })[]> => {
  const lacking: (Pick<SealedColumn, "label"> & { readonly kid: string })[] = [];
  for (const column of sealedColumns) {
    const { label } = column;
    const kids = (await countSealed(db, column)).map(({ kid }) => kid);
    lacking.push(...kids.filter((kid) => !ring.keys.has(kid)).map((kid) => ({ kid, label })));
  }
  return lacking;
};

/** A column of sealed values, and the column beside it with the names of their keys. */
interface SealedColumn {
  /** Name of a row in the report to the operator. */
  readonly label: string;
  readonly table: string;
  readonly sealed: string;
  readonly kid: string;
  readonly bindingOf: (row: SealedRow, walletEnvironment: string) => Binding;
}

/** Every sealed column of the database. Null values have no content to rotate. */
export const sealedColumns: readonly SealedColumn[] = (
  [
    ["account", "account", "api_key", "api_key_kid", apiKeyBinding],
    ["offered key", "pending_key", "api_key", "api_key_kid", pendingKeyBinding],
    ["withdrawal", "withdraw_op", "pix_key_enc", "pix_key_kid", pixKeyBinding],
    ["saved PIX key", "pix_key", "key_enc", "key_kid", pixKeyBinding],
    ["proof", "proof", "content", "content_kid", proofBinding],
  ] as const
).map(([label, table, sealed, kid, bindingOf]) => ({ label, table, sealed, kid, bindingOf }));

interface SealedValue extends SealedRow {
  readonly sealed: string;
}

/** Values sealed with a key other than `kid`, ordered by id, after `lastId`. */
export const sealedOtherwise = async (
  db: Database,
  column: SealedColumn,
  kid: string,
  lastId: string,
  limit: number,
): Promise<readonly SealedValue[]> => {
  const { rows } = await sql<SealedValue>`
    select id as "rowId", owner_id as "ownerId", ${sql.ref(column.sealed)} as sealed
    from ${sql.table(column.table)}
    where ${sql.ref(column.kid)} <> ${kid} and id > ${lastId}
    order by id limit ${limit}
  `.execute(db);
  return rows;
};

/** False when the value was changed by another transaction. */
export const replaceSealed = async (
  db: Database,
  column: SealedColumn,
  before: SealedValue,
  after: { readonly sealed: string; readonly kid: string },
): Promise<boolean> => {
  const { numAffectedRows } = await sql`
    update ${sql.table(column.table)}
    set ${sql.ref(column.sealed)} = ${after.sealed}, ${sql.ref(column.kid)} = ${after.kid}
    where id = ${before.rowId} and ${sql.ref(column.sealed)} = ${before.sealed}
  `.execute(db);
  return numAffectedRows === 1n;
};

const countSealed = async (
  db: Database,
  column: SealedColumn,
): Promise<readonly { readonly kid: string; readonly sealed: number }[]> => {
  const { rows } = await sql<{ kid: string; sealed: number }>`
    select ${sql.ref(column.kid)} as kid, count(*) as sealed from ${sql.table(column.table)}
    where ${sql.ref(column.kid)} is not null group by ${sql.ref(column.kid)}
  `.execute(db);
  return rows;
};
