import { sql } from "kysely";
import type { Database } from "./schema.ts";
import type { Binding } from "./sealed-text.ts";
import {
  apiKeyBinding,
  pendingKeyBinding,
  pixKeyBinding,
  proofBinding,
  type SealedRow,
} from "./vault.ts";

/** A column of sealed values, with one beside it that names the key of each. */
interface SealedColumn {
  /** What one of its rows is called in a report to the operator. */
  readonly label: string;
  readonly table: string;
  readonly sealed: string;
  readonly kid: string;
  readonly bindingOf: (row: SealedRow, walletEnvironment: string) => Binding;
}

/** Every such column of the database. A null holds nothing to be sealed. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    label: "account",
    table: "account",
    sealed: "api_key",
    kid: "api_key_kid",
    bindingOf: apiKeyBinding,
  },
  {
    label: "offered key",
    table: "pending_key",
    sealed: "api_key",
    kid: "api_key_kid",
    bindingOf: pendingKeyBinding,
  },
  {
    label: "withdrawal",
    table: "withdraw_op",
    sealed: "pix_key_enc",
    kid: "pix_key_kid",
    bindingOf: pixKeyBinding,
  },
  {
    label: "saved PIX key",
    table: "pix_key",
    sealed: "key_enc",
    kid: "key_kid",
    bindingOf: pixKeyBinding,
  },
  {
    label: "proof",
    table: "proof",
    sealed: "content",
    kid: "content_kid",
    bindingOf: proofBinding,
  },
];

interface SealedValue extends SealedRow {
  readonly sealed: string;
}

/** Values that another key than `kid` sealed, in the order of their ids, after `lastId`. */
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

/** False when the value changed meanwhile. */
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

export const countSealed = async (
  db: Database,
  column: SealedColumn,
): Promise<readonly { readonly kid: string; readonly sealed: number }[]> => {
  const { rows } = await sql<{ kid: string; sealed: number }>`
    select ${sql.ref(column.kid)} as kid, count(*) as sealed from ${sql.table(column.table)}
    where ${sql.ref(column.kid)} is not null group by ${sql.ref(column.kid)}
  `.execute(db);
  return rows;
};
