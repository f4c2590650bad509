import type { WithdrawOp } from "../../domain/withdraw-op.ts";
import { SECOND } from "../../shared/duration.ts";
import { UserError } from "../../shared/errors.ts";
import { randomText } from "../../shared/random.ts";
import type { MoneyNeeds } from "./money-needs.ts";
import type { Actor } from "./money-services.ts";

const TOKEN_BYTES = 16;
const TOKEN_LIFE_MS = 120 * SECOND;

/** A new single-use token; only its hash is kept. */
export const newToken = (
  needs: Pick<MoneyNeeds, "random" | "hashToken">,
  now: Temporal.Instant,
): { readonly token: string; readonly hash: string; readonly expiresAt: Temporal.Instant } => {
  const token = randomText(needs.random, TOKEN_BYTES);
  return {
    token,
    hash: needs.hashToken(token),
    expiresAt: now.add({ milliseconds: TOKEN_LIFE_MS }),
  };
};

/** A draft that waits for the answer to a question, and can never be confirmed. */
export const isQuestion = (op: WithdrawOp): boolean => op.kind !== "cancel" && op.pixKeyHash === "";

/** @throws UserError not_your_button for anybody else, and anywhere else */
export const requireOwnButton = (
  op: Pick<WithdrawOp, "ownerId" | "guildId" | "channelId">,
  actor: Actor,
): void => {
  const own =
    op.ownerId === actor.userId && op.guildId === actor.guildId && op.channelId === actor.channelId;
  if (!own) throw new UserError({ kind: "not_your_button" });
};

/** @throws UserError confirmation_gone */
export const requireLive = (op: WithdrawOp, now: Temporal.Instant): void => {
  const expires = op.confirmExpiresAt;
  const live =
    op.state === "draft" && expires !== undefined && Temporal.Instant.compare(now, expires) < 0;
  if (!live) throw new UserError({ kind: "confirmation_gone" });
};

/** The draft that waits for this token. @throws UserError confirmation_gone, not_your_button */
export const draftOfToken = async (
  needs: MoneyNeeds,
  actor: Actor,
  token: string,
): Promise<WithdrawOp> => {
  const op = await needs.journal.findByToken(needs.hashToken(token));
  if (op === undefined) throw new UserError({ kind: "confirmation_gone" });
  requireOwnButton(op, actor);
  requireLive(op, needs.clock.now());
  return op;
};
