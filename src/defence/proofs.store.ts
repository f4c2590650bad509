import type { Selectable } from "kysely";
import {
  type KeptProof,
  type KeptProofs,
  MOST_PENDING_PROOFS,
  PENDING_PROOF_MS,
  type Proof,
  type ProofContent,
} from "./proof.ts";
import { lockConnected } from "../accounts/wallet-accounts.store.ts";
import { recordAudit } from "../database/audit.ts";
import {
  instantOf,
  optionalInstantOf,
  smallTxid,
  type StoredInstant,
  storedInstant,
  storedOptionalInstant,
} from "../database/columns.ts";
import { lockName } from "../database/queries.ts";
import { smallForms } from "../shared/ids.ts";
import { StoreError } from "../shared/store-errors.ts";
import type { Database } from "../schema.ts";
import type { Vault } from "../database/vault.ts";

export interface ProofTable {
  id: string;
  owner_id: string;
  guild_id: string;
  /** Null until the owner names the sale. */
  txid: string | null;
  /** Sealed by the vault, bound to `id` and `owner_id`. */
  content: string;
  /** Key of the ring that `content` is sealed with. */
  content_kid: string;
  kept_at: StoredInstant;
}

export type Proofs = ReturnType<typeof proofsStore>;

/**
 * Messages that sellers kept as proofs, of each owner across guilds. Owner, guild, sale and time are stored in clear text;
 * the rest is sealed. They are erased with the owner's last connection. A reading of several leaves out those that the key
 * ring does not open, and counts them; one of a single row throws StoreError unreadable_secret.
 */
export const proofsStore = (db: Database, vault: Vault) => ({
  /**
   * Stores a message until its txid is known. Above the limit the owner's oldest pending message is dropped.
   * @returns an opaque id
   */
  keepPending: (
    ownerId: string,
    guildId: string,
    content: ProofContent,
    at: Temporal.Instant,
  ): Promise<string> =>
    db.transaction().execute(async (trx) => {
      // Concurrent calls each see the proofs kept before them.
      await lockName(trx, `proof|${ownerId}`);
      const waiting = await trx
        .selectFrom("proof")
        .select("id")
        .where("owner_id", "=", ownerId)
        .where("txid", "is", null)
        .orderBy("kept_at", "desc")
        .orderBy("id")
        .execute();
      const gone = waiting.slice(MOST_PENDING_PROOFS - 1).map(({ id }) => id);
      if (gone.length > 0) await trx.deleteFrom("proof").where("id", "in", gone).execute();
      const id = vault.newRowId();
      await trx
        .insertInto("proof")
        .values({
          id,
          owner_id: ownerId,
          guild_id: guildId,
          content: vault.sealProof({ rowId: id, ownerId }, textOf(content)),
          content_kid: vault.currentKid,
          kept_at: storedInstant(at),
        })
        .execute();
      return id;
    }),
  /**
   * Erases a pending message whose owner has no connection left; a later removal of the last one erases it with all others.
   * True when the message stays.
   */
  staysPending: (ownerId: string, pendingId: string): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const stays = await lockConnected(trx, ownerId);
      if (!stays) await trx.deleteFrom("proof").where("id", "=", pendingId).execute();
      return stays;
    }),
  /**
   * Assigns a pending message to a sale. If the sale already has a proof with the same SHA-256, that proof stays and
   * the message is dropped. A form that is sent twice finds its own proof. Undefined: not the owner's, already assigned to
   * another sale, or older than `PENDING_PROOF_MS`.
   */
  tie: (
    ownerId: string,
    pendingId: string,
    txid: string,
    at: Temporal.Instant,
  ): Promise<KeptProof | undefined> =>
    db.transaction().execute(async (trx) => {
      // Of two equal proofs tied at once, the second sees the first.
      await lockName(trx, `proof|${ownerId}`);
      const oldest = storedInstant(at.subtract({ milliseconds: PENDING_PROOF_MS }));
      const pending = await trx
        .selectFrom("proof")
        .selectAll()
        .where("id", "=", pendingId)
        .where("owner_id", "=", ownerId)
        .where((eb) => eb.or([eb("txid", "is", null), eb("txid", "=", txid)]))
        .where("kept_at", ">=", oldest)
        .executeTakeFirst();
      if (pending === undefined) return undefined;
      const proof = proofOf(pending, vault, txid);
      if (pending.txid !== null) return { proof, isNew: false };
      const { proofs } = await tiedProofs(trx, vault, ownerId, [txid]);
      const kept = proofs.findLast(({ content }) => content.sha256 === proof.content.sha256);
      if (kept !== undefined) {
        await trx.deleteFrom("proof").where("id", "=", pendingId).execute();
        return { proof: kept, isNew: false };
      }
      const { numUpdatedRows } = await trx
        .updateTable("proof")
        .set({ txid })
        .where("id", "=", pendingId)
        .executeTakeFirst();
      // Deleted in between, with the owner's last connection.
      if (numUpdatedRows !== 1n) return undefined;
      await recordAudit(trx, { at, actor: ownerId, action: "proof_kept", subject: pendingId });
      return { proof, isNew: true };
    }),
  /** Finds an assigned proof of the owner. */
  find: async (ownerId: string, id: string): Promise<Proof | undefined> => {
    const row = await tiedOf(db, ownerId).selectAll().where("id", "=", id).executeTakeFirst();
    return row && proofOf(row, vault);
  },
  /** Number of the owner's assigned proofs, without decryption. */
  count: async (ownerId: string): Promise<number> => {
    const { count } = await tiedOf(db, ownerId)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    return count;
  },
  /** Assigned proofs, newest first. `txids`: those kept with one of the codes, in any case of their letters. */
  list: (ownerId: string, txids?: readonly string[]) => tiedProofs(db, vault, ownerId, txids),
  remove: (ownerId: string, id: string, at: Temporal.Instant): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const { numDeletedRows } = await trx
        .deleteFrom("proof")
        .where("id", "=", id)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await recordAudit(trx, { at, actor: ownerId, action: "proof_removed", subject: id });
      return true;
    }),
  /** Erases those that wait for a txid since before then. */
  purgePending: async (before: Temporal.Instant): Promise<void> => {
    await db
      .deleteFrom("proof")
      .where("txid", "is", null)
      .where("kept_at", "<", storedInstant(before))
      .execute();
  },
});

