import { lockConnected } from "../accounts/wallet-accounts.store.ts";
import { recordAudit } from "../database/audit.ts";
import { instantOf, optionalInstantOf, storedInstant } from "../database/columns.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import type { PixKey } from "./pix-key.ts";

export interface SeenPixKey {
  readonly firstSeenAt: Temporal.Instant;
  /** Undefined until a withdrawal to the key was accepted. */
  readonly lastUsedAt: Temporal.Instant | undefined;
  readonly saved: boolean;
}

/**
 * PIX keys of each owner: hashes of the seen keys, and encrypted copies of the saved ones. A saved key that is removed
 * still counts as seen.
 */
export const pixKeyBook = (db: Database, vault: Vault) => ({
  /** Records a typed key unless the owner has it. */
  noteSeen: async (ownerId: string, key: SeenKey, at: Temporal.Instant): Promise<SeenPixKey> => {
    // Known to each click after the first question: a read, as a write waits for the disk.
    const row =
      (await keyRow(db, ownerId, key.hash)) ?? (await addSeen(db, vault, ownerId, key, at));
    return {
      firstSeenAt: instantOf(row.first_seen_at),
      lastUsedAt: optionalInstantOf(row.last_used_at),
      saved: row.key_enc !== null,
    };
  },
  /** Whether the owner saved the key; records no sighting. */
  isSaved: async (ownerId: string, hash: string): Promise<boolean> => {
    const row = await keyRow(db, ownerId, hash);
    return row !== undefined && row.key_enc !== null;
  },
  markUsed: async (ownerId: string, hash: string, at: Temporal.Instant): Promise<void> => {
    await db
      .updateTable("pix_key")
      .set({ last_used_at: storedInstant(at) })
      .where("owner_id", "=", ownerId)
      .where("hash", "=", hash)
      .execute();
  },
  save: (
    ownerId: string,
    key: SeenKey & { readonly value: string },
    at: Temporal.Instant,
  ): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const { id } = await addSeen(trx, vault, ownerId, key, at);
      await trx
        .updateTable("pix_key")
        .set({
          type: key.type,
          masked: key.masked,
          key_enc: vault.sealPixKey({ rowId: id, ownerId }, key.value),
          key_kid: vault.currentKid,
        })
        .where("id", "=", id)
        .execute();
      await recordAudit(trx, { at, actor: ownerId, action: "pix_key_saved", subject: id });
    }),
  /**
   * Erases the keys of an owner who has no connection left; a later removal of the last one erases them itself. True when
   * the keys stay.
   */
  stay: (ownerId: string): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const stays = await lockConnected(trx, ownerId);
      if (!stays) await deletePixKeysOf(trx, ownerId);
      return stays;
    }),
  /** Number of keys that the owner saved or used. */
  countKept: async (ownerId: string): Promise<number> => {
    const { kept } = await db
      .selectFrom("pix_key")
      .select(({ fn }) => fn.countAll<number>().as("kept"))
      .where("owner_id", "=", ownerId)
      .where((eb) => eb.or([eb("key_kid", "is not", null), eb("last_used_at", "is not", null)]))
      .executeTakeFirstOrThrow();
    return kept;
  },
  /** Last used first. `handle` is opaque: the key cannot be derived from it. */
  saved: async (ownerId: string) => {
    return await db
      .selectFrom("pix_key")
      .select(["id as handle", "hash", "masked", "type"])
      .where("owner_id", "=", ownerId)
      .where("key_kid", "is not", null)
      .orderBy((eb) => eb.fn.coalesce("last_used_at", eb.val("")), "desc")
      .orderBy("first_seen_at", "desc")
      .orderBy("id")
      .execute();
  },
  /** The saved key in plain text. */
  reveal: async (ownerId: string, handle: string): Promise<string | undefined> => {
    const row = await db
      .selectFrom("pix_key")
      .select("key_enc")
      .where("id", "=", handle)
      .where("owner_id", "=", ownerId)
      .executeTakeFirst();
    if (row === undefined || row.key_enc === null) return undefined;
    return vault.openPixKey({ rowId: handle, ownerId }, row.key_enc);
  },
  forget: async (ownerId: string, handle: string): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable("pix_key")
      .set(NOT_SAVED)
      .where("id", "=", handle)
      .where("owner_id", "=", ownerId)
      .where("key_kid", "is not", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

export const deletePixKeysOf = async (db: Database, ownerId: string): Promise<void> => {
  await db.deleteFrom("pix_key").where("owner_id", "=", ownerId).execute();
};

const NOT_SAVED = { key_enc: null, key_kid: null } as const;

interface SeenKey {
  readonly hash: string;
  readonly type: PixKey["type"];
  readonly masked: string;
}

const keyRow = (db: Database, ownerId: string, hash: string) =>
  db
    .selectFrom("pix_key")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .where("hash", "=", hash)
    .executeTakeFirst();

/** Adds the key unless the owner has it. One statement, as the key may be forgotten meanwhile. */
const addSeen = (db: Database, vault: Vault, ownerId: string, key: SeenKey, at: Temporal.Instant) =>
  db
    .insertInto("pix_key")
    .values({
      id: vault.newRowId(),
      owner_id: ownerId,
      hash: key.hash,
      type: key.type,
      masked: key.masked,
      first_seen_at: storedInstant(at),
    })
    .onConflict((conflict) =>
      conflict
        .columns(["owner_id", "hash"])
        .doUpdateSet((eb) => ({ hash: eb.ref("excluded.hash") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
