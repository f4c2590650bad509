import type { Selectable } from "kysely";
import type { Account } from "./account.ts";
import {
  KEY_OFFER_MS,
  type KeyOffer,
  type NewKeyOffer,
  type OfferEndNotice,
  offerQuestionKey,
} from "./wallet-key.ts";
import type { Secret } from "../shared/secret.ts";
import { recordAudit } from "../database/audit.ts";
import { instantOf, type StoredInstant, storedInstant } from "../database/columns.ts";
import type { NewDelivery } from "../delivery/delivery.ts";
import { cancelDeliveriesByKey } from "../delivery/outbox-cancel.store.ts";
import { enqueueDelivery } from "../delivery/outbox-enqueue.store.ts";
import type { Database, PendingKeyTable } from "../schema.ts";
import type { Vault } from "../database/vault.ts";
import { lockConnections } from "./wallet-accounts.store.ts";

export type KeyOffers = ReturnType<typeof keyOffers>;

/** Open offers with encrypted keys. Offers older than `KEY_OFFER_MS` are not found. */
export const keyOffers = (db: Database, vault: Vault) => ({
  keep: keepOffer(db, vault),
  find: async (id: string, at: Temporal.Instant): Promise<KeyOffer | undefined> => {
    const row = await openOffers(db, at).where("id", "=", id).executeTakeFirst();
    return row && offerOf(row);
  },
  /** @throws StoreError unreadable_secret */
  apiKey: async (id: string): Promise<Secret | undefined> => {
    const row = await db
      .selectFrom("pending_key")
      .select(["owner_id", "api_key"])
      .where("id", "=", id)
      .executeTakeFirst();
    return row && vault.openPendingKey({ rowId: id, ownerId: row.owner_id }, row.api_key);
  },
  ofGuild: async (guildId: string, at: Temporal.Instant): Promise<readonly KeyOffer[]> => {
    const rows = await openOffers(db, at)
      .where("guild_id", "=", guildId)
      .orderBy("asked_at")
      .orderBy("id")
      .execute();
    return rows.map(offerOf);
  },
  /** Erases the offer and enqueues the notice; false when the offer is already gone. */
  end: (...ended: Ended) => db.transaction().execute((trx) => endOffer(trx, ...ended)),
  /** Those whose time is over, however long ago. */
  expired: async (at: Temporal.Instant): Promise<readonly KeyOffer[]> => {
    const rows = await db
      .selectFrom("pending_key")
      .selectAll()
      .where("asked_at", "<=", oldestOpen(at))
      .orderBy("asked_at")
      .execute();
    return rows.map(offerOf);
  },
});

/** Erases the offer to a member and enqueues the notice about it, in the caller's transaction. */
export const deleteOffersTo = async (
  trx: Database,
  guildId: string,
  ownerId: string,
  endNotice: OfferEndNotice | undefined,
  at: Temporal.Instant,
): Promise<void> => {
  const ended = await trx
    .deleteFrom("pending_key")
    .where("guild_id", "=", guildId)
    .where("owner_id", "=", ownerId)
    .returningAll()
    .execute();
  for (const row of ended) {
    await cancelQuestion(trx, row.id, at);
    const notice = endNotice?.(offerOf(row));
    if (notice !== undefined) await enqueueDelivery(trx, notice, at);
  }
};

/** A question that Discord has not taken yet would come with dead buttons. */
const cancelQuestion = (trx: Database, offerId: string, at: Temporal.Instant): Promise<void> =>
  cancelDeliveriesByKey(trx, [offerQuestionKey(offerId)], at, "offer_ended");

/** The last characters of a key, by which people tell their keys apart. */
export const keyLast4Of = (apiKey: Secret): string => apiKey.reveal().slice(-SHOWN_CHARACTERS);

const SHOWN_CHARACTERS = 4;

const offerOf = (row: Selectable<PendingKeyTable>): KeyOffer => ({
  id: row.id,
  guildId: row.guild_id,
  ownerId: row.owner_id,
  askedBy: row.asked_by,
  keyLast4: row.key_last4,
  locale: row.locale,
  askedAt: instantOf(row.asked_at),
});

/** Offers made at or before this instant have expired at `at`. */
const oldestOpen = (at: Temporal.Instant): StoredInstant =>
  storedInstant(at.subtract({ milliseconds: KEY_OFFER_MS }));

const openOffers = (db: Database, at: Temporal.Instant) =>
  db.selectFrom("pending_key").selectAll().where("asked_at", ">", oldestOpen(at));

/**
 * Replaces an earlier offer to the same member and enqueues the question, and the notice about the earlier offer, in
 * one transaction. Undefined, without changes, when the member has no key in the guild, or there is no question about it.
 */
const keepOffer =
  (db: Database, vault: Vault) =>
  (
    given: NewKeyOffer,
    apiKey: Secret,
    questionOf: (
      offer: KeyOffer,
      present: Pick<Account, "id" | "keyFingerprint">,
    ) => NewDelivery | undefined,
    replacedNotice: OfferEndNotice,
  ): Promise<KeyOffer | undefined> =>
    db.transaction().execute(async (trx) => {
      const { guildId, ownerId, askedBy, askedAt: at } = given;
      // The connection must not change until the offer is saved.
      await lockConnections(trx);
      const account = await trx
        .selectFrom("account")
        .select(["id", "key_fingerprint as keyFingerprint"])
        .where("guild_id", "=", guildId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      if (account === undefined) return undefined;
      const id = vault.newRowId();
      const keyLast4 = keyLast4Of(apiKey);
      const offer: KeyOffer = { ...given, id, keyLast4 };
      const question = questionOf(offer, account);
      if (question === undefined) return undefined;
      await deleteOffersTo(trx, guildId, ownerId, replacedNotice, at);
      await trx
        .insertInto("pending_key")
        .values({
          id,
          guild_id: guildId,
          owner_id: ownerId,
          asked_by: askedBy,
          api_key: vault.sealPendingKey({ rowId: id, ownerId }, apiKey),
          api_key_kid: vault.currentKid,
          key_last4: keyLast4,
          locale: offer.locale,
          asked_at: storedInstant(at),
        })
        .execute();
      await enqueueDelivery(trx, question, at);
      await recordAudit(trx, { at, actor: askedBy, action: "key_offered", subject: account.id });
      return offer;
    });

type Ended = [
  offer: KeyOffer,
  how: "accepted" | "refused" | "expired" | "unreached" | "unreadable",
  notice: NewDelivery,
  at: Temporal.Instant,
];

/** Erases an offer and enqueues the notice, in the caller's transaction. */
export const endOffer = async (
  trx: Database,
  ...[{ id, ownerId }, how, notice, at]: Ended
): Promise<boolean> => {
  const { numDeletedRows } = await trx
    .deleteFrom("pending_key")
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows !== 1n) return false;
  // The settlement of a question that Discord refused follows.
  if (how !== "unreached") await cancelQuestion(trx, id, at);
  await enqueueDelivery(trx, notice, at);
  if (how === "accepted" || how === "refused")
    await recordAudit(trx, { at, actor: ownerId, action: `key_offer_${how}`, subject: id });
  return true;
};
