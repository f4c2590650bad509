import { newOpCode } from "../domain/op-code.ts";
import type { NewWithdrawOp, WithdrawOp } from "../domain/withdraw-op.ts";
import type { Random } from "../shared/random.ts";
import { storedInstant } from "./columns.ts";
import type { Database } from "./schema.ts";
import type { Vault } from "./vault.ts";
import { storedSkew, storedTxids, type WithdrawOpRow, withdrawOpOf } from "./withdraw-op-row.ts";

/** A code of five characters has 33 million values: even with a million in use each try fails one time in 33. */
const MOST_CODES_TRIED = 30;

const sealedKey = (
  vault: Vault,
  rowId: string,
  { pixKey, ownerId }: NewWithdrawOp,
): Pick<WithdrawOpRow, "pix_key_enc" | "pix_key_kid"> =>
  pixKey === ""
    ? { pix_key_enc: null, pix_key_kid: null }
    : {
        pix_key_enc: vault.sealPixKey({ rowId, ownerId }, pixKey),
        pix_key_kid: vault.currentKid,
      };

const rowFor = (vault: Vault, id: string, op: NewWithdrawOp, at: Temporal.Instant) => ({
  id,
  account_fp: op.accountFp,
  account_id: op.accountId,
  guild_id: op.guildId,
  channel_id: op.channelId,
  owner_id: op.ownerId,
  interaction_id: op.interactionId,
  locale: op.locale,
  kind: op.kind,
  amount_cents: op.amount ?? null,
  ...sealedKey(vault, id, op),
  pix_key_masked: op.pixKeyMasked,
  pix_key_hash: op.pixKeyHash,
  recipient_id: op.recipientId ?? null,
  target_txid: op.targetTxid ?? null,
  state: "draft" as const,
  version: 0,
  confirmations_left: op.confirmationsLeft,
  confirm_token_hash: op.confirmTokenHash,
  confirm_expires_at: storedInstant(op.confirmExpiresAt),
  pre_txids: op.preTxids ? storedTxids(op.preTxids) : null,
  pre_balance_cents: op.preBalance ?? null,
  skew_ms: op.skewMs === undefined ? null : storedSkew(op.skewMs),
  absences: 0,
  checks: 0,
  created_at: storedInstant(at),
  updated_at: storedInstant(at),
});

/** `WithdrawJournal.draft`. @throws RangeError for a cancellation without its target. */
export const keepDraft = async (
  db: Database,
  vault: Vault,
  random: Random,
  op: NewWithdrawOp,
  at: Temporal.Instant,
): Promise<WithdrawOp> => {
  // A row without its target would stand outside the rule of one open cancellation.
  if ((op.kind === "cancel") !== (op.targetTxid !== undefined)) {
    throw new RangeError("A cancellation, and nothing else, has a target");
  }
  for (let tried = 0; tried < MOST_CODES_TRIED; tried += 1) {
    const row = rowFor(vault, newOpCode(random), op, at);
    const kept = await db.transaction().execute(async (trx) => {
      const added = await trx
        .insertInto("withdraw_op")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returningAll()
        .executeTakeFirst();
      if (added === undefined) return undefined;
      const event = { op_id: added.id, seq: 0, at: added.created_at, to_state: added.state };
      await trx
        .insertInto("withdraw_event")
        .values({ ...event, reason: "asked" })
        .execute();
      return withdrawOpOf(added);
    });
    if (kept !== undefined) return kept;
  }
  throw new Error("No code is free for a withdrawal");
};