export const deleteProofsOf = async (db: Database, ownerId: string): Promise<void> => {
  await db.deleteFrom("proof").where("owner_id", "=", ownerId).execute();
};

/** The sealed content, with its instants as text. */
type SealedContent = Omit<ProofContent, "writtenAt" | "editedAt" | "attachments" | "forwarded"> & {
  readonly writtenAt: StoredInstant;
  readonly editedAt: StoredInstant | null;
  /** Names of the attachments; older rows have their addresses, which do not open. */
  readonly links: readonly string[];
  /** Absent from older rows, which are no forwards. */
  readonly forwarded?: boolean;
};

/** The name that an address ends in. A name has no slash, and stays as it is. */
const fileNameOf = (link: string): string => {
  const last = link.slice(link.lastIndexOf("/") + 1);
  if (last === link) return link;
  try {
    return decodeURIComponent(last);
  } catch {
    // Text that is no encoding is shown as it was kept.
    return last;
  }
};

const textOf = ({ attachments: links, writtenAt, editedAt, ...content }: ProofContent): string =>
  JSON.stringify({
    ...content,
    links,
    writtenAt: storedInstant(writtenAt),
    editedAt: storedOptionalInstant(editedAt),
  } satisfies SealedContent);

const contentOf = (text: string): ProofContent => {
  const { links, ...sealed } = JSON.parse(text) as SealedContent;
  return {
    ...sealed,
    attachments: links.map(fileNameOf),
    forwarded: sealed.forwarded ?? false,
    writtenAt: instantOf(sealed.writtenAt),
    editedAt: optionalInstantOf(sealed.editedAt),
  };
};

type ProofRow = Selectable<ProofTable>;

const proofOf = (row: ProofRow, vault: Vault, txid = row.txid ?? ""): Proof => {
  const { id, owner_id: ownerId, guild_id: guildId, kept_at: keptAt, content } = row;
  return {
    id,
    guildId,
    txid,
    keptAt: instantOf(keptAt),
    content: contentOf(vault.openProof({ rowId: id, ownerId }, content)),
  };
};

const tiedOf = (db: Database, ownerId: string) =>
  db.selectFrom("proof").where("owner_id", "=", ownerId).where("txid", "is not", null);

/** One whose key was dropped from the ring must not hide the others. */
const tiedProofs = async (
  db: Database,
  vault: Vault,
  ownerId: string,
  txids?: readonly string[],
): Promise<KeptProofs> => {
  const rows = await tiedOf(db, ownerId)
    .$if(txids !== undefined, (tied) => tied.where(smallTxid, "in", smallForms(txids ?? [])))
    .selectAll()
    .orderBy("kept_at", "desc")
    .orderBy("id")
    .execute();
  const proofs = rows.flatMap((row) => {
    try {
      return [proofOf(row, vault)];
    } catch (error) {
      if (error instanceof StoreError && error.kind === "unreadable_secret") return [];
      throw error;
    }
  });
  return { proofs, unreadable: rows.length - proofs.length };
};
