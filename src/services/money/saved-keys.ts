import { MOST_OPTIONS } from "../../domain/ids.ts";
import { UserError } from "../../shared/errors.ts";
import type { Actor, MoneyNeeds } from "./money-services.ts";
import { ownOp } from "./withdraw-check.ts";
import { keyOfOp, savedKeyHandle, savedKeyValue } from "./withdraw-key.ts";

/** Saves the key of an operation among the owner's keys. @throws UserError withdrawal_not_found, pix_key_gone */
export const saveKey = async (
  needs: MoneyNeeds,
  actor: Actor,
  opId: string,
): Promise<{ readonly masked: string }> => {
  const op = await ownOp(needs, actor, opId);
  const key = await keyOfOp(needs, op);
  if (key === undefined) throw new UserError({ kind: "pix_key_gone" });
  const { pixKeyHash: hash, pixKeyMasked: masked } = op;
  const { type, value } = key;
  await needs.pixKeys.save(op.ownerId, { hash, masked, type, value }, needs.clock.now());
  return { masked };
};

/** Saved keys as suggestions: the name is the mask, the value an opaque handle for `prepareWithdrawal`. */
export const savedKeys = async (
  needs: Pick<MoneyNeeds, "pixKeys">,
  actor: Pick<Actor, "userId">,
  typed: string,
): Promise<readonly { readonly name: string; readonly value: string }[]> => {
  const saved = await needs.pixKeys.saved(actor.userId);
  const wanted = typed.trim().toLowerCase();
  return saved
    .filter(({ masked, type }) => `${type} ${masked}`.toLowerCase().includes(wanted))
    .slice(0, MOST_OPTIONS)
    .map(({ masked, handle }) => ({ name: masked, value: savedKeyValue(handle) }));
};

/** Deletes a saved key by its suggestion's value; false when it was gone. The key still counts as used before. */
export const forgetKey = async (
  needs: Pick<MoneyNeeds, "pixKeys">,
  actor: Pick<Actor, "userId">,
  value: string,
): Promise<boolean> => await needs.pixKeys.forget(actor.userId, savedKeyHandle(value));
